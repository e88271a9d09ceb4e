// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/holes.h"

namespace tulle::physics {

namespace {

// The rows of `elements` that touch no absent vertex.
template <int Corners>
std::vector<int> whole_ones(const Rows<int, Corners>& elements, const std::vector<bool>& absent) {
    std::vector<int> kept;
    for (int e = 0; e < elements.rows(); ++e) {
        bool whole = true;
        for (const int v : elements.row(e)) whole = whole && !absent[static_cast<size_t>(v)];
        if (whole) kept.push_back(e);
    }
    return kept;
}

template <typename Array>
void keep_rows(Array& array, const std::vector<int>& kept) {
    array = Array(array(kept, Eigen::all));
}

}  // namespace

void cut_holes(ClothModel& model, const std::vector<bool>& absent) {
    keep_rows(model.mesh.triangles, whole_ones(model.mesh.triangles, absent));
    const std::vector<int> springs = whole_ones(model.springs.edges, absent);
    keep_rows(model.springs.edges, springs);
    keep_rows(model.springs.rest_lengths, springs);
    keep_rows(model.springs.stiffness, springs);
    keep_rows(model.springs.damping, springs);
    if (model.hinges.count() > 0) {
        const std::vector<int> hinges = whole_ones(model.hinges.vertices, absent);
        keep_rows(model.hinges.vertices, hinges);
        keep_rows(model.hinges.weights, hinges);
        keep_rows(model.hinges.stiffness, hinges);
    }
    PinGroup nowhere;
    for (size_t v = 0; v < absent.size(); ++v)
        if (absent[v]) nowhere.vertices.push_back(static_cast<int>(v));
    for (PinGroup& group : model.pins)
        std::erase_if(group.vertices, [&](int v) { return absent[static_cast<size_t>(v)]; });
    if (!nowhere.vertices.empty()) model.pins.push_back(std::move(nowhere));
}

}  // namespace tulle::physics

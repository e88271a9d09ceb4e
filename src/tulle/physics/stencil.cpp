// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/stencil.h"

#include <algorithm>
#include <cmath>

namespace tulle::physics {

namespace {

// The direction from a to b; nothing if none leads there.
std::optional<size_t> direction_of(const geometry::GridSize& size, int a, int b) {
    const std::array<int, 2> offset = {b / size.columns - a / size.columns, b % size.columns - a % size.columns};
    const auto found = std::find(stencil_offsets.begin(), stencil_offsets.end(), offset);
    if (found == stencil_offsets.end()) return std::nullopt;
    return static_cast<size_t>(found - stencil_offsets.begin());
}

long most_springs(const geometry::GridSize& size, const std::array<int, 2>& offset) {
    return static_cast<long>(std::max(0, size.rows - offset[0])) * std::max(0, size.columns - std::abs(offset[1]));
}

}  // namespace

std::optional<std::vector<Neighbours>> stencil_neighbours(const ClothModel& model) {
    if (!model.grid || model.hinges.count() > 0) return std::nullopt;
    Neighbours nobody;
    nobody.fill(-1);
    std::vector<Neighbours> neighbours(static_cast<size_t>(model.vertex_count()), nobody);
    for (long e = 0; e < model.springs.count(); ++e) {
        const int a = model.springs.edges(e, 0), b = model.springs.edges(e, 1);
        const std::optional<size_t> direction = direction_of(*model.grid, a, b);
        if (!direction) return std::nullopt;
        neighbours[static_cast<size_t>(a)][2 * *direction] = b;
        neighbours[static_cast<size_t>(b)][2 * *direction + 1] = a;
    }
    return neighbours;
}

std::optional<StencilMaterial> uniform_material(const ClothModel& model) {
    if (!model.grid || model.hinges.count() > 0) return std::nullopt;
    const auto same = [](double a, double b) { return std::abs(a - b) <= 1e-5 * std::abs(b); };
    StencilMaterial material;
    std::array<bool, stencil_directions> known{};
    const Springs& springs = model.springs;
    for (long e = 0; e < springs.count(); ++e) {
        const std::optional<size_t> direction = direction_of(*model.grid, springs.edges(e, 0), springs.edges(e, 1));
        if (!direction) return std::nullopt;
        const size_t i = *direction;
        if (!known[i]) {
            known[i] = true;
            material.stiffness[i] = springs.stiffness(e);
            material.rest_lengths[i] = springs.rest_lengths(e);
            material.damping[i] = springs.damping(e);
        }
        if (!same(material.stiffness[i], springs.stiffness(e)) ||
            !same(material.rest_lengths[i], springs.rest_lengths(e)) || !same(material.damping[i], springs.damping(e)))
            return std::nullopt;
    }
    return material;
}

bool has_holes(const ClothModel& model) {
    const auto neighbours = stencil_neighbours(model);
    if (!neighbours) return false;
    for (size_t i = 0; i < stencil_directions; ++i) {
        const long springs =
            std::count_if(neighbours->begin(), neighbours->end(), [&](const Neighbours& n) { return n[2 * i] >= 0; });
        if (springs != 0 && springs != most_springs(*model.grid, stencil_offsets[i])) return true;
    }
    return false;
}

}  // namespace tulle::physics

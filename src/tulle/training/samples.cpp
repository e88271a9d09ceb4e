// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/samples.h"

#include "tulle/core/error.h"
#include "tulle/methods/hierarchy/triangle_samples.h"
#include "tulle/methods/miniature/patch_samples.h"
#include "tulle/scene/build.h"

#include <bit>

namespace tulle::training {

namespace {

std::unique_ptr<datasets::SampleSource> cut(const datasets::Sequence& sequence, const Pieces& pieces) {
    if (pieces.method == "miniature")
        return std::make_unique<methods::PatchSamples>(sequence, methods::PatchShape{pieces.factor, pieces.features});
    return std::make_unique<methods::TriangleSamples>(sequence, hierarchy_of(sequence, pieces.factor), pieces.level,
                                                      pieces.features);
}

}  // namespace

CutSamples::CutSamples(const std::vector<datasets::Sequence>& sequences, const std::vector<size_t>& chosen,
                       const Pieces& pieces) {
    std::vector<const datasets::SampleSource*> looks;
    for (const size_t index : chosen) {
        sources_.push_back(cut(sequences[index], pieces));
        looks.push_back(sources_.back().get());
    }
    set_ = SampleSet(std::move(looks));
}

geometry::Hierarchy hierarchy_of(const datasets::Sequence& sequence, int factor) {
    const int levels = std::countr_zero(static_cast<unsigned>(factor));
    try {
        if (sequence.grid.rows > 0) return geometry::grid_hierarchy(sequence.grid, levels);
        // A subdivided mesh: its scene knows the coarse one.
        const scene::Scene scene = scene::parse_scene(sequence.scene_text, sequence.name, sequence.scene_folder);
        scene::Scene coarse = scene;
        coarse.cloth.subdivisions -= levels;
        coarse.cloth.particle_masses = {1.0};
        coarse.pins.clear();
        if (coarse.cloth.subdivisions < 0) throw Error("its mesh is not subdivided {} times", levels);
        return geometry::mesh_hierarchy(make_model(coarse).mesh, levels);
    } catch (const Error& error) {
        throw Error("'{}' cannot teach {} levels: {}", sequence.name, levels, error.what());
    }
}

}  // namespace tulle::training

// SPDX-License-Identifier: Apache-2.0
// The parts of docs/results/hierarchy.md. Only for the .cpp files of this folder.
#pragma once

#include "tulle/training/reproduce/reproduction.h"

namespace tulle::training {

// On how many threads times were taken, and whether other programs took turns meanwhile, by the least share of the
// processor that a run had.
std::string timing_in_words(double cpu_share);

void hierarchy_table_1(Reproduction& run, Page& page);
void hierarchy_figure_10(Reproduction& run, Page& page);

// The other reading of the paper, which does not say what a particle of its coarse level weighs: as much, that the
// coarse cloth has the mass of the fine one. To be added to the overrides of a scene for hierarchy:paper.
std::string total_mass_kept(const Reproduction& run, const std::string& scene);
// hierarchy:paper so.
struct OtherReading {
    std::string error, teacher_forced;  // [m]
    Still still;
};
OtherReading evaluate_with_total_mass(Reproduction& run, const std::string& scene, int frames,
                                      scene::Overrides overrides = {});

}  // namespace tulle::training

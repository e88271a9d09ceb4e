// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/evaluation/curvature.h"
#include "tulle/evaluation/metrics.h"
#include "tulle/evaluation/trembling.h"
#include "tulle/evaluation/wrinkles.h"
#include "tulle/scene/simulation.h"
#include "tulle/workflows/contact_counts.h"
#include "tulle/workflows/evaluate.h"

#include <optional>
#include <span>

namespace tulle::workflows {

// What is measured of the shapes that a run shows, frame after frame, beside the full run.
class MotionMeasures {
public:
    // `factor`: how many times coarser the cloth is whose wrinkles are to be told from finer ones. The simulation must
    // outlive it.
    MotionMeasures(const scene::Simulation& simulation, int factor);

    // The next frames of both runs.
    void add(std::span<const Positions> frames, std::span<const Positions> full);
    void fill(MethodFigures& figures) const;

private:
    void add_shape(const Positions& positions, const Positions& full);

    const scene::Simulation& simulation_;
    evaluation::DeformationMeter deformation_;
    evaluation::CurvatureMeter curvature_;
    std::optional<evaluation::WrinkleMeter> wrinkles_;  // none: the cloth has no coarser one by that factor
    ContactCounter contacts_;
    int tip_;

    long frames_ = 0;
    double stretch_energy_ = 0, bending_energy_ = 0;  // [J] summed
    double max_stretch_ = 0;
    evaluation::Histogram normal_angles_;  // [rad]
    evaluation::ShapeDistributions shapes_;
    evaluation::Trembling trembling_, full_trembling_;
    double wrinkle_energy_ = 0, full_wrinkle_energy_ = 0;  // [m²] summed
};

}  // namespace tulle::workflows

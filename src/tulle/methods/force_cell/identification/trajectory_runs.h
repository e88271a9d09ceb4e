// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/force_cell/identification/cloth_parameters.h"
#include "tulle/methods/force_cell/identification/motion_recording.h"
#include "tulle/methods/force_cell/identification/start_modes.h"
#include "tulle/physics/stepper.h"

#include <functional>
#include <memory>
#include <vector>

namespace tulle::methods {

// The sums of one linearisation over all vertices and frames: first the ten parameters, then the modes of the start.
struct FitEquations {
    Eigen::MatrixXd matrix;  // Σ JᵀJ
    VectorX right;           // Σ Jᵀr
    Eigen::MatrixXd scores;  // Jᵀr of each block of the grid, one column each
    double squares = 0;      // Σ r² [m²]
    double count = 0;        // of the numbers squared
};

// How the recorded means change with the modes of the start. It is taken once, near the solution: it depends little on
// the parameters, and an approximate derivative changes the way to the solution, hardly the solution.
struct ModeResponses {
    std::vector<Eigen::MatrixXf> of_group;  // 3 |free| × modes
    Eigen::MatrixXd normal;                 // Σ JᵀJ over the groups
};

// Simulations beside a recording. Frames are compared in groups: the mean of a group for its middle, because what
// parameters do changes little from frame to frame while noise averages out.
class TrajectoryRuns {
public:
    TrajectoryRuns(const KnownCloth& cloth, const MotionRecording& recording, long first, long frames,
                   const StartModes& modes);

    using OnGroup = std::function<bool()>;  // after each group of frames; false: stop, what is returned means nothing

    // Σ r² of one run; infinite where it leaves the finite numbers.
    double squares(const ClothParameters& parameters, const physics::ClothState& start) const;
    // `positions` [m] and `velocities` [m/s]: how far a mode is moved for a difference.
    ModeResponses respond(const ClothParameters& parameters, const physics::ClothState& start, double positions,
                          double velocities, const OnGroup& on_group) const;
    // `widths`: how far each parameter is moved for a difference.
    FitEquations linearise(const ClothParameters& parameters, const physics::ClothState& start, const VectorX& widths,
                           const ModeResponses& responses, const OnGroup& on_group) const;

    double free_count() const { return static_cast<double>(free_.size()); }
    long groups() const { return static_cast<long>(group_sizes_.size()); }

private:
    struct Trial;
    struct Run;
    std::unique_ptr<Trial> make_trial(const ClothParameters& parameters) const;
    void advance(Trial& trial, Run& run, long group) const;
    Positions recorded_mean(long group) const;
    void accumulate(const std::vector<Run>& runs, const VectorX& widths, const Eigen::MatrixXf& modes, long group,
                    FitEquations& equations) const;

    const KnownCloth& cloth_;
    const MotionRecording& recording_;
    const StartModes& modes_;
    std::vector<int> kinds_;
    std::vector<int> group_sizes_;  // frames in each group
    std::vector<long> group_starts_;
    std::vector<int> free_;          // vertices that are not pinned, those of a block of the grid together
    std::vector<long> block_begin_;  // in free_, and its end
};

}  // namespace tulle::methods

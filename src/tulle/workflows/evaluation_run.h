// SPDX-License-Identifier: Apache-2.0
// One method on its way through an evaluation.
#pragma once

#include "tulle/evaluation/teacher_forcing.h"
#include "tulle/io/cache_writer.h"
#include "tulle/scene/families/family.h"
#include "tulle/scene/simulation.h"
#include "tulle/workflows/evaluate.h"
#include "tulle/workflows/motion_measures.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tulle::workflows {

// Frames of one turn, without the start.
using Frames = std::vector<Positions>;

class EvaluationRun {
public:
    // `cache`: empty for none. Throws an Error that names the method if it cannot run on the scene.
    EvaluationRun(const scene::Scene& scene, const std::string& method, std::filesystem::path cache = {});

    const std::string& name() const { return figures_.name; }
    const scene::Simulation& simulation() const { return *simulation_; }
    const Frames& frames() const { return frames_; }
    const std::string& failure() const { return failure_; }

    // Begins the cache, if there is one, with the start.
    void open_cache();
    // Moves every free vertex of the start by up to `noise` [m] along each axis.
    void disturb_start(double noise);
    // Makes the measurements include the shapes that are shown, not only their distances.
    void measure_motion();
    // Makes the measurements include how well the upscaling does on the full run's own coarse vertices.
    void force_by_teacher();
    // Advances and times `count` frames; after each, on_frame may stop them. A cloth that leaves the finite numbers
    // ends the run, and failure() says where.
    bool advance(long count, const std::function<bool(const std::string& method)>& on_frame);
    // Compares the frames of this turn with those of the references; `converged` may be null.
    void measure(const Frames& full, const Frames* converged);

    double cpu_share() const { return cpu_milliseconds_ / passed_milliseconds_; }  // of the main thread, while timed

    // The cache is complete afterwards. `full`: the run to compare with, which may be this one.
    MethodFigures finish(const EvaluationRun& full);

private:
    void advance_frame();
    bool ran_out_of_iterations(const physics::StepReport& step) const;
    void add_costs(const EvaluationRun& full);

    MethodFigures figures_;
    std::unique_ptr<scene::Simulation> simulation_;
    std::optional<io::CacheWriter> cache_;
    scene::Method method_;
    Frames frames_;
    std::vector<double> milliseconds_, inference_;  // of every frame; no inference: none
    double cpu_milliseconds_ = 0, passed_milliseconds_ = 0;
    long unconverged_ = 0;  // frames in which newton ran out of iterations
    std::string failure_;

    std::optional<MotionMeasures> measures_;
    evaluation::DistanceStatistics to_full_, to_converged_;
    std::optional<scene::Teacher> teacher_;
    std::optional<evaluation::TeacherForcing> forcing_;
};

}  // namespace tulle::workflows

// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/upscaling/calibrate.h"

#include "tulle/core/parallel.h"
#include "tulle/geometry/miniature.h"
#include "tulle/numerics/nelder_mead.h"
#include "tulle/physics/solvers/solver.h"
#include "tulle/scene/build.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle::scene {

namespace {

using methods::Calibration;

Calibration from_logarithms(const VectorX& x) {
    return {std::exp(x(0)), std::exp(x(1)), std::exp(x(2)), std::exp(x(3))};
}

VectorX to_logarithms(const Calibration& c) { return Eigen::Array4d(c.mass, c.stretch, c.bend, c.pin).log().matrix(); }

double sequence_error(const datasets::Sequence& sequence, const CalibrateSettings& settings,
                      const Calibration& calibration) {
    const Scene full = parse_scene(sequence.scene_text, sequence.name, sequence.scene_folder);
    const physics::ClothModel full_model = make_model(full);
    CoarseningLaw law = settings.law;
    law.scaling = methods::Scaling::Calibrated;
    law.calibration = calibration;
    const CoarseScene coarse = coarsen(full, full_model, law);
    const physics::ClothModel model = make_model(coarse.scene);
    const physics::World world = make_world(coarse.scene);
    const Method method = parse_method(full.upscaling.solver);
    const auto stepper = make_stepper(coarse.scene, model, world, method);
    const int steps = steps_per_frame(coarse.scene, model, method);
    const physics::ClothState start = initial_state(full, full_model);
    physics::ClothState state{geometry::sample(coarse.fine_vertices, start.positions),
                              geometry::sample(coarse.fine_vertices, start.velocities), 0};
    const long frames =
        std::min(sequence.frame_count() - 1, std::max(1L, std::lround(settings.seconds / sequence.frame_time)));
    double sum = 0;
    for (long f = 1; f <= frames; ++f) {
        stepper->advance(state, sequence.frame_time / steps, steps);
        const Eigen::Map<const Rows<float, 3>> truth(sequence.frame(f), sequence.vertex_count(), 3);
        double distance = 0;
        for (size_t v = 0; v < coarse.fine_vertices.size(); ++v)
            distance +=
                (state.positions.row(static_cast<long>(v)) - truth.row(coarse.fine_vertices[v]).cast<double>()).norm();
        sum += distance / static_cast<double>(coarse.fine_vertices.size());
    }
    return sum / static_cast<double>(frames);
}

}  // namespace

double coarse_error(const Sequences& sequences, const CalibrateSettings& settings, const Calibration& calibration) {
    std::vector<double> errors(sequences.size());
    parallel_tasks(static_cast<long>(sequences.size()), [&](long i) {
        const auto index = static_cast<size_t>(i);
        try {
            errors[index] = sequence_error(*sequences[index], settings, calibration);
        } catch (const physics::Divergence&) {
            errors[index] = 1e3;  // [m] a cloth that flies apart is as bad as can be
        }
    });
    return std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size());
}

CalibrateReport calibrate(const Sequences& sequences, const CalibrateSettings& settings) {
    CalibrateReport report{.error_before = coarse_error(sequences, settings, {})};
    bool stopped = false;
    const auto f = [&](const VectorX& x) {
        if (stopped) return 1e9;
        const double error = coarse_error(sequences, settings, from_logarithms(x));
        ++report.evaluations;
        if (settings.on_evaluation) stopped = !settings.on_evaluation(report.evaluations, settings.evaluations);
        // Far from the law a multiplier is a fluke of these sequences.
        return error * (1 + 0.01 * x.squaredNorm());
    };
    const numerics::NelderMeadResult best = numerics::minimise_nelder_mead(
        f, to_logarithms(settings.law.calibration),
        {.first_step = 0.25, .max_evaluations = settings.evaluations, .tolerance = 5e-3});
    report.calibration = from_logarithms(best.x);
    report.error_after = coarse_error(sequences, settings, report.calibration);
    return report;
}

}  // namespace tulle::scene

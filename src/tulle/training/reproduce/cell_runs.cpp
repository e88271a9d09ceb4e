// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/reproduce/cell_runs.h"

#include "tulle/core/error.h"
#include "tulle/core/timer.h"
#include "tulle/methods/force_cell/cell_design.h"
#include "tulle/methods/force_cell/force_cell_stepper.h"
#include "tulle/physics/incidence.h"
#include "tulle/physics/solvers/solver.h"
#include "tulle/scene/build.h"
#include "tulle/scene/families/force_cell/force_cell_family.h"
#include "tulle/scene/sweep.h"
#include "tulle/training/torch_force_cell.h"
#include "tulle/training/train_recipe.h"
#include "tulle/workflows/generate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle::training {

namespace fs = std::filesystem;

namespace {

scene::Overrides material(double damping) {
    scene::Overrides overrides;
    for (const char* kind : {"stretch", "shear", "bend"})
        overrides.push_back(fmt::format("cloth.{}.damping={}", kind, damping));
    return overrides;
}

fs::path scene_file(const Reproduction& run, const std::string& name) {
    return run.project() / "scenes" / (name + ".toml");
}

// One sequence, or those of a sweep, made unless they are there.
DataSource source_of(Reproduction& run, const std::string& name, const std::string& sweep, int n, datasets::Part part) {
    const std::string folder = fmt::format("force-cell-{}-{}-{}", name, sweep.empty() ? "alone" : "others", n);
    DataSource source{.folder = (run.quick() ? run.output() : run.project()) / "data" / folder,
                      .scene = scene_file(run, name),
                      .sweep = {},
                      .part = part};
    const scene::Overrides overrides = cell_overrides(name, n);
    scene::Sweep made = sweep.empty() ? single_sequence(scene::load_scene(source.scene, overrides))
                                      : scene::load_sweep(run.project() / "models" / (sweep + ".sweep.toml"));
    made.frames = run.frames(100);
    const auto report = workflows::generate(
        made, {.scene = source.scene,
               .folder = source.folder,
               .overrides = overrides,
               .jobs = 0,
               .on_frame = [&](long done, long total) {
                   run.progress("generating " + folder, static_cast<double>(done) / static_cast<double>(total));
                   return true;
               }});
    if (report.stopped) throw Error("stopped");
    return source;
}

class InPlace final : public physics::Stepper {
public:
    InPlace(const physics::ClothModel& model, const physics::World& world)
        : model_(model),
          world_(world),
          outside_(physics::make_forces(world, model)),
          springs_around_(model.springs.edges, model.vertex_count()),
          pinned_(model.pinned()) {}

    physics::StepReport advance(physics::ClothState& state, double dt, int steps) override {
        for (int i = 0; i < steps; ++i) step(state, dt);
        return {};
    }

private:
    void step(physics::ClothState& state, double dt) const {
        Forces outside = Forces::Zero(state.positions.rows(), 3);
        for (const auto& force : outside_) force->add_to(outside, state);
        const double kept = std::exp(-world_.drag_rate * dt);
        for (long v = 0; v < state.positions.rows(); ++v) {
            if (pinned_[static_cast<size_t>(v)]) continue;
            const Eigen::RowVector3d force = outside.row(v) + pull_at(state, v);
            state.velocities.row(v) = kept * (state.velocities.row(v) + dt * force / model_.masses(v));
        }
        state.positions += dt * state.velocities;
        state.time += dt;
    }

    Eigen::RowVector3d pull_at(const physics::ClothState& state, long vertex) const {
        const physics::Springs& springs = model_.springs;
        Eigen::RowVector3d sum = Eigen::RowVector3d::Zero();
        for (const auto& [e, corner] : springs_around_.around(vertex)) {
            const int other = springs.edges(e, 1 - corner);
            const Eigen::RowVector3d d = state.positions.row(other) - state.positions.row(vertex);
            const Eigen::RowVector3d w = state.velocities.row(other) - state.velocities.row(vertex);
            const double length = d.norm();
            sum +=
                (springs.stiffness(e) * (length - springs.rest_lengths(e)) + springs.damping(e) * w.dot(d) / length) *
                d / length;
        }
        return sum;
    }

    const physics::ClothModel& model_;
    const physics::World& world_;
    physics::ForceList outside_;
    physics::Incidence springs_around_;
    std::vector<bool> pinned_;
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

}  // namespace

scene::Overrides cell_overrides(const std::string& name, int n) {
    const double width = (n - 1.0) / n;
    const bool is_ball = name.starts_with("ball");
    scene::Overrides overrides = material((is_ball ? 1e4 : 3e4) / n);
    overrides.insert(overrides.end(), {fmt::format("cloth.rows={}", n), fmt::format("cloth.columns={}", n),
                                       fmt::format("cloth.width={}", width), fmt::format("cloth.height={}", width),
                                       fmt::format("time.frame_rate={}", n / (0.04 * cell_steps_per_frame)),
                                       fmt::format("solver.mass_spring.steps_per_frame={}", cell_steps_per_frame)});
    if (!is_ball) overrides.push_back(fmt::format("cloth.origin=[{},0.0,{}]", -width / 2, -width / 2));
    if (is_ball) overrides.push_back(fmt::format("colliders.0.contact_drag={}", -std::log(0.95) * n / 0.04));
    if (n < 100) {
        const double mass = std::pow(128.0 / n, 2);
        overrides.push_back(fmt::format("cloth.mass={}", mass));
    }
    return overrides;
}

scene::Scene cell_scene(const Reproduction& run, const std::string& name, int n, const scene::Overrides& more) {
    scene::Overrides overrides = cell_overrides(name, n);
    overrides.insert(overrides.end(), more.begin(), more.end());
    return scene::load_scene(scene_file(run, name), overrides);
}

scene::Overrides taught_material(int n) {
    scene::Overrides overrides = material(3e4 / n);
    for (const char* kind : {"stretch", "shear", "bend"})
        overrides.push_back(fmt::format("cloth.{}.stiffness=10000", kind));
    overrides.emplace_back("forces.drag=3");
    return overrides;
}

CellTrialResult train_cell(Reproduction& run, const CellTrial& trial, int n) {
    const bool with_pressure = trial.scene == "blow-up";
    Recipe recipe{.source = "reproduce", .method = "force_cell", .name = trial.scene};
    recipe.course = std::make_unique<scene::ForceCellCourse>(trial.course);
    recipe.data = {
        source_of(run, trial.scene, "", n, datasets::Part::Training),
        source_of(run, trial.scene, with_pressure ? "blow-up" : "pinned-fall-thrown", n, datasets::Part::Validation),
        source_of(run, with_pressure ? "pinned-fall" : "blow-up", "", n, datasets::Part::Test)};
    recipe.output = run.output() / "caches" / fmt::format("{}.safetensors", trial.name);
    recipe.training = {.learning_rate = 1e-2,
                       .final_learning_rate = 1e-7,
                       .schedule = Schedule::StepCosine,
                       .batch = 1024,
                       .samples_per_epoch = run.quick() ? 16384 : 65536,
                       .epochs = run.quick() ? 20 : 40};
    fs::create_directories(recipe.output.parent_path());
    const TrainRecipeReport report = train_recipe(recipe, {.on_progress = [&](const RecipeProgress& now) {
                                                      run.progress(trial.name + ": " + now.stage, now.fraction);
                                                      return true;
                                                  }});
    if (!report.diverged.empty()) throw Error("{}: {}", trial.name, report.diverged);
    CellTrialResult result{.model = methods::load_force_cell(recipe.output),
                           .parameters = plain_parameters(trial.course.design).count(),
                           .minutes = report.card.training_minutes,
                           .one_step_error = report.card.test_error.at("one_step_relative"),
                           .history = {}};
    for (const char* round : {"cell", "corrections"})
        if (const auto found = report.networks.find(round); found != report.networks.end())
            for (EpochRecord record : found->second.history) {
                record.epoch = static_cast<int>(result.history.size()) + 1;
                result.history.push_back(record);
            }
    return result;
}

MakeStepper by_physics(bool reference) {
    return [reference](const scene::Scene&, const physics::ClothModel& model, const physics::World& world) {
        return physics::make_solver(model, world, physics::MassSpringSettings{.reference = reference});
    };
}

MakeStepper by_cell(const methods::ForceCellModel& model, bool reference) {
    return
        [model, reference](const scene::Scene& scene, const physics::ClothModel& cloth, const physics::World& world) {
            const scene::ReadyCell ready = make_ready(model, scene, cloth, model.part.time_step);
            return make_force_cell(cloth, world, methods::forces_outside(world, cloth), ready.cell,
                                   {.reference = reference, .note = {}});
        };
}

MakeStepper by_race() {
    return [](const scene::Scene&, const physics::ClothModel& model, const physics::World& world) {
        return std::make_unique<InPlace>(model, world);
    };
}

CellRun run_cell(const Reproduction& run, const std::string& what, const scene::Scene& scene,
                 const MakeStepper& make_stepper, int frames) {
    const physics::ClothModel model = make_model(scene);
    const physics::World world = make_world(scene);
    physics::ClothState state = initial_state(scene, model);
    const auto stepper = make_stepper(scene, model, world);
    const double dt = scene.time.frame_time() / cell_steps_per_frame;
    CellRun frames_run = {state.positions};
    for (int f = 0; f < run.frames(frames); ++f) {
        run.progress(fmt::format("{}, {}", scene.name, what), static_cast<double>(f) / run.frames(frames));
        try {
            if (state.positions.allFinite()) static_cast<void>(stepper->advance(state, dt, cell_steps_per_frame));
        } catch (const physics::Divergence&) {
            state.positions.setConstant(std::numeric_limits<double>::quiet_NaN());
        }
        frames_run.push_back(state.positions);
    }
    return frames_run;
}

CellErrors errors_of(const CellRun& truth, const CellRun& run) {
    CellErrors errors;
    double largest = 0;
    for (size_t f = 1; f < truth.size(); ++f) {
        const Positions difference = run[f] - truth[f];
        const double mean = difference.rowwise().norm().mean();
        largest = std::isfinite(mean) ? std::max(largest, difference.cwiseAbs().maxCoeff()) : mean;
        errors.by_size.push_back(mean);
        errors.by_displacement.push_back(mean / (truth[f] - truth[0]).rowwise().norm().mean());
        errors.largest.push_back(largest);
    }
    return errors;
}

CellSpeeds measure_speeds(const Reproduction& run, int n) {
    const scene::Scene scene = cell_scene(run, "pinned-fall", n);
    const physics::ClothModel cloth = make_model(scene);
    const physics::World world = make_world(scene);
    const double dt = 0.04 / n;
    const methods::ForceCell exact = methods::exact_cell(cloth, world.gravity, methods::CellDesign{}.softening);
    const auto physics = by_physics(false)(scene, cloth, world);
    const auto cell = make_force_cell(cloth, world, methods::forces_outside(world, cloth), exact, {});
    physics::ClothState by_physics_state = initial_state(scene, cloth), by_cell_state = by_physics_state,
                        by_torch_state = by_physics_state;
    const methods::CellGrid grid = methods::make_cell_grid(cloth);
    const int rounds = run.quick() ? 2 : 11, steps = run.quick() ? 20 : 1000, torch_steps = run.quick() ? 2 : 20;
    std::vector<double> physics_speeds, cell_speeds, torch_speeds;
    const auto measure = [](std::vector<double>& speeds, int count, const auto& work) {
        const Stopwatch watch;
        work();
        speeds.push_back(1000 * count / watch.milliseconds());
    };
    for (int round = 0; round < rounds; ++round) {
        run.progress("speed", static_cast<double>(round) / rounds);
        measure(physics_speeds, steps, [&] { static_cast<void>(physics->advance(by_physics_state, dt, steps)); });
        measure(cell_speeds, steps, [&] { static_cast<void>(cell->advance(by_cell_state, dt, steps)); });
        measure(torch_speeds, torch_steps, [&] {
            torch_cell_steps(exact, *cloth.grid, grid, dt, std::exp(-world.drag_rate * dt), torch_steps,
                             by_torch_state);
        });
    }
    return {.physics = median(physics_speeds), .cell = median(cell_speeds), .torch = median(torch_speeds)};
}

}  // namespace tulle::training

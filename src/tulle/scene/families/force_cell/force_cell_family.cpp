// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/force_cell/force_cell_family.h"

#include "tulle/core/error.h"
#include "tulle/methods/force_cell/force_cell_stepper.h"
#include "tulle/methods/force_cell/large_step_stepper.h"
#include "tulle/scene/families/families.h"
#include "tulle/scene/families/force_cell/force_cell_course.h"
#include "tulle/scene/families/force_cell/large_step_course.h"
#include "tulle/scene/find_weights.h"
#include "tulle/scene/table_reader.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace tulle::scene {

namespace {

// Its steps are those of the physics that taught it.
const Method physics_method = {.name = "mass_spring", .variant = {}};
const Method small_steps = {.name = "force_cell", .variant = {}};

// How many of the physics' steps a method takes at once: what its variant says.
int steps_at_once(const Method& method) { return method.variant.empty() ? 1 : std::stoi(method.variant); }

methods::ForceCellModel load_model(const Scene& scene, const Method& method) {
    const int steps = steps_at_once(method);
    const std::string file = steps == 1 ? "force-cell.safetensors" : fmt::format("force-cell-k{}.safetensors", steps);
    const std::filesystem::path& named = scene.force_cell.weights;
    methods::ForceCellModel model = methods::load_force_cell(
        named.empty() ? find_weights(scene.folder, {file}, "for " + method.to_string()) : named);
    const int taught = model.part.large_step ? model.part.large_step->steps : 1;
    if (taught != steps)
        throw Error("'{}' takes {} step{} at once; call it {}", model.source, taught, taught == 1 ? "" : "s",
                    taught == 1 ? "force_cell" : fmt::format("force_cell:{}", taught));
    return model;
}

}  // namespace

std::string ForceCellFamily::read_variant(const std::string& name, const std::string& variant) const {
    int steps = 0;
    const auto [end, error] = std::from_chars(variant.data(), variant.data() + variant.size(), steps);
    if (error != std::errc() || end != variant.data() + variant.size() || steps < 2 || steps > 64)
        throw Error("method '{}:{}': what follows the colon is how many small steps are taken at once, such as {}:8",
                    name, variant, name);
    return std::to_string(steps);
}

void ForceCellFamily::read_settings(TableReader&, TableReader& solver, Scene& scene) const {
    TableReader table = solver.table("force_cell");
    ForceCellSection& section = scene.force_cell;
    if (table.has("steps_per_frame"))
        section.steps_per_frame = table.integer("steps_per_frame", {.min = 1, .max = 1'000'000});
    if (table.has("weights")) section.weights = table.file("weights");
    section.reference = table.boolean("reference", section.reference);
    section.takes_scene_material =
        table.choice<bool>("material", {{"scene", true}, {"trained", false}}, section.takes_scene_material);
    table.finish();
}

std::unique_ptr<physics::Stepper> ForceCellFamily::make_stepper(const Run& run) const {
    const double dt = run.scene.time.frame_time() / steps_per_frame(run.scene, run.model, run.method);
    const methods::ForceCellModel model = load_model(run.scene, run.method);
    const ReadyCell ready = make_ready(model, run.scene, run.model, dt / steps_at_once(run.method));
    if (const auto& large_step = model.part.large_step) {
        require_taught(*large_step, dt);
        return methods::make_large_step(run.model, run.world, methods::forces_outside(run.world, run.model), ready.cell,
                                        *large_step, {.reference = run.scene.force_cell.reference, .note = ready.note});
    }
    return methods::make_force_cell(run.model, run.world, methods::forces_outside(run.world, run.model), ready.cell,
                                    {.reference = run.scene.force_cell.reference, .note = ready.note});
}

ReadyCell make_ready(const methods::ForceCellModel& model, const Scene& scene, const physics::ClothModel& cloth,
                     double dt) {
    ReadyCell ready{.cell = model.cell, .note = {}};
    const methods::TaughtMaterial wanted{.springs = methods::cell_material(cloth), .gravity = scene.gravity};
    std::vector<std::string> notes;
    if (!is_same(model.part.material, wanted)) {
        if (scene.force_cell.takes_scene_material) {
            ready.cell = carried_over(model.cell, model.part.material, wanted);
            notes.push_back(fmt::format(
                "'{}' was taught another material; what it learnt is scaled to the scene's by the laws of springs",
                model.source));
        } else {
            notes.push_back(fmt::format(
                "'{}' was taught another material, and keeps it; the scene's springs and gravity do not count",
                model.source));
        }
    }
    if (std::abs(dt / model.part.time_step - 1) > 1e-3)
        notes.push_back(fmt::format(
            "it was taught steps of {:.4g} s and takes steps of {:.4g} s: its forces are the same, but not its steps",
            model.part.time_step, dt));
    ready.note = fmt::format("{}", fmt::join(notes, "; "));
    return ready;
}

methods::ForceCell load_cell_for(const Scene& scene, const physics::ClothModel& cloth, double dt) {
    return make_ready(load_model(scene, small_steps), scene, cloth, dt).cell;
}

int ForceCellFamily::steps_per_frame(const Scene& scene, const physics::ClothModel& model, const Method& method) const {
    const int small = scene.force_cell.steps_per_frame
                          ? *scene.force_cell.steps_per_frame
                          : family_of(physics_method).steps_per_frame(scene, model, physics_method);
    const int at_once = steps_at_once(method);
    if (small % at_once != 0)
        throw Error("{} steps at once do not divide the {} small steps of a frame; set {} to a multiple", at_once,
                    small, steps_key(scene, method));
    return small / at_once;
}

std::string ForceCellFamily::steps_key(const Scene&, const Method&) const {
    return "solver.force_cell.steps_per_frame";
}

std::unique_ptr<Course> ForceCellFamily::read_course(TableReader& recipe, const std::string&,
                                                     const std::string& name) const {
    if (recipe.has("large_step")) return std::make_unique<LargeStepCourse>(read_large_step_course(recipe));
    return std::make_unique<ForceCellCourse>(read_force_cell_course(recipe, name));
}

void ForceCellFamily::check_card(const methods::ModelCard& card, const std::string& source) const {
    static_cast<void>(methods::parse_force_cell_card(card, source));
}

}  // namespace tulle::scene

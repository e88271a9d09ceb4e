// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/force_cell/force_cell_family.h"

#include "tulle/core/error.h"
#include "tulle/methods/force_cell/force_cell_stepper.h"
#include "tulle/scene/families/families.h"
#include "tulle/scene/families/force_cell/force_cell_course.h"
#include "tulle/scene/find_weights.h"
#include "tulle/scene/table_reader.h"

#include <fmt/format.h>

#include <cmath>

namespace tulle::scene {

namespace {

// Its steps are those of the physics that taught it.
const Method physics_method = {.name = "mass_spring", .variant = {}};

methods::ForceCellModel load_model(const Scene& scene) {
    const std::filesystem::path& named = scene.force_cell.weights;
    return methods::load_force_cell(
        named.empty() ? find_weights(scene.folder, {"force-cell.safetensors"}, "for force_cell") : named);
}

}  // namespace

std::string ForceCellFamily::read_variant(const std::string& name, const std::string& variant) const {
    throw Error("method '{}:{}': {} has no variants; write '{}'", name, variant, name, name);
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
    const ReadyCell ready = make_ready(load_model(run.scene), run.scene, run.model, dt);
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
    return make_ready(load_model(scene), scene, cloth, dt).cell;
}

int ForceCellFamily::steps_per_frame(const Scene& scene, const physics::ClothModel& model, const Method&) const {
    if (scene.force_cell.steps_per_frame) return *scene.force_cell.steps_per_frame;
    return family_of(physics_method).steps_per_frame(scene, model, physics_method);
}

std::string ForceCellFamily::steps_key(const Scene&, const Method&) const {
    return "solver.force_cell.steps_per_frame";
}

std::unique_ptr<Course> ForceCellFamily::read_course(TableReader& recipe, const std::string&,
                                                     const std::string& name) const {
    return std::make_unique<ForceCellCourse>(read_force_cell_course(recipe, name));
}

void ForceCellFamily::check_card(const methods::ModelCard& card, const std::string& source) const {
    static_cast<void>(methods::parse_force_cell_card(card, source));
}

}  // namespace tulle::scene

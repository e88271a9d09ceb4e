// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/garment/garment_family.h"

#include "tulle/core/error.h"
#include "tulle/methods/garment/garment_stepper.h"
#include "tulle/scene/build.h"
#include "tulle/scene/families/garment/garment_course.h"
#include "tulle/scene/families/garment/worn_garment.h"
#include "tulle/scene/find_weights.h"
#include "tulle/scene/table_reader.h"

namespace tulle::scene {

namespace {

methods::GarmentModel load_model(const Scene& scene) {
    const std::filesystem::path& named = scene.garment_method.weights;
    return methods::load_garment(
        named.empty() ? find_weights(scene.folder, {garment_weights_name(scene)}, "for garment") : named);
}

methods::GarmentFinish make_finish(const Run& run, const methods::GarmentModel& model) {
    const GarmentMethodSection& section = run.scene.garment_method;
    methods::GarmentFinish finish{.projection = nullptr, .mu = model.mu, .pushes_out = section.pushes_out};
    if (run.method.variant == "network") return finish;
    projections::ProjectionSettings settings = model.projection;
    if (section.tolerance && settings.quasistatics) settings.quasistatics->tolerance = *section.tolerance;
    if (section.tolerance && settings.inextensibility) settings.inextensibility->tolerance = *section.tolerance;
    finish.projection = projections::make_projection(cloth_to_project(run.model), settings);
    return finish;
}

}  // namespace

std::string GarmentFamily::read_variant(const std::string& name, const std::string& variant) const {
    if (variant != "network")
        throw Error("method '{}:{}': write '{}', or '{}:network' for the network without its projection", name, variant,
                    name, name);
    return variant;
}

void GarmentFamily::read_settings(TableReader&, TableReader& solver, Scene& scene) const {
    TableReader table = solver.table("garment");
    GarmentMethodSection& section = scene.garment_method;
    if (table.has("weights")) section.weights = table.file("weights");
    section.pushes_out = table.boolean("push_out", section.pushes_out);
    if (table.has("tolerance")) section.tolerance = table.number("tolerance", {.min = 1e-12, .max = 1});
    table.finish();
}

std::unique_ptr<physics::Stepper> GarmentFamily::make_stepper(const Run& run) const {
    const auto body = std::make_shared<const MovingBody>(wearer(run.scene));  // shared: std::function copies it
    const methods::GarmentModel model = load_model(run.scene);
    auto garment =
        std::make_unique<const methods::InferredGarment>(model, worn_garment(run.scene, *body), body->character());
    methods::WearersMotion motion{.pose_at = [body](double time) { return body->pose_at(time); },
                                  .to_world = body->to_world()};
    return std::make_unique<methods::GarmentStepper>(std::move(garment), std::move(motion), make_finish(run, model),
                                                     run.model, run.world);
}

std::string GarmentFamily::advice(const Scene&, const Method&) const {
    return "its network has not learnt such a pose; train it on more poses";
}

std::unique_ptr<Course> GarmentFamily::read_course(TableReader& recipe, const std::string&,
                                                   const std::string& name) const {
    return std::make_unique<GarmentCourse>(read_garment_course(recipe, name));
}

void GarmentFamily::check_card(const methods::ModelCard& card, const std::string& source) const {
    methods::check_garment_card(card, source);
}

}  // namespace tulle::scene

// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/garment/garment_course.h"
#include "tulle/scene/table_reader.h"

namespace tulle::scene {

namespace {

void read_image(TableReader table, neural::ImageNetworkSizes& sizes) {
    if (table.has("channels")) {
        sizes.channels = table.integers("channels", {.min = 1, .max = 4096});
        if (sizes.channels.empty() || sizes.channels.size() > 6)
            table.fail("channels", "must list 1 to 6 numbers: each image is twice as large as the one before");
        sizes.channels.push_back(methods::PatternImage::channels);
    }
    sizes.first_height = table.integer("first_height", {.min = 1, .max = 64, .fallback = sizes.first_height});
    sizes.first_width = table.integer("first_width", {.min = 1, .max = 64, .fallback = sizes.first_width});
    table.finish();
}

void read_loss(TableReader table, methods::GarmentLoss& loss) {
    loss.image = table.number("image", {.min = 0, .max = 1e6, .fallback = loss.image});
    loss.normals = table.number("normals", {.unit = "mm²", .min = 0, .max = 1e9, .fallback = loss.normals});
    table.finish();
}

void read_inextensible(TableReader& table, GarmentCourseSettings& course) {
    projections::InextensibilitySettings settings;
    settings.stretch = table.number("epsilon", {.min = 0, .max = 10, .fallback = settings.stretch});
    settings.tolerance = table.number("tolerance", {.min = 1e-12, .max = 1, .fallback = 1e-4});
    table.exclude({"mu", "learn_mu", "mu_rate", "bending", "axial"}, "is for quasistatic layers");
    course.projection.inextensibility = settings;
}

void read_quasistatic(TableReader& table, GarmentCourseSettings& course) {
    using methods::LearntMu;
    projections::QuasistaticsSettings settings;
    settings.mu = table.number("mu", {.max = 1e6, .positive = true, .fallback = settings.mu});
    settings.tolerance = table.number("tolerance", {.min = 1e-12, .max = 1, .fallback = 1e-3});
    settings.adjoint_tolerance = settings.tolerance;
    settings.material.bending = table.number("bending", {.min = 0, .max = 1e6, .fallback = settings.material.bending});
    settings.material.axial = table.number("axial", {.min = 0, .max = 1e6, .fallback = settings.material.axial});
    course.learnt_mu = table.choice<LearntMu>(
        "learn_mu", {{"no", LearntMu::No}, {"global", LearntMu::Global}, {"vertex", LearntMu::Vertex}}, LearntMu::No);
    course.mu_rate = table.number("mu_rate", {.max = 1e6, .positive = true, .fallback = course.mu_rate});
    table.exclude({"epsilon"}, "is for inextensible layers");
    course.projection.quasistatics = settings;
}

void read_layer(TableReader table, GarmentCourseSettings& course) {
    const auto kind = table.text("kind", "none");
    if (kind == "inextensible")
        read_inextensible(table, course);
    else if (kind == "quasistatic")
        read_quasistatic(table, course);
    else if (kind != "none")
        table.fail("kind", "must be 'none', 'inextensible' or 'quasistatic'");
    table.finish();
}

}  // namespace

GarmentCourseSettings read_garment_course(TableReader& recipe, const std::string& name) {
    GarmentCourseSettings course{.name = name};
    if (recipe.has("start")) course.start = recipe.file("start");
    using methods::JointRotations;
    course.rotations = recipe.choice<JointRotations>(
        "rotations", {{"from_root", JointRotations::FromRoot}, {"from_parent", JointRotations::FromParent}},
        course.rotations);
    if (!course.start.empty()) recipe.exclude({"rotations"}, "is that of the weights to start with");
    course.mirror = recipe.boolean("mirror", course.mirror);
    read_image(recipe.table("image"), course.sizes);
    read_loss(recipe.table("loss"), course.loss);
    read_layer(recipe.table("layer"), course);
    course.seed = recipe.table("training").seed("seed", course.seed);
    return course;
}

}  // namespace tulle::scene

// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/garment_model.h"

#include "tulle/core/error.h"
#include "tulle/methods/family_part.h"
#include "tulle/methods/garment/pattern_image.h"
#include "tulle/neural/image_tensors.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>

namespace tulle::methods {

using nlohmann::json;

namespace {

// The family's part of a card.
struct GarmentCard {
    std::vector<std::string> joints;
    JointRotations rotations = JointRotations::FromRoot;
    std::array<int, 2> image{};  // height and width [pixels]
    double offset_scale = 1;
    projections::ProjectionSettings projection;
};

projections::ProjectionSettings read_projection(const json& part) {
    projections::ProjectionSettings settings;
    if (part.contains("quasistatic")) {
        const json& quasistatic = part.at("quasistatic");
        settings.quasistatics = {
            .mu = quasistatic.at("mu"),
            .material = {.bending = quasistatic.at("bending"), .axial = quasistatic.at("axial")},
            .tolerance = quasistatic.at("tolerance"),
        };
    }
    if (part.contains("inextensible")) {
        const json& limits = part.at("inextensible");
        settings.inextensibility = {
            .stretch = limits.at("stretch"), .compression = {}, .tolerance = limits.at("tolerance")};
    }
    return settings;
}

json to_json(const projections::ProjectionSettings& settings) {
    json part = json::object();
    if (const auto& quasistatic = settings.quasistatics)
        part["quasistatic"] = {{"mu", quasistatic->mu},
                               {"bending", quasistatic->material.bending},
                               {"axial", quasistatic->material.axial},
                               {"tolerance", quasistatic->tolerance}};
    if (const auto& limits = settings.inextensibility)
        part["inextensible"] = {{"stretch", limits->stretch}, {"tolerance", limits->tolerance}};
    return part;
}

void check_projection(const projections::ProjectionSettings& settings) {
    const auto require = [](double value, double low, double high, const char* name) {
        if (!(value >= low && value <= high)) throw Error("its {} is {}", name, value);
    };
    if (const auto& quasistatic = settings.quasistatics) {
        require(quasistatic->mu, 1e-12, 1e9, "mu");
        require(quasistatic->material.bending, 0, 1e9, "bending");
        require(quasistatic->material.axial, 0, 1e9, "axial");
        require(quasistatic->tolerance, 1e-12, 1, "tolerance");
    }
    if (const auto& limits = settings.inextensibility) {
        require(limits->stretch, 0, 1e6, "stretch");
        require(limits->tolerance, 1e-12, 1, "tolerance");
    }
}

const char* name_of(JointRotations rotations) {
    return rotations == JointRotations::FromRoot ? "from_root" : "from_parent";
}

// Older files do not say it.
JointRotations read_rotations(const json& part) {
    const std::string name = part.value("rotations", name_of(JointRotations::FromParent));
    for (const JointRotations rotations : {JointRotations::FromParent, JointRotations::FromRoot})
        if (name == name_of(rotations)) return rotations;
    throw Error("its rotations are '{}'", name);
}

void check(const GarmentCard& card) {
    if (card.joints.empty() || card.joints.size() > 1000) throw Error("it lists {} joints", card.joints.size());
    if (!(card.offset_scale > 0 && card.offset_scale < 1e3)) throw Error("its offset_scale is {} m", card.offset_scale);
    for (const int pixels : card.image)
        if (pixels < 2 || pixels > 4096) throw Error("its image has {} pixels to a side", pixels);
    check_projection(card.projection);
}

GarmentCard parse_garment_card(const ModelCard& card, const std::string& source) {
    return read_family_part(card, source, [](const json& text) {
        const GarmentCard part{.joints = text.at("joints"),
                               .rotations = read_rotations(text),
                               .image = text.at("image"),
                               .offset_scale = text.at("offset_scale"),
                               .projection = read_projection(text.at("projection"))};
        check(part);
        return part;
    });
}

Positions take_positions(neural::TensorTaker& taker, const std::string& name, const std::string& source) {
    const neural::Weights rows = taker.take_matrix(name);
    if (rows.cols() != 3) throw Error("{}: tensor '{}' has {} columns, not 3", source, name, rows.cols());
    return rows.cast<double>();
}

neural::Tensor tensor_of(const Positions& rows) { return neural::tensor_of(neural::Weights(rows.cast<float>())); }

}  // namespace

void check_garment_card(const ModelCard& card, const std::string& source) {
    static_cast<void>(parse_garment_card(card, source));
}

void check(const GarmentModel& model) {
    const auto require = [&](bool is_sound, const std::string& problem) {
        if (!is_sound) throw Error("'{}' {}; train it again", model.source, problem);
    };
    neural::check(model.network, model.source);
    const long inputs = inputs_per_joint * static_cast<long>(model.joints.size());
    require(model.network.input_size() == inputs, fmt::format("has {} inputs, but {} joints need {}",
                                                              model.network.input_size(), model.joints.size(), inputs));
    require(model.network.channels() == PatternImage::channels,
            fmt::format("makes images of {} channels, not {}", model.network.channels(), PatternImage::channels));
    require(model.input_low.size() == inputs && model.input_high.size() == inputs,
            "does not tell the range of each of its inputs");
    require((model.input_low.array() <= model.input_high.array()).all(), "has an input whose range is empty");
    const long vertices = model.mean_offsets.rows();
    require(vertices > 0 && model.rest_places.rows() == vertices, "has not as many places as offsets");
    require(model.mean_offsets.allFinite() && model.rest_places.allFinite(), "has a number that is not finite");
    const bool fits = model.mu.size() == vertices && model.projection.quasistatics && model.mu.allFinite();
    require(model.mu.size() == 0 || (fits && model.mu.minCoeff() > 0),
            "has values of mu that are not positive, not of its vertices or not of its projection");
}

GarmentModel load_garment(const std::filesystem::path& file) {
    neural::WeightsFile weights = neural::read_weights(file);
    GarmentModel model{.source = file.string(), .card = parse_card(weights.card, file.string())};
    if (model.card.method != "garment")
        throw Error("'{}' was trained for the {} method, not for garment", model.source, model.card.method);
    const GarmentCard part = parse_garment_card(model.card, model.source);
    model.joints = part.joints;
    model.rotations = part.rotations;
    model.offset_scale = part.offset_scale;
    model.projection = part.projection;
    neural::TensorTaker taker(std::move(weights));
    model.network = neural::take_image_network(taker, part.image[0], part.image[1], model.source);
    model.input_low = taker.take_vector("input_low");
    model.input_high = taker.take_vector("input_high");
    model.mean_offsets = take_positions(taker, "mean_offsets", model.source);
    model.rest_places = take_positions(taker, "rest_places", model.source);
    if (taker.has("mu")) model.mu = taker.take_vector("mu").cast<double>();
    taker.check_nothing_is_left();
    check(model);
    return model;
}

void save_garment(const std::filesystem::path& file, const GarmentModel& model) {
    check(model);
    ModelCard card = model.card;
    card.family = json{{"joints", model.joints},
                       {"rotations", name_of(model.rotations)},
                       {"image", {model.network.height(), model.network.width()}},
                       {"offset_scale", model.offset_scale},
                       {"projection", to_json(model.projection)}}
                      .dump();
    neural::WeightsFile weights{.source = {}, .card = methods::to_json(card), .tensors = {}};
    neural::add_tensors(model.network, weights);
    weights.tensors["input_low"] = neural::tensor_of(model.input_low);
    weights.tensors["input_high"] = neural::tensor_of(model.input_high);
    weights.tensors["mean_offsets"] = tensor_of(model.mean_offsets);
    weights.tensors["rest_places"] = tensor_of(model.rest_places);
    if (model.mu.size() > 0) weights.tensors["mu"] = neural::tensor_of(Eigen::VectorXf(model.mu.cast<float>()));
    neural::write_weights(file, weights);
}

}  // namespace tulle::methods

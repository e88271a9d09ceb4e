// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/force_cell_model.h"

#include "tulle/core/error.h"
#include "tulle/methods/family_part.h"
#include "tulle/neural/weights_file.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <span>

namespace tulle::methods {

using neural::Tensor;
using nlohmann::json;

namespace {

template <size_t Count>
std::array<double, Count> read_numbers(const json& list) {
    if (list.size() != Count) throw Error("it has a list of {} numbers, not {}", list.size(), Count);
    std::array<double, Count> numbers{};
    for (size_t i = 0; i < Count; ++i) numbers[i] = list.at(i).get<double>();
    return numbers;
}

std::optional<LargeStep> read_large_step(const json& card) {
    if (!card.contains("large_step")) return {};
    const json& large_step = card.at("large_step");
    return LargeStep{
        .steps = large_step.at("steps"), .time_step = large_step.at("time_step"), .all_ways = {}, .across = {}};
}

ForceCellCard read(const json& card) {
    const json& springs = card.at("springs");
    const std::array<double, 3> gravity = read_numbers<3>(card.at("gravity"));
    return {
        .activation = parse_cell_activation(card.at("activation")),
        .softening = card.at("softening"),
        .time_step = card.at("time_step"),
        .material = {.springs = {.stiffness = read_numbers<physics::stencil_directions>(springs.at("stiffness")),
                                 .rest_lengths = read_numbers<physics::stencil_directions>(springs.at("rest_lengths")),
                                 .damping = read_numbers<physics::stencil_directions>(springs.at("damping"))},
                     .gravity = Vector3(gravity[0], gravity[1], gravity[2])},
        .large_step = read_large_step(card)};
}

void check(const ForceCellCard& card) {
    if (!(card.softening >= 0 && card.softening < 1e6)) throw Error("its softening is {} m²", card.softening);
    if (!(card.time_step > 0 && card.time_step < 1e3)) throw Error("its time step is {} s", card.time_step);
    for (size_t i = 0; i < physics::stencil_directions; ++i)
        if (card.material.springs.stiffness[i] < 0 || card.material.springs.rest_lengths[i] < 0 ||
            card.material.springs.damping[i] < 0)
            throw Error("its springs have a negative value");
    if (!card.large_step) return;
    const LargeStep& large_step = *card.large_step;
    if (large_step.steps < 2 || large_step.steps > 64) throw Error("its large step is {} small ones", large_step.steps);
    if (!(std::abs(large_step.time_step / (large_step.steps * card.time_step) - 1) < 1e-6))
        throw Error("its large step is {} s, not {} steps of {} s", large_step.time_step, large_step.steps,
                    card.time_step);
}

Tensor tensor_of(std::span<const double> values) {
    return {{static_cast<std::int64_t>(values.size())}, {}, {values.begin(), values.end()}};
}
Tensor tensor_of_vector(const VectorX& values) {
    return tensor_of(std::span<const double>(values.data(), static_cast<size_t>(values.size())));
}

void read_tensor(const neural::WeightsFile& file, const std::string& name, std::span<double> values) {
    const auto found = file.tensors.find(name);
    if (found == file.tensors.end()) throw Error("{}: tensor '{}' is missing", file.source, name);
    const Tensor& tensor = found->second;
    if (tensor.doubles.size() != values.size() || tensor.shape.size() != 1)
        throw Error("{}: tensor '{}' must be {} numbers of type F64", file.source, name, values.size());
    std::copy(tensor.doubles.begin(), tensor.doubles.end(), values.begin());
}

VectorX read_polynomial(const neural::WeightsFile& file, const std::string& name) {
    const auto found = file.tensors.find(name);
    const size_t size = found == file.tensors.end() ? 0 : found->second.doubles.size();
    if (size < 3 || size > 100) throw Error("{}: tensor '{}' must be 3 to 100 numbers of type F64", file.source, name);
    VectorX polynomial(static_cast<long>(size));
    read_tensor(file, name, {polynomial.data(), size});
    return polynomial;
}

void read_polynomials(const neural::WeightsFile& file, LargeStep& large_step) {
    large_step.all_ways = read_polynomial(file, "all_ways");
    large_step.across = read_polynomial(file, "across");
}

}  // namespace

std::string to_json(const ForceCellCard& card) {
    const physics::StencilMaterial& springs = card.material.springs;
    const Vector3& gravity = card.material.gravity;
    json result = {
        {"activation", to_string(card.activation)},
        {"softening", card.softening},
        {"time_step", card.time_step},
        {"gravity", {gravity.x(), gravity.y(), gravity.z()}},
        {"springs",
         {{"stiffness", springs.stiffness}, {"rest_lengths", springs.rest_lengths}, {"damping", springs.damping}}}};
    if (const auto& large_step = card.large_step)
        result["large_step"] = {{"steps", large_step->steps}, {"time_step", large_step->time_step}};
    return result.dump();
}

ForceCellCard parse_force_cell_card(const ModelCard& card, const std::string& source) {
    return read_family_part(card, source, [](const json& text) {
        const ForceCellCard part = read(text);
        check(part);
        return part;
    });
}

ForceCellModel load_force_cell(const std::filesystem::path& file) {
    const neural::WeightsFile weights = neural::read_weights(file);
    ForceCellModel model{
        .source = file.string(), .card = parse_card(weights.card, file.string()), .part = {}, .cell = {}};
    if (model.card.method != "force_cell")
        throw Error("'{}' was trained for the {} method, not for force_cell", model.source, model.card.method);
    model.part = parse_force_cell_card(model.card, model.source);
    model.cell.activation = model.part.activation;
    model.cell.softening = model.part.softening;
    read_tensor(weights, "scales", model.cell.scales);
    read_tensor(weights, "linear", model.cell.linear);
    read_tensor(weights, "nonlinear", model.cell.nonlinear);
    read_tensor(weights, "derivative", model.cell.derivative);
    read_tensor(weights, "bias", {model.cell.bias.data(), 3});
    if (model.part.large_step) read_polynomials(weights, *model.part.large_step);
    return model;
}

void save_force_cell(const std::filesystem::path& file, const ForceCellModel& model) {
    ModelCard card = model.card;
    card.family = to_json(model.part);
    neural::WeightsFile weights{.source = {},
                                .card = to_json(card),
                                .tensors = {{"scales", tensor_of(model.cell.scales)},
                                            {"linear", tensor_of(model.cell.linear)},
                                            {"nonlinear", tensor_of(model.cell.nonlinear)},
                                            {"derivative", tensor_of(model.cell.derivative)},
                                            {"bias", tensor_of({model.cell.bias.data(), 3})}}};
    if (const auto& large_step = model.part.large_step) {
        weights.tensors["all_ways"] = tensor_of_vector(large_step->all_ways);
        weights.tensors["across"] = tensor_of_vector(large_step->across);
    }
    neural::write_weights(file, weights);
}

}  // namespace tulle::methods

// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/network_tensors.h"

#include "tulle/core/error.h"
#include "tulle/neural/strict_json.h"
#include "tulle/neural/tensor_taker.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace tulle::neural {

namespace {

using Json = nlohmann::ordered_json;

Activation read_activation(const std::string& card, const std::string& source) {
    const Json json = parse_strict_json(card, source, "the model card");
    const auto found = json.find("activation");
    if (found == json.end() || !found->is_string())
        throw Error("{}: the model card does not name an activation", source);
    const std::string name = found->get<std::string>();
    if (name != "relu" && name != "leaky_relu")
        throw Error("{}: the model card names the activation '{}'; only relu and leaky_relu are known", source,
                    shown(name));
    return parse_activation(name);
}

// Names of networks become parts of file names, so that nothing that could lead elsewhere is let in.
void check_network_name(const std::string& name, const std::string& source) {
    const auto is_fine = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
               c == '-';
    };
    if (name.empty() || name.size() > 100 || name.front() == '.' || !std::ranges::all_of(name, is_fine))
        throw Error("{}: '{}' is no name for a network; use letters, digits, '.', '_' and '-'", source, shown(name));
}

// The networks of which there is at least one tensor of the first layer.
std::vector<std::string> network_names(const WeightsFile& file) {
    static const std::string suffix = ".layers.0.weight";
    std::vector<std::string> names;
    for (const auto& [name, tensor] : file.tensors)
        if (name.ends_with(suffix)) names.push_back(name.substr(0, name.size() - suffix.size()));
    return names;
}

Network take_network(TensorTaker& taker, const std::string& name, Activation activation) {
    Network network;
    network.activation = activation;
    for (int k = 0; k == 0 || taker.has(fmt::format("{}.layers.{}.weight", name, k)); ++k) {
        const std::string layer = fmt::format("{}.layers.{}", name, k);
        network.layers.push_back({taker.take_matrix(layer + ".weight"), taker.take_vector(layer + ".bias")});
    }
    network.normalisation = {taker.take_vector(name + ".input_mean"), taker.take_vector(name + ".input_scale"),
                             taker.take_vector(name + ".output_mean"), taker.take_vector(name + ".output_scale")};
    return network;
}

void add_tensors(const std::string& name, const Network& network, WeightsFile& file) {
    for (size_t k = 0; k < network.layers.size(); ++k) {
        const std::string layer = fmt::format("{}.layers.{}", name, k);
        file.tensors[layer + ".weight"] = tensor_of(network.layers[k].weights);
        file.tensors[layer + ".bias"] = tensor_of(network.layers[k].bias);
    }
    file.tensors[name + ".input_mean"] = tensor_of(network.normalisation.input_mean);
    file.tensors[name + ".input_scale"] = tensor_of(network.normalisation.input_scale);
    file.tensors[name + ".output_mean"] = tensor_of(network.normalisation.output_mean);
    file.tensors[name + ".output_scale"] = tensor_of(network.normalisation.output_scale);
}

// The card with the activation in it, which all networks of a model share.
std::string complete_card(const Model& model, const std::string& source) {
    Json json = parse_strict_json(model.card, source, "the model card");
    const std::string activation = to_string(model.networks.begin()->second.activation);
    for (const auto& [name, network] : model.networks)
        if (to_string(network.activation) != activation)
            throw Error("{}: the networks of a model must share one activation", source);
    const auto found = json.find("activation");
    if (found != json.end() && *found != activation)
        throw Error("{}: the model card names another activation than '{}' of the networks", source, activation);
    if (found != json.end()) return model.card;
    json["activation"] = activation;
    return json.dump();
}

}  // namespace

Model model_of(WeightsFile file) {
    const std::string source = file.source;
    const std::string card = file.card;
    const std::vector<std::string> names = network_names(file);
    TensorTaker taker(std::move(file));
    if (names.empty()) throw Error("{}: there is no dense network in it", source);
    const Activation activation = read_activation(card, source);
    Model model{.card = card, .networks = {}};
    for (const std::string& name : names) {
        check_network_name(name, source);
        const Network& network = model.networks[name] = take_network(taker, name, activation);
        check(network, fmt::format("{}, network '{}'", source, name));
    }
    taker.check_nothing_is_left();
    return model;
}

Model parse_model(std::span<const std::byte> bytes, const std::string& source) {
    return model_of(parse_weights(bytes, source));
}

Model read_model(const std::filesystem::path& path) { return model_of(read_weights(path)); }

void write_model(const std::filesystem::path& path, const Model& model) {
    const std::string source = path.string();
    if (model.networks.empty()) throw Error("cannot write '{}': the model has no network", source);
    WeightsFile file{.source = source, .card = complete_card(model, source), .tensors = {}};
    for (const auto& [name, network] : model.networks) {
        check_network_name(name, source);
        check(network, fmt::format("{}, network '{}'", source, name));
        add_tensors(name, network, file);
    }
    write_weights(path, file);
}

}  // namespace tulle::neural

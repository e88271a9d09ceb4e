// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/weights_file.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/neural/safetensors.h"
#include "tulle/neural/strict_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>

namespace tulle::neural {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uintmax_t largest_file = std::uintmax_t{2} << 30;
constexpr const char* format_name = "tulle-model";
constexpr const char* format_version = "1";

std::vector<std::byte> read_bytes(const fs::path& path) {
    std::error_code code;
    if (!fs::exists(path, code)) throw Error("there is no weights file '{}'", path.string());
    if (!fs::is_regular_file(path, code)) throw Error("'{}' is not a file; give a weights file", path.string());
    const std::uintmax_t size = fs::file_size(path, code);
    if (code) throw Error("cannot read '{}': {}", path.string(), code.message());
    if (size > largest_file)
        throw Error("'{}' has {} bytes; weights files of more than {} are refused", path.string(), size, largest_file);
    std::vector<std::byte> bytes(size);
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    if (!file) throw Error("cannot read '{}': {}", path.string(), std::strerror(errno));
    return bytes;
}

const std::string& metadata_text(const TensorFile& file, const std::string& key, const std::string& source) {
    const auto found = file.metadata.find(key);
    if (found == file.metadata.end())
        throw Error("{}: its metadata has no '{}'; it is not a model of tulle", source, key);
    return found->second;
}

void check_format(const TensorFile& file, const std::string& source) {
    const std::string& format = metadata_text(file, "format", source);
    if (format != format_name)
        throw Error("{}: is a '{}', not a {}; give a model that tulle has trained", source, shown(format), format_name);
    const std::string& version = metadata_text(file, "version", source);
    if (version != format_version)
        throw Error("{}: has format version '{}' but this program reads version {}; use the program that wrote it",
                    source, shown(version), format_version);
}

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

// Takes tensors out of a file one by one, so that what nobody asked for is left over.
class TensorTaker {
public:
    TensorTaker(TensorFile file, const std::string& source) : file_(std::move(file)), source_(source) {}

    // The networks of which there is at least one tensor of the first layer.
    std::vector<std::string> network_names() const {
        static const std::string suffix = ".layers.0.weight";
        std::vector<std::string> names;
        for (const auto& [name, tensor] : file_.tensors)
            if (name.ends_with(suffix)) names.push_back(name.substr(0, name.size() - suffix.size()));
        return names;
    }

    bool has(const std::string& name) const { return file_.tensors.contains(name); }

    Tensor take(const std::string& name, size_t dimensions) {
        const auto found = file_.tensors.find(name);
        if (found == file_.tensors.end()) throw Error("{}: tensor '{}' is missing", source_, shown(name));
        if (found->second.shape.size() != dimensions)
            throw Error("{}: tensor '{}' has {} dimensions, not {}", source_, shown(name), found->second.shape.size(),
                        dimensions);
        Tensor tensor = std::move(found->second);
        file_.tensors.erase(found);
        return tensor;
    }

    Weights take_matrix(const std::string& name) {
        const Tensor tensor = take(name, 2);
        check_sizes(tensor, name);
        return Eigen::Map<const Weights>(tensor.values.data(), tensor.shape[0], tensor.shape[1]);
    }

    Eigen::VectorXf take_vector(const std::string& name) {
        const Tensor tensor = take(name, 1);
        check_sizes(tensor, name);
        return Eigen::Map<const Eigen::VectorXf>(tensor.values.data(), tensor.shape[0]);
    }

    void check_nothing_is_left() const {
        if (!file_.tensors.empty())
            throw Error("{}: tensor '{}' belongs to no network", source_, shown(file_.tensors.begin()->first));
    }

private:
    // An empty tensor may have any other size, which no array could hold.
    void check_sizes(const Tensor& tensor, const std::string& name) const {
        if (tensor.values.empty()) throw Error("{}: tensor '{}' is empty", source_, shown(name));
    }

    TensorFile file_;
    const std::string& source_;
};

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

Tensor tensor_of(const Weights& weights) {
    return {{weights.rows(), weights.cols()}, {weights.data(), weights.data() + weights.size()}};
}

Tensor tensor_of(const Eigen::VectorXf& values) {
    return {{values.size()}, {values.data(), values.data() + values.size()}};
}

void add_tensors(const std::string& name, const Network& network, TensorFile& file) {
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
    Json card = parse_strict_json(model.card, source, "the model card");
    const std::string activation = to_string(model.networks.begin()->second.activation);
    for (const auto& [name, network] : model.networks)
        if (to_string(network.activation) != activation)
            throw Error("{}: the networks of a model must share one activation", source);
    const auto found = card.find("activation");
    if (found == card.end()) {
        card["activation"] = activation;
        return card.dump();
    }
    if (*found != activation)
        throw Error("{}: the model card names another activation than '{}' of the networks", source, activation);
    return model.card;
}

}  // namespace

Model parse_model(std::span<const std::byte> bytes, const std::string& source) {
    TensorFile file = parse_safetensors(bytes, source);
    check_format(file, source);
    Model model{metadata_text(file, "card", source), {}};
    const Activation activation = read_activation(model.card, source);
    TensorTaker taker(std::move(file), source);
    for (const std::string& name : taker.network_names()) {
        check_network_name(name, source);
        const Network& network = model.networks[name] = take_network(taker, name, activation);
        check(network, fmt::format("{}, network '{}'", source, name));
    }
    taker.check_nothing_is_left();
    if (model.networks.empty()) throw Error("{}: there is no network in it", source);
    return model;
}

Model read_model(const fs::path& path) { return parse_model(read_bytes(path), path.string()); }

void write_model(const fs::path& path, const Model& model) {
    const std::string source = path.string();
    if (model.networks.empty()) throw Error("cannot write '{}': the model has no network", source);
    TensorFile file;
    file.metadata = {{"format", format_name}, {"version", format_version}, {"card", complete_card(model, source)}};
    for (const auto& [name, network] : model.networks) {
        check_network_name(name, source);
        check(network, fmt::format("{}, network '{}'", source, name));
        add_tensors(name, network, file);
    }
    write_file(path, format_safetensors(file));
}

}  // namespace tulle::neural

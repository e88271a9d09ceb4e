// SPDX-License-Identifier: Apache-2.0
#include "apps/tulle/export_networks.h"
#include "apps/common/print_text.h"

#include "tulle/core/error.h"
#include "tulle/methods/garment/garment_model.h"
#include "tulle/neural/network_tensors.h"
#include "tulle/neural/onnx_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace tulle::app {

namespace fs = std::filesystem;

namespace {

void keep_only(const std::string& name, neural::Model& model, const fs::path& weights) {
    if (!model.networks.contains(name)) {
        std::vector<std::string> names;
        for (const auto& [other, network] : model.networks) names.push_back(other);
        throw Error("there is no network '{}' in '{}'; it has {}", name, weights.string(), fmt::join(names, ", "));
    }
    std::erase_if(model.networks, [&](const auto& entry) { return entry.first != name; });
}

void export_garment(const fs::path& weights, const std::string& card, const fs::path& output) {
    const neural::ImageNetwork network = methods::load_garment(weights).network;
    neural::write_onnx(output, network, card);
    print_text("{}: {}-{}x{}x{}\n", output.string(), network.input_size(), network.channels(), network.height(),
               network.width());
}

}  // namespace

void export_networks(const fs::path& weights, const std::string& network, fs::path output) {
    neural::WeightsFile file = neural::read_weights(weights);
    if (output.empty()) output = fs::path(weights).replace_extension(".onnx");
    if (output.extension() != ".onnx")
        throw Error("cannot write '{}': give a name that ends in .onnx", output.string());
    if (file.tensors.contains("dense.weight")) {  // what only image networks have
        if (!network.empty()) throw Error("'{}' has one network only; leave --network out", weights.string());
        export_garment(weights, file.card, output);
        return;
    }
    neural::Model model = neural::model_of(std::move(file));
    if (!network.empty()) keep_only(network, model, weights);
    for (const auto& [name, exported] : model.networks) {
        fs::path target = output;
        if (model.networks.size() > 1) target.replace_extension("." + name + ".onnx");
        neural::write_onnx(target, exported, model.card);
        print_text("{}: {}\n", target.string(), fmt::join(exported.sizes(), "-"));
    }
}

}  // namespace tulle::app

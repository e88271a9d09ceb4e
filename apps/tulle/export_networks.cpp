// SPDX-License-Identifier: Apache-2.0
#include "apps/tulle/export_networks.h"
#include "apps/common/print_text.h"

#include "tulle/core/error.h"
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

}  // namespace

void export_networks(const fs::path& weights, const std::string& network, fs::path output) {
    neural::Model model = neural::read_model(weights);
    if (!network.empty()) keep_only(network, model, weights);
    if (output.empty()) output = fs::path(weights).replace_extension(".onnx");
    if (output.extension() != ".onnx")
        throw Error("cannot write '{}': give a name that ends in .onnx", output.string());
    for (const auto& [name, exported] : model.networks) {
        fs::path target = output;
        if (model.networks.size() > 1) target.replace_extension("." + name + ".onnx");
        neural::write_onnx(target, exported, model.card);
        print_text("{}: {}\n", target.string(), fmt::join(exported.sizes(), "-"));
    }
}

}  // namespace tulle::app

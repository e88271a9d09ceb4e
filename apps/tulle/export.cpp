// SPDX-License-Identifier: Apache-2.0
#include "apps/tulle/commands.h"
#include "apps/tulle/export_cache.h"
#include "apps/tulle/export_networks.h"
#include "tulle/core/error.h"

#include <filesystem>
#include <memory>

namespace tulle::app {

namespace {

struct Options {
    std::string input, network;
    ExportOptions cloth;
};

void run_export(const Options& options) {
    const std::string& format = options.cloth.format;
    if (format == "onnx") return export_networks(options.input, options.network, options.cloth.output);
    if (std::filesystem::path(options.input).extension() == ".safetensors")
        throw Error("'{}' holds networks, which cannot be written as {}; use --to onnx", options.input,
                    format.empty() ? "a mesh" : format);
    if (!options.network.empty()) throw Error("--network chooses what --to onnx writes; leave it out");
    export_with_progress(options.input, options.cloth);
}

}  // namespace

void add_export(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("export", "Write a cache or trained networks in a format that other programs open");
    const auto options = std::make_shared<Options>();
    command->add_option("input", options->input, "Sequence cache (.h5), or weights (.safetensors) for onnx")
        ->required();
    command
        ->add_option(
            "--to", options->cloth.format,
            "usd, gltf, obj (one file per frame) or pc2; onnx for weights (default: what the output's name says)")
        ->check(CLI::IsMember({"usd", "gltf", "obj", "pc2", "onnx"}));
    command->add_option("-o,--output", options->cloth.output, "File, or folder for obj (default: beside the input)");
    add_up_option(*command, options->cloth.up, "OBJ files and point caches, which cannot say it");
    command->add_flag("--quantise", options->cloth.quantise,
                      "glTF of half the size, exact to 1/65,000, whose nodes are scaled and turned");
    add_progress_option(*command, options->cloth.progress);
    command->add_option("--network", options->network, "Write only this network of the weights (default: all)");
    command->footer(
        "example: tulle export out/flag.h5 --to usd -o flag.usda    (docs/export.md: Blender, Houdini, Maya, "
        "three.js)\n"
        "         tulle export miniature.safetensors --to onnx      (docs/networks.md)");
    command->callback([options] { run_export(*options); });
}

}  // namespace tulle::app

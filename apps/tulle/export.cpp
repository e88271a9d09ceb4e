// SPDX-License-Identifier: Apache-2.0
#include "apps/tulle/commands.h"
#include "apps/tulle/export_cache.h"

#include <memory>

namespace tulle::app {

void add_export(CLI::App& app) {
    CLI::App* command = app.add_subcommand("export", "Write a cache in a format that other programs open");
    struct Options {
        std::string cache, format, output;
    };
    const auto options = std::make_shared<Options>();
    command->add_option("cache", options->cache, "Sequence cache (.h5)")->required();
    command->add_option("--to", options->format, "usd, gltf, obj (one file per frame) or pc2")
        ->required()
        ->check(CLI::IsMember({"usd", "gltf", "obj", "pc2"}));
    command->add_option("-o,--output", options->output, "File, or folder for obj (default: beside the cache)");
    command->footer(
        "example: tulle export out/flag.h5 --to usd -o flag.usda    (docs/export.md: Blender, Houdini, Maya, "
        "three.js)");
    command->callback([options] { export_with_progress(options->cache, options->format, options->output); });
}

}  // namespace tulle::app

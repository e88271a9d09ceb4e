// SPDX-License-Identifier: Apache-2.0
// The command line and the JSON file that all benchmarks share.
#pragma once

#include "tulle/core/keep_freed_memory.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <string>

namespace tulle::bench {

struct Options {
    std::string scenes = "scenes";  // folder
    std::string json;               // file; empty: none
    std::string only;               // measure only what has this in its name
    int frames = 60;
};

// usage: BENCHMARK [SCENES_FOLDER] [--json FILE] [--only TEXT] [--frames N]
inline Options parse_options(int argc, char** argv) {
    keep_freed_memory();  // as the programs do
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        if (!name.starts_with("--")) {
            options.scenes = name;
            continue;
        }
        const std::string value = i + 1 < argc ? argv[++i] : "";
        if (name == "--json" && !value.empty()) {
            options.json = value;
        } else if (name == "--only" && !value.empty()) {
            options.only = value;
        } else if (name == "--frames" && std::atoi(value.c_str()) > 0) {
            options.frames = std::atoi(value.c_str());
        } else {
            fmt::print(stderr, "usage: {} [SCENES_FOLDER] [--json FILE] [--only TEXT] [--frames N]\n", argv[0]);
            std::exit(2);
        }
    }
    return options;
}

inline void write_json(const Options& options, const nlohmann::ordered_json& report) {
    if (!options.json.empty()) std::ofstream(options.json) << report.dump(2) << "\n";
}

}  // namespace tulle::bench

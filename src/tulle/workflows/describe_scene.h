// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tulle::workflows {

// What a scene builds.
struct SceneSummary {
    std::string path, name, description, method;
    int vertices = 0, triangles = 0;
    int grid_rows = 0, grid_columns = 0;  // 0: not a grid
    long springs = 0, hinges = 0, pins = 0;
    double total_mass = 0;  // [kg]
    int frames = 0;
    double frame_rate = 0;          // [1/s]
    int steps_per_frame = 0;        // of its method
    bool steps_are_chosen = false;  // for each frame, in place of that number
    std::vector<std::string> colliders;
    bool self_contact = false;
};

// Loads the scene and builds its cloth and its colliders, so that every mistake in it is found.
SceneSummary describe_scene(const std::filesystem::path& path);

std::string to_text(const SceneSummary& summary);
std::string to_json(const SceneSummary& summary);

}  // namespace tulle::workflows

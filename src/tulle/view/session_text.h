// SPDX-License-Identifier: Apache-2.0
// What the server says in JSON; apps/viewer/PROTOCOL.md has the examples.
#pragma once

#include "tulle/view/scene_list.h"
#include "tulle/view/stage.h"

#include <map>
#include <string>
#include <vector>

namespace tulle::view {

struct StatusFacts {
    bool is_playing = true;
    double speed = 1;
    ColorMode color = ColorMode::Fabric;
    std::string busy;
    ParameterValues values;                  // of all parameters
    std::map<std::string, Vector3> offsets;  // [m] of colliders that can be moved
    std::map<std::string, Vector3> joints;   // [rad] of those that were turned
    size_t clients = 0;
    std::vector<PanelStatus> panels;
};

std::string hello_text(const std::vector<ListedScene>& scenes, const std::string& saves_to);
std::string status_text(const StatusFacts& facts);
std::string note_text(const std::string& sentence);
std::string error_text(const std::string& sentence, std::optional<std::uint32_t> seq);
std::string saved_text(const std::string& what, const std::string& path, const std::string& note,
                       std::optional<std::uint32_t> seq);

}  // namespace tulle::view

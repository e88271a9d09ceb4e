// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/fabrics.h"
#include "tulle/scene/scene.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace tulle;

namespace {

const std::filesystem::path root = TULLE_SOURCE_DIR;

std::string read(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string quoted(const std::string& word) { return fmt::format("`{}`", word); }

// Together these scenes make the reader ask for every key there is.
std::set<std::string> all_keys() {
    const std::string colliders = R"(
[[colliders]]
shape = "plane"
[[colliders]]
shape = "sphere"
center = [0, 0, 0]
radius = 1
[[colliders]]
shape = "capsule"
start = [0, 0, 0]
end = [0, 0, 1]
radius = 1
[[colliders]]
shape = "box"
center = [0, 0, 0]
size = [1, 1, 1]
[[colliders]]
shape = "deforming"
files = "meshes/swelling-ball-%d.obj"
frame_rate = 2
[[colliders]]
shape = "mesh"
file = "meshes/table.obj"
[colliders.motion]
keyframes = [{ time = 0 }]
)";
    const std::string pins = R"(
[[pins]]
row = 0
[[pins]]
region = { min = [0, 0, 0], max = [1, 1, 1] }
[pins.motion]
keyframes = [{ time = 0 }]
[wind]
velocity = [0, 0, 0]
)";
    const std::string upscaling = R"(
[upscaling.calibration]
[[upscaling.stages]]
method = "bicubic"
)";
    const std::vector<std::string> scenes = {
        "[cloth]\nmass = 1\nholes = [[1, 2, 1, 2]]\n" + colliders + pins + upscaling,
        "[cloth]\nfabric = \"silk\"\n",
        "[cloth]\nkind = \"mesh\"\nfile = \"meshes/tablecloth.obj\"\ndensity = "
        "1\n[cloth.start]\nfile = \"meshes/tablecloth.obj\"\n",
        "[cloth]\nmass = 1\n[body]\n[[body.clips]]\nname = \"a\"\nkeys = [{ time = 0 }, { time = 1 }]\n",
        "[cloth]\nmass = 1\n[body]\nskinning = \"linear\"\n[body.pose]\nleft_elbow = [90, 0, 0]\n",
        "[cloth]\nfabric = \"silk\"\n[body]\n[garment]\nfile = \"meshes/t-shirt.obj\"\n"};
    std::set<std::string> keys;
    for (const std::string& text : scenes) keys.merge(scene::known_keys(text, root / "scenes"));
    return keys;
}

}  // namespace

TEST_CASE("docs/scenes.md names every key of a scene file in the section it belongs to") {
    const std::string page = read(root / "docs/scenes.md");
    const std::set<std::string> keys = all_keys();
    CHECK(keys.size() > 100);
    for (const std::string& key : keys) {
        CAPTURE(key);
        CHECK(page.find(quoted(key)) != std::string::npos);
    }
}

TEST_CASE("docs/scenes.md names every scene and every fabric") {
    const std::string page = read(root / "docs/scenes.md");
    for (const auto& entry : std::filesystem::directory_iterator(root / "scenes")) {
        if (entry.path().extension() != ".toml") continue;
        CAPTURE(entry.path().stem().string());
        CHECK(page.find(quoted(entry.path().stem().string())) != std::string::npos);
    }
    for (const scene::FabricPreset& preset : scene::fabric_presets()) {
        CAPTURE(preset.name);
        CHECK_FALSE(preset.source.empty());
        CHECK(page.find(quoted(preset.name)) != std::string::npos);
    }
}

// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/sweep.h"

#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <set>

using namespace tulle;
using namespace tulle::scene;

namespace {

Sweep load(const std::string& text) {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "a.sweep.toml") << text;
    return load_sweep(folder / "a.sweep.toml");
}

std::string load_error(const std::string& text) {
    return test::error_of([&] { (void)load(text); });
}

// The overrides as a table of texts.
std::map<std::string, std::string> drawn(const Sweep& sweep, int index) {
    std::map<std::string, std::string> values;
    for (const std::string& setting : draw(sweep, index)) {
        const size_t equals = setting.find('=');
        values[setting.substr(0, equals)] = setting.substr(equals + 1);
    }
    return values;
}

const std::string example = R"(sequences = 30
frames = 60
seed = 5
[[vary]]
keys = ["cloth.stretch.stiffness", "cloth.shear.stiffness"]
min = 10
max = 1000
scale = "log"
[[vary]]
keys = ["wind.velocity"]
min = [4, -3, 0]
max = [9, 3, 0]
[[vary]]
keys = ["cloth.rows", "cloth.columns"]
choices = [[9, 13], [17, 25]]
)";

}  // namespace

TEST_CASE("A sweep draws within its ranges, the same for all keys of a variation") {
    const Sweep sweep = load(example);
    CHECK(sweep.sequences == 30);
    CHECK(sweep.frames == 60);
    CHECK(sweep.method.empty());  // the scene's own
    int soft = 0;
    for (int i = 0; i < 30; ++i) {
        CAPTURE(i);
        auto values = drawn(sweep, i);
        const double stiffness = std::stod(values["cloth.stretch.stiffness"]);
        CHECK(stiffness >= 10);
        CHECK(stiffness <= 1000);
        soft += stiffness < 100;
        CHECK(values["cloth.shear.stiffness"] == values["cloth.stretch.stiffness"]);
        double x = 0, y = 0, z = 1;
        REQUIRE(std::sscanf(values["wind.velocity"].c_str(), "[%lf, %lf, %lf]", &x, &y, &z) == 3);
        CHECK((x >= 4 && x <= 9 && y >= -3 && y <= 3 && z == 0));
        CHECK(values["cloth.rows"] == (i % 2 == 0 ? "9" : "17"));
        CHECK(values["cloth.columns"] == (i % 2 == 0 ? "13" : "25"));
    }
    CHECK(soft > 8);  // on a log scale half of them
    CHECK(soft < 22);
}

TEST_CASE("A sweep draws the same again, and every sequence something else") {
    const Sweep sweep = load(example);
    std::set<std::string> seeds, stiffnesses;
    for (int i = 0; i < 30; ++i) {
        CHECK(draw(sweep, i) == draw(load(example), i));
        seeds.insert(drawn(sweep, i)["seed"]);
        stiffnesses.insert(drawn(sweep, i)["cloth.stretch.stiffness"]);
    }
    CHECK(seeds.size() == 30);
    CHECK(stiffnesses.size() == 30);
    Sweep other = sweep;
    other.seed = 6;
    CHECK(draw(other, 0) != draw(sweep, 0));
}

TEST_CASE("What a sweep draws can be put into its scene") {
    const std::string text = "[cloth]\nmass = 1\n[wind]\nvelocity = [0, 0, 0]\n";
    for (int i = 0; i < 4; ++i) {
        const Scene scene = parse_scene(text, "a.toml", ".", draw(load(example), i));
        CHECK(std::get<GridShape>(scene.cloth.shape).size.rows == (i % 2 == 0 ? 9 : 17));
        CHECK(scene.wind->velocity.x() >= 4);
    }
}

TEST_CASE("A broken sweep ends in a sentence with its line") {
    const auto said = [](const std::string& text, const std::string& line, const std::string& part) {
        const std::string error = load_error(text);
        CAPTURE(error);
        CHECK(test::contains(error, "a.sweep.toml:" + line));
        CHECK(test::contains(error, part));
    };
    said("sequences = 0\n", "1", "sequences");
    said("frames = 3\nsequencs = 4\n", "2", "did you mean 'sequences'");
    said("[[vary]]\nkeys = []\nmin = 1\nmax = 2\n", "2", "at least one setting");
    said("[[vary]]\nmin = 1\nmax = 2\n", "1", "keys");
    said("[[vary]]\nkeys = [\"a\"]\nmin = 3\nmax = 2\n", "3", "must not be above 'max'");
    said("[[vary]]\nkeys = [\"a\"]\nmin = 0\nmax = 2\nscale = \"log\"\n", "3", "above zero on a log scale");
    said("[[vary]]\nkeys = [\"a\"]\nmin = [1, 2]\nmax = 3\n", "4", "as many numbers as 'min'");
    said("[[vary]]\nkeys = [\"a\"]\nmin = 1\nmax = 2\nscale = \"square\"\n", "5", "scale");
    said("[[vary]]\nkeys = [\"a\", \"b\"]\nchoices = [[1, 2], [3]]\n", "3", "choices");
    said("[[vary]]\nkeys = [\"a\"]\nchoices = [[1]]\nmin = 2\n", "4", "there are choices");
    said("sequences = [\n", "", "");
    CHECK(test::contains(load_error("method = \"adm\"\n"), "did you mean 'admm'"));
}

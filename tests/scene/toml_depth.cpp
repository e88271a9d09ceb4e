// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/toml_depth.h"

#include "tests/support/error_of.h"
#include "tulle/core/error.h"
#include "tulle/scene/scene.h"

#include <doctest/doctest.h>

using namespace tulle;
using tulle::test::contains;

namespace {

std::string deep(int levels) {
    std::string key = "a";
    for (int i = 1; i < levels; ++i) key += ".a";
    return key;
}

std::string refusal(const std::string& text) {
    try {
        scene::require_shallow_keys(text, "deep.toml");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("Headers and keys of many levels are refused with their line, wherever they stand") {
    for (const std::string& text : {"\n[" + deep(50'000) + "]", "\n" + deep(34) + " = 1", "\n[[" + deep(34) + "]]",
                                    "\nx = {y = 1, " + deep(34) + " = 2}", "\n" + deep(34) + " . b = 1"})
        CHECK(contains(refusal(text), "deep.toml:2: a key is more than 32 levels deep"));
    CHECK_THROWS_AS(scene::parse_scene("[" + deep(50'000) + "]", "deep.toml", ""), Error);
    CHECK_THROWS_AS(scene::parse_scene("name = 'a'", "a.toml", "", {deep(60'000) + "=1"}), Error);
}

TEST_CASE("Dots in comments, texts and numbers are no levels") {
    const std::string dots(1000, '.');
    for (const std::string& text :
         {"# " + dots, "a = \"" + dots + "\"", "a = '" + dots + "'", "a = \"\"\"\n" + dots + "\n\"\"\"",
          "a = '''\n" + dots + "\n'''", "a = \"\\\"" + dots + "\"", "a = [" + std::string(5000, ' ') + "1.0, 2.0]",
          "\"" + dots + "\" = 1", deep(33) + " = 1", std::string("a = \"unfinished"), std::string("a = '''unfinished")})
        CHECK(refusal(text).empty());
    std::string numbers = "a = [0.5";
    for (int i = 0; i < 5000; ++i) numbers += ", 0.5";
    CHECK(refusal(numbers + "]").empty());
    CHECK(contains(refusal("a = \"text\"." + deep(40)), "levels"));
}

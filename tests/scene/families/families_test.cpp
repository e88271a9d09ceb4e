// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/families.h"

#include "tests/support/error_of.h"

#include <doctest/doctest.h>

#include <set>

using namespace tulle;
using namespace tulle::scene;
using test::contains;
using test::error_of;

namespace {

const std::string hanging =
    "[cloth]\nrows = 5\ncolumns = 9\nmass = 0.01\n[[pins]]\nrow = \"first\"\n[upscaling]\nsolver = \"xpbd\"\n";

}  // namespace

TEST_CASE("Every method has one family, and no two share a name") {
    std::set<std::string> names;
    for (const auto& family : families())
        for (const std::string& name : family->method_names()) {
            CHECK(names.insert(name).second);
            CHECK(find_family(name) == family.get());
            CHECK(parse_method(name).variant.empty());
        }
    CHECK(names.size() == method_names().size());
    CHECK(find_family("no such method") == nullptr);
}

TEST_CASE("The key that sets a method's steps is one that a scene may have, and it sets them") {
    for (const std::string& name : method_names()) {
        CAPTURE(name);
        const Method method = parse_method(name);
        const Scene scene = parse_scene(hanging, "hanging.toml", ".");
        const std::string key = family_of(method).steps_key(scene, method);
        if (key.empty()) {
            CHECK(family_of(method).steps_per_frame(scene, {}, method) == 1);
            continue;
        }
        const Scene seven = parse_scene(hanging, "hanging.toml", ".", {key + "=7"});
        CHECK(family_of(method).steps_per_frame(seven, {}, method) == 7);
    }
    const Scene scene = parse_scene(hanging, "hanging.toml", ".");
    CHECK(family_of({"miniature", {}}).steps_key(scene, {"miniature", {}}) == "solver.xpbd.steps_per_frame");
}

TEST_CASE("What learns can be trained, and nothing else") {
    CHECK(trainable_methods() == std::vector<std::string>{"miniature", "hierarchy", "force_cell", "garment"});
    for (const std::string& name : trainable_methods()) CHECK(find_family(name) != nullptr);
}

TEST_CASE("A family refuses a card whose part it cannot read") {
    const methods::ModelCard card{.method = "miniature", .scene = "flag", .family = R"({"factor": 0})"};
    CHECK(contains(error_of([&] {
                       family_of({"miniature", {}}).check_card(card, "a.safetensors");
                   }),
                   "'a.safetensors'"));
}

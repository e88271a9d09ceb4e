// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/upscaling_model.h"

#include "tests/methods/upscaling/models.h"
#include "tests/support/error_of.h"
#include "tests/support/near.h"
#include "tests/support/temporary_folder.h"
#include "tulle/geometry/miniature.h"
#include "tulle/methods/upscaling/hierarchy/hierarchy_kind.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;
using tulle::test::contains;
using tulle::test::error_of;

namespace {

std::string misfit(const UpscalingModel& model, const Use& use) {
    return error_of([&] { check_fits(model, use); });
}

// `text` with one part of it replaced.
std::string replaced(std::string text, const std::string& part, const std::string& by) {
    const size_t at = text.find(part);
    REQUIRE(at != std::string::npos);
    return text.replace(at, part.size(), by);
}

}  // namespace

TEST_CASE("The family's part of a card comes back as it was written") {
    const UpscalingCard card{.factor = 3,
                             .features = Features::Paper,
                             .scaling = Scaling::Similarity,
                             .calibration = {1.25, 0.8, 0.1, 0.7},
                             .grid = {49, 73}};
    ModelCard whole = example_card("miniature", "flag");
    whole.family = to_json(card);
    const UpscalingCard read = parse_upscaling_card(parse_card(to_json(whole), "card"), "card");
    CHECK(read.factor == 3);
    CHECK(read.features == Features::Paper);
    CHECK(read.scaling == Scaling::Similarity);
    CHECK(read.calibration == card.calibration);
    CHECK(read.grid == card.grid);
}

TEST_CASE("A broken family's part is refused with the name of its file") {
    const std::string whole = to_json(UpscalingCard{});
    const std::vector<std::string> broken = {
        "[]",
        "{}",
        replaced(whole, "\"factor\":2", "\"factor\":\"two\""),
        replaced(whole, "\"factor\":2", "\"factor\":-2"),
        replaced(whole, "\"canonical\"", "\"global\""),
        replaced(whole, "\"mass\":1.0", "\"mass\":-1.0"),
        replaced(whole, "\"mass\":1.0", "\"mass\":1e300"),
        replaced(whole, "\"calibrated\"", "7"),
    };
    for (const std::string& text : broken) {
        CAPTURE(text);
        ModelCard card = example_card("miniature", "flag");
        card.family = text;
        CHECK(contains(error_of([&] { (void)parse_upscaling_card(card, "a.safetensors"); }),
                       "'a.safetensors' has a model card that cannot be understood"));
    }
}

TEST_CASE("A model goes to a file and back") {
    const tulle::test::TemporaryFolder folder;
    const UpscalingModel model = random_model("hierarchy", "flag", 4, Features::Canonical);
    save_upscaling_model(folder / "a.safetensors", model);
    const UpscalingModel read = load_upscaling_model(folder / "a.safetensors");
    CHECK(read.source == (folder / "a.safetensors").string());
    CHECK(read.card.command == model.card.command);
    CHECK(to_json(read.part) == to_json(model.part));
    CHECK(read.networks.size() == 2);
    CHECK(read.networks.at("level.2").layers.front().weights == model.networks.at("level.2").layers.front().weights);
}

TEST_CASE("A model of another method or factor is refused") {
    const UpscalingModel model = random_model("miniature", "flag", 2, Features::Canonical);
    CHECK(misfit(model, {.method = "miniature", .scene = "flag", .factor = 2, .grid = {49, 73}}) == "no error");
    CHECK(contains(misfit(model, {.method = "hierarchy", .scene = "flag", .factor = 2}),
                   "was trained for the miniature method, not for hierarchy"));
    CHECK(contains(misfit(model, {.method = "miniature", .scene = "flag", .factor = 3}),
                   "was trained for factor 2, not 3; train one with `factor = 3`"));
}

TEST_CASE("A model with canonical features fits any scene and grid, one with the paper's its own only") {
    const Use other_scene{.method = "miniature", .scene = "curtain", .factor = 2, .grid = {49, 73}};
    const Use other_grid{.method = "miniature", .scene = "flag", .factor = 2, .grid = {33, 49}};
    const Use own{.method = "miniature", .scene = "flag", .factor = 2, .grid = {49, 73}};
    const UpscalingModel canonical = random_model("miniature", "flag", 2, Features::Canonical);
    for (const Use& use : {other_scene, other_grid, own}) CHECK(misfit(canonical, use) == "no error");
    UpscalingModel paper = random_model("miniature", "flag", 2, Features::Paper);
    paper.part.grid = {49, 73};
    CHECK(misfit(paper, own) == "no error");
    CHECK(contains(misfit(paper, other_scene), "was trained on 'flag': it knows nothing of 'curtain'"));
    CHECK(contains(misfit(paper, other_grid), "was trained on 49×73 vertices at factor 2, not on 33×49 at factor 2"));
}

TEST_CASE("A hierarchy of more levels than a model has goes on with the network of its coarsest") {
    const geometry::Hierarchy hierarchy = geometry::grid_hierarchy({17, 25}, 3);
    const FineCloth fine = flat_cloth({17, 25});
    const UpscalingModel two = random_model("hierarchy", "flag", 4, Features::Canonical);
    UpscalingModel three = two;
    three.networks = {{"level.1", two.networks.at("level.1")},
                      {"level.2", two.networks.at("level.1")},
                      {"level.3", two.networks.at("level.2")}};
    const Positions coarse = waving(geometry::sample(hierarchy.fine_vertices[0], fine.mesh.positions));
    CHECK(upscaled(*make_hierarchy_upscaler(two, hierarchy, fine), coarse) ==
          upscaled(*make_hierarchy_upscaler(three, hierarchy, fine), coarse));
}

TEST_CASE("A model without the network that its method needs is refused") {
    UpscalingModel model = random_model("miniature", "flag", 2, Features::Canonical);
    model.networks.clear();
    CHECK(contains(error_of([&] {
                       (void)upscaling_kind("miniature").make_upscaler(flat_cloth({5, 5}), 2, &model);
                   }),
                   "has no network 'patch'"));
}

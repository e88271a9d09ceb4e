// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/trained_model.h"

#include "tests/methods/models.h"
#include "tests/support/error_of.h"
#include "tests/support/near.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;
using tulle::test::contains;
using tulle::test::error_of;

namespace {

std::string misfit(const TrainedModel& model, const Use& use) {
    return error_of([&] { check_fits(model, use); });
}

// `text` with one part of it replaced.
std::string replaced(std::string text, const std::string& part, const std::string& by) {
    const size_t at = text.find(part);
    REQUIRE(at != std::string::npos);
    return text.replace(at, part.size(), by);
}

}  // namespace

TEST_CASE("A model card comes back as it was written") {
    ModelCard card = example_card("miniature", "flag", 3, Features::Paper);
    card.scaling = Scaling::Similarity;
    card.calibration = {1.25, 0.8, 0.1, 0.7};
    card.grid = {49, 73};
    card.layers = {36, 64, 48};
    card.activation = neural::Activation::LeakyRelu;
    card.training_minutes = 12.5;
    card.test_error = {{"mean", 1.5e-3}, {"bicubic", 3e-3}};
    const ModelCard read = parse_card(to_json(card), "card");
    CHECK(read.method == "miniature");
    CHECK(read.scene == "flag");
    CHECK(read.factor == 3);
    CHECK(read.features == Features::Paper);
    CHECK(read.scaling == Scaling::Similarity);
    CHECK(read.calibration == card.calibration);
    CHECK(read.grid == card.grid);
    CHECK(read.layers == card.layers);
    CHECK(read.activation == neural::Activation::LeakyRelu);
    CHECK(read.data == card.data);
    CHECK(read.command == card.command);
    CHECK(read.date == card.date);
    CHECK(read.training_minutes == 12.5);
    CHECK(read.test_error == card.test_error);
}

TEST_CASE("A broken model card is refused with the name of its file") {
    const std::string whole = to_json(example_card("miniature", "flag", 2, Features::Local));
    const std::vector<std::string> broken = {
        "",
        "[]",
        "{}",
        whole.substr(0, whole.size() / 2),
        replaced(whole, "\"factor\": 2", "\"factor\": \"two\""),
        replaced(whole, "\"factor\": 2", "\"factor\": -2"),
        replaced(whole, "\"local\"", "\"global\""),
        replaced(whole, "\"mass\": 1.0", "\"mass\": -1.0"),
        replaced(whole, "\"mass\": 1.0", "\"mass\": 1e300"),
        replaced(whole, "\"calibrated\"", "7"),
    };
    for (const std::string& text : broken) {
        CAPTURE(text);
        CHECK(contains(error_of([&] { (void)parse_card(text, "a.safetensors"); }),
                       "'a.safetensors' has a model card that cannot be understood"));
    }
}

TEST_CASE("A model goes to a file and back") {
    const tulle::test::TemporaryFolder folder;
    const TrainedModel model = random_model("hierarchy", "flag", 4, Features::Local);
    save_trained_model(folder / "a.safetensors", model);
    const TrainedModel read = load_trained_model(folder / "a.safetensors");
    CHECK(read.source == (folder / "a.safetensors").string());
    CHECK(to_json(read.card) == to_json(model.card));
    CHECK(read.networks.size() == 2);
    CHECK(read.networks.at("level.2").layers.front().weights == model.networks.at("level.2").layers.front().weights);
}

TEST_CASE("A model of another method or factor is refused") {
    const TrainedModel model = random_model("miniature", "flag", 2, Features::Local);
    CHECK(misfit(model, {.method = "miniature", .scene = "flag", .factor = 2, .grid = {49, 73}}) == "no error");
    CHECK(contains(misfit(model, {.method = "hierarchy", .scene = "flag", .factor = 2}),
                   "was trained for the miniature method, not for hierarchy"));
    CHECK(contains(misfit(model, {.method = "miniature", .scene = "flag", .factor = 3}),
                   "was trained for factor 2, not 3; train one with `factor = 3`"));
}

TEST_CASE("A model with local features fits any scene and grid, one with the paper's its own only") {
    const Use other_scene{.method = "miniature", .scene = "curtain", .factor = 2, .grid = {49, 73}};
    const Use other_grid{.method = "miniature", .scene = "flag", .factor = 2, .grid = {33, 49}};
    const Use own{.method = "miniature", .scene = "flag", .factor = 2, .grid = {49, 73}};
    const TrainedModel local = random_model("miniature", "flag", 2, Features::Local);
    for (const Use& use : {other_scene, other_grid, own}) CHECK(misfit(local, use) == "no error");
    TrainedModel paper = random_model("miniature", "flag", 2, Features::Paper);
    paper.card.grid = {49, 73};
    CHECK(misfit(paper, own) == "no error");
    CHECK(contains(misfit(paper, other_scene), "was trained on 'flag': it knows nothing of 'curtain'"));
    CHECK(contains(misfit(paper, other_grid), "was trained on 49×73 vertices at factor 2, not on 33×49 at factor 2"));
}

TEST_CASE("A hierarchy of more levels than a model has goes on with the network of its coarsest") {
    const geometry::Hierarchy hierarchy = geometry::grid_hierarchy({17, 25}, 3);
    const Positions rest = flat({17, 25});
    const TrainedModel two = random_model("hierarchy", "flag", 4, Features::Local);
    TrainedModel three = two;
    three.networks = {{"level.1", two.networks.at("level.1")},
                      {"level.2", two.networks.at("level.1")},
                      {"level.3", two.networks.at("level.2")}};
    const Positions coarse = waving(geometry::sample(hierarchy.fine_vertices[0], rest));
    CHECK(upscaled(*make_hierarchy_upscaler(two, hierarchy, rest), coarse) ==
          upscaled(*make_hierarchy_upscaler(three, hierarchy, rest), coarse));
}

TEST_CASE("A model without the network that its method needs is refused") {
    TrainedModel model = random_model("miniature", "flag", 2, Features::Local);
    model.networks.clear();
    const geometry::Miniature miniature = geometry::make_miniature({5, 5}, 2);
    CHECK(contains(error_of([&] {
                       (void)make_patch_upscaler(model, miniature, flat({5, 5}), 0.04);
                   }),
                   "has no network 'patch'"));
}

// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/model_card.h"

#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"
#include "tulle/methods/upscaling/upscaling_model.h"
#include "tulle/neural/network_tensors.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace tulle;
using namespace tulle::methods;
using nlohmann::json;
using test::contains;
using test::error_of;

namespace {

const ModelCard example = {.method = "miniature",
                           .scene = "flag",
                           .data = "none",
                           .command = "tests",
                           .date = "2026-01-01",
                           .training_minutes = 12.5,
                           .test_error = {{"mean", 1.5e-3}, {"bicubic", 3e-3}},
                           .family = R"({"factor":3})"};

}  // namespace

TEST_CASE("A model card comes back as it was written") {
    const ModelCard read = parse_card(to_json(example), "card");
    CHECK(read.method == "miniature");
    CHECK(read.scene == "flag");
    CHECK(read.data == example.data);
    CHECK(read.command == example.command);
    CHECK(read.date == example.date);
    CHECK(read.training_minutes == 12.5);
    CHECK(read.test_error == example.test_error);
    CHECK(read.family == example.family);
}

TEST_CASE("A broken model card is refused with the name of its file") {
    const std::string whole = to_json(example);
    json wrong = json::parse(whole);
    wrong["method"] = 7;
    for (const std::string& text :
         {std::string(), std::string("[]"), std::string("{}"), whole.substr(0, whole.size() / 2), wrong.dump()}) {
        CAPTURE(text);
        CHECK(contains(error_of([&] { (void)parse_card(text, "a.safetensors"); }),
                       "'a.safetensors' has a model card that cannot be understood"));
    }
}

TEST_CASE("A card of version 1, with the family's keys beside the others, is read like one of version 2") {
    // As `tulle train` wrote it: everything in one object, and no multiplier for pins yet.
    const std::string old = R"({"activation":"relu","calibration":{"bend":1.2,"mass":1.03,"stretch":1.04},
        "command":"tulle train models/flag-miniature.toml","data":"flag","date":"2026-11-16","factor":2,
        "features":"paper","grid":[49,73],"layers":[36,64,64,64,27],"method":"miniature","scaling":"calibrated",
        "scene":"flag","test_error":{"teacher_forced_mean":0.001},"training_minutes":33.5})";
    const ModelCard card = parse_card(old, "old");
    CHECK(card.scene == "flag");
    CHECK(card.test_error.at("teacher_forced_mean") == 0.001);
    const UpscalingCard part = parse_upscaling_card(card, "old");
    CHECK(part.factor == 2);
    CHECK(part.features == Features::Paper);
    CHECK(part.calibration == Calibration{1.03, 1.04, 1.2, 1});
    CHECK(part.grid == geometry::GridSize{49, 73});
}

TEST_CASE("Shipped weights keep every bit when they are written anew") {
    const test::TemporaryFolder folder;
    const std::filesystem::path shipped =
        std::filesystem::path(TULLE_SOURCE_DIR) / "models/miniature-flag-x2-canonical.safetensors";
    const UpscalingModel old = load_upscaling_model(shipped);
    save_upscaling_model(folder / "new.safetensors", old);
    const UpscalingModel again = load_upscaling_model(folder / "new.safetensors");
    CHECK(to_json(again.part) == to_json(old.part));
    const neural::WeightsFile before = neural::read_weights(shipped),
                              after = neural::read_weights(folder / "new.safetensors");
    REQUIRE(before.tensors.size() == after.tensors.size());
    for (const auto& [name, tensor] : before.tensors) CHECK(after.tensors.at(name).values == tensor.values);
}

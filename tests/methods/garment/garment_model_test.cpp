// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/garment_model.h"
#include "tests/methods/garment/dressed.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"
#include "tulle/neural/weights_file.h"

#include <doctest/doctest.h>

#include <functional>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;
using tulle::test::contains;

namespace {

GarmentModel saved_and_loaded(const GarmentModel& model) {
    const tulle::test::TemporaryFolder folder;
    save_garment(folder / "a.safetensors", model);
    return load_garment(folder / "a.safetensors");
}

// What is said of a file that was sound before `breaking`.
std::string refusal(const std::function<void(neural::WeightsFile&)>& breaking) {
    const tulle::test::TemporaryFolder folder;
    save_garment(folder / "a.safetensors", random_garment());
    neural::WeightsFile file = neural::read_weights(folder / "a.safetensors");
    breaking(file);
    neural::write_weights(folder / "b.safetensors", file);
    return tulle::test::error_naming("b.safetensors", [&] { (void)load_garment(folder / "b.safetensors"); });
}

void replace(std::string& text, const std::string& part, const std::string& by) {
    const size_t place = text.find(part);
    REQUIRE(place != std::string::npos);
    text.replace(place, part.size(), by);
}

std::string refusal_of_card(const std::string& part, const std::string& by) {
    return refusal([&](neural::WeightsFile& file) { replace(file.card, part, by); });
}

}  // namespace

TEST_CASE("A garment model is read back as it was written") {
    GarmentModel model = random_garment();
    model.projection.quasistatics = {.mu = 0.03, .material = {.bending = 0.2, .axial = 0.3}, .tolerance = 1e-4};
    model.projection.inextensibility = {.stretch = 0.02, .compression = {}, .tolerance = 1e-5};
    model.mu = VectorX::LinSpaced(model.mean_offsets.rows(), 0.01, 1);
    const GarmentModel read = saved_and_loaded(model);
    CHECK(read.card.method == "garment");
    CHECK(read.joints == model.joints);
    CHECK(read.rotations == model.rotations);
    CHECK(read.offset_scale == model.offset_scale);
    CHECK(read.network.dense.weights == model.network.dense.weights);
    CHECK(read.network.first_height == model.network.first_height);
    CHECK(read.network.layers[1].weights == model.network.layers[1].weights);
    CHECK(read.network.layers[1].outputs == 6);
    CHECK(read.input_low == model.input_low);
    CHECK(read.input_high == model.input_high);
    CHECK((read.mean_offsets - model.mean_offsets).cwiseAbs().maxCoeff() < 1e-8);
    CHECK((read.rest_places - model.rest_places).cwiseAbs().maxCoeff() < 1e-6);
    CHECK(read.projection.quasistatics->mu == 0.03);
    CHECK(read.projection.quasistatics->material.axial == 0.3);
    CHECK(read.projection.quasistatics->tolerance == 1e-4);
    CHECK(read.projection.inextensibility->stretch == 0.02);
    CHECK((read.mu - model.mu).cwiseAbs().maxCoeff() < 1e-7);
    CHECK_FALSE(saved_and_loaded(random_garment()).projection.is_any());
}

TEST_CASE("A garment model from before networks were told of the root is told of parents") {
    const tulle::test::TemporaryFolder folder;
    save_garment(folder / "a.safetensors", random_garment());
    neural::WeightsFile file = neural::read_weights(folder / "a.safetensors");
    replace(file.card, "rotations", "something else");
    neural::write_weights(folder / "a.safetensors", file);
    CHECK(load_garment(folder / "a.safetensors").rotations == JointRotations::FromParent);
    CHECK(contains(refusal_of_card("from_root", "from_nowhere"), "'from_nowhere'"));
}

TEST_CASE("A garment model whose card is wrong is refused in one sentence") {
    CHECK(contains(refusal_of_card("\"garment\"", "\"miniature\""), "miniature"));
    CHECK(contains(refusal_of_card("\"joints\"", "\"limbs\""), "joints"));
    CHECK(contains(refusal_of_card("from_root", "from_nowhere"), "from_nowhere"));
    CHECK(contains(refusal_of_card("\"waist\"", "17"), "card"));
    CHECK(contains(refusal_of_card("\"offset_scale\": 0.01", "\"offset_scale\": -1"), "offset_scale"));
    CHECK(contains(refusal_of_card("16,\n      16", "1e300, 16"), "card"));
    CHECK(contains(refusal_of_card("16,\n      16", "16, 17"), "17 pixels"));
    CHECK(
        contains(refusal_of_card("\"projection\": {}", "\"projection\": {\"quasistatic\": {\"mu\": 0.1}}"), "bending"));
    CHECK(contains(refusal_of_card("\"projection\": {}",
                                   "\"projection\": {\"inextensible\": {\"stretch\": -1, "
                                   "\"tolerance\": 1e-6}}"),
                   "stretch is -1"));
}

TEST_CASE("A garment model whose tensors do not fit is refused in one sentence") {
    const auto without = [](const char* name) {
        return refusal([&](neural::WeightsFile& file) { file.tensors.erase(name); });
    };
    for (const char* name : {"dense.weight", "dense.bias", "layer0.weight", "layer1.bias", "input_mean", "input_low",
                             "mean_offsets", "rest_places"})
        CHECK(contains(without(name), fmt::format("tensor '{}' is missing", name)));
    CHECK(contains(without("layer1.weight"), "dense layer"));
    const auto with = [](const char* name, const neural::Tensor& tensor) {
        return refusal([&](neural::WeightsFile& file) { file.tensors[name] = tensor; });
    };
    CHECK(contains(with("extra", {{1}, {0.0f}}), "'extra'"));
    CHECK(contains(with("mean_offsets", {{1, 3}, {0, 0, 0}}), "places"));
    CHECK(contains(with("mean_offsets", {{1, 2}, {0, 0}}), "columns"));
    CHECK(contains(with("mean_offsets", {{3}, {0, 0, 0}}), "dimensions"));
    CHECK(contains(with("mean_offsets", {{0, 3}, {}}), "empty"));
    CHECK(contains(with("layer0.weight", {{1, 1, 2, 2}, {0, 0, 0, 0}}), "kernel"));
    CHECK(contains(with("layer0.bias", {{1}, {0}}), "biases"));
    CHECK(contains(with("input_low", {{1}, {0}}), "range"));
    CHECK(contains(with("input_low", {{90}, std::vector<float>(90, 2.0f)}), "range"));
    CHECK(contains(with("mu", {{1}, {0.1f}}), "mu"));
}

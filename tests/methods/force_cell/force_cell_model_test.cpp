// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/force_cell_model.h"

#include "tests/methods/force_cell/cells.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"
#include "tulle/methods/force_cell/cell_design.h"
#include "tulle/neural/weights_file.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;
using tulle::test::contains;
using tulle::test::error_of;
using tulle::test::TemporaryFolder;

namespace {

ForceCellModel example_model() {
    const physics::ClothModel cloth = example_cloth();
    ForceCell cell = exact_cell(cloth, gravity, 1e-9);
    cell.linear[4] = 1.0 / 3;
    return {.source = {},
            .card = {.method = "force_cell", .scene = "example"},
            .part = {.activation = CellActivation::Isru,
                     .softening = 1e-9,
                     .time_step = 1e-3,
                     .material = {cell_material(cloth), gravity}},
            .cell = cell};
}

}  // namespace

TEST_CASE("A force cell comes back from its file to the last bit, with what it was taught") {
    const TemporaryFolder folder;
    const ForceCellModel model = example_model();
    save_force_cell(folder / "a.safetensors", model);
    const ForceCellModel read = load_force_cell(folder / "a.safetensors");
    CHECK(to_vector(read.cell) == to_vector(model.cell));
    CHECK(read.cell.softening == 1e-9);
    CHECK(read.part.time_step == 1e-3);
    CHECK(is_same(read.part.material, model.part.material));
    CHECK(read.card.scene == "example");
}

TEST_CASE("A force cell with a tensor missing, of another size or type, or of another method is refused") {
    const TemporaryFolder folder;
    save_force_cell(folder / "a.safetensors", example_model());
    const neural::WeightsFile whole = neural::read_weights(folder / "a.safetensors");
    const auto refusal = [&](const auto& spoil) {
        neural::WeightsFile file = whole;
        spoil(file);
        write_weights(folder / "b.safetensors", file);
        const std::string message = error_of([&] { load_force_cell(folder / "b.safetensors"); });
        CHECK(contains(message, "b.safetensors"));
        return message;
    };
    CHECK(contains(refusal([](auto& file) { file.tensors.erase("bias"); }), "'bias' is missing"));
    CHECK(contains(refusal([](auto& file) { file.tensors["bias"] = {{2}, {}, {1, 2}}; }), "must be 3 numbers"));
    CHECK(contains(refusal([](auto& file) { file.tensors["bias"] = {{3}, {1, 2, 3}}; }), "F64"));
    const auto with_card = [&](const std::string& from, const std::string& to) {
        return refusal([&](auto& file) {
            const size_t at = file.card.find(from);
            REQUIRE(at != std::string::npos);
            file.card.replace(at, from.size(), to);
        });
    };
    CHECK(contains(with_card("force_cell", "miniature"), "miniature"));
    CHECK(contains(with_card("\"isru\"", "\"relu\""), "activation"));
    CHECK(contains(with_card("0.001", "-0.001"), "time step"));
    CHECK(contains(with_card("springs", "strings"), "springs"));
}

TEST_CASE("A force cell of larger steps comes back with its layer, and is refused without it") {
    const TemporaryFolder folder;
    ForceCellModel model = example_model();
    model.part.large_step = {.steps = 8, .time_step = 8e-3, .all_ways = VectorX(3), .across = VectorX(4)};
    model.part.large_step->all_ways << 0.4, 0.45, 0.15;
    model.part.large_step->across << 0.1, 0, -0.1, 1.0 / 3;
    save_force_cell(folder / "a.safetensors", model);
    const ForceCellModel read = load_force_cell(folder / "a.safetensors");
    REQUIRE(read.part.large_step);
    CHECK(read.part.large_step->steps == 8);
    CHECK(read.part.large_step->time_step == 8e-3);
    CHECK(read.part.large_step->all_ways == model.part.large_step->all_ways);
    CHECK(read.part.large_step->across == model.part.large_step->across);

    neural::WeightsFile file = neural::read_weights(folder / "a.safetensors");
    file.tensors.erase("across");
    write_weights(folder / "b.safetensors", file);
    CHECK(contains(error_of([&] { load_force_cell(folder / "b.safetensors"); }), "'across' must be 3 to 100 numbers"));
    model.part.large_step->time_step = 1e-3;
    save_force_cell(folder / "c.safetensors", model);
    CHECK(contains(error_of([&] { load_force_cell(folder / "c.safetensors"); }), "not 8 steps of"));
    model.part.large_step->steps = 1;
    save_force_cell(folder / "d.safetensors", model);
    CHECK(contains(error_of([&] { load_force_cell(folder / "d.safetensors"); }), "its large step is 1 small ones"));
}

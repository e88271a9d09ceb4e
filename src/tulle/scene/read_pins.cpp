// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/sections.h"

namespace tulle::scene {

namespace {

RowOrColumn read_line(TableReader& pins, const std::string& key) {
    RowOrColumn line{.is_row = key == "row"};
    line.index = pins.is_text(key) ? pins.choice<int>(key, {{"first", 0}, {"last", -1}})
                                   : pins.integer(key, {.min = 0, .max = max_particles});
    line.every = pins.integer("every", {.min = 1, .max = max_particles, .fallback = 1});
    line.include_last = pins.boolean("include_last", true);
    return line;
}

Region read_region(TableReader region) {
    const Region box{.min = region.vector("min", {.unit = "m"}), .max = region.vector("max", {.unit = "m"})};
    if ((box.min.array() > box.max.array()).any()) region.fail("max", "must not be below 'min' along any axis");
    region.finish();
    return box;
}

Corners read_corners(TableReader& pins) {
    const std::vector<std::pair<std::string, std::array<bool, 2>>> names = {{"top-left", {false, false}},
                                                                            {"top-right", {false, true}},
                                                                            {"bottom-left", {true, false}},
                                                                            {"bottom-right", {true, true}}};
    return {pins.choices("corners", names)};
}

PinSelection read_selection(TableReader& pins) {
    const std::string key = pins.exactly_one_of({"vertices", "row", "column", "corners", "border", "region"});
    if (key != "row" && key != "column") pins.exclude({"every", "include_last"}, "belongs to 'row' or 'column'");
    if (key == "vertices") return pins.integers(key, {.min = 0});
    if (key == "corners") return read_corners(pins);
    if (key == "region") return read_region(pins.table(key));
    if (key != "border") return read_line(pins, key);
    if (!pins.boolean(key, true)) pins.fail(key, "can only be true; remove the whole group instead");
    return Border{};
}

}  // namespace

std::vector<PinSettings> read_pins(TableReader& root, const Vector3& up) {
    std::vector<PinSettings> groups;
    for (TableReader& pins : root.tables("pins")) {
        PinSettings group{
            .selection = read_selection(pins), .motion = read_motion(pins.table("motion"), up), .where = pins.where()};
        pins.finish();
        groups.push_back(std::move(group));
    }
    return groups;
}

}  // namespace tulle::scene

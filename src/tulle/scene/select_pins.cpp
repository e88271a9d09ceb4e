// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/select_pins.h"

#include "tulle/core/error.h"

#include <algorithm>

namespace tulle::scene {

namespace {

const geometry::GridSize& grid_of(const physics::ClothModel& model, const std::string& what) {
    if (!model.grid) throw Error("pins by {} need a grid; on a mesh use 'vertices' or 'region'", what);
    return *model.grid;
}

std::vector<int> select(const std::vector<int>& vertices, const physics::ClothModel& model) {
    for (const int v : vertices)
        if (v >= model.vertex_count()) throw Error("vertex {} is not there; the cloth has {}", v, model.vertex_count());
    return vertices;
}

std::vector<int> select(const RowOrColumn& line, const physics::ClothModel& model) {
    const geometry::GridSize& grid = grid_of(model, line.is_row ? "row" : "column");
    const int lines = line.is_row ? grid.rows : grid.columns;
    const int length = line.is_row ? grid.columns : grid.rows;
    if (line.index >= lines)
        throw Error("{} {} is not there; the cloth has {}, counted from 0", line.is_row ? "row" : "column", line.index,
                    lines);
    const int index = line.index < 0 ? lines + line.index : line.index;
    std::vector<int> vertices;
    for (int i = 0; i < length; ++i)
        if (i % line.every == 0 || (line.include_last && i == length - 1))
            vertices.push_back(line.is_row ? grid.index(index, i) : grid.index(i, index));
    return vertices;
}

std::vector<int> select(const Border&, const physics::ClothModel& model) {
    const geometry::GridSize& grid = grid_of(model, "border");
    std::vector<int> vertices;
    for (int r = 0; r < grid.rows; ++r)
        for (int c = 0; c < grid.columns; ++c)
            if (r == 0 || c == 0 || r == grid.rows - 1 || c == grid.columns - 1) vertices.push_back(grid.index(r, c));
    return vertices;
}

std::vector<int> select(const Region& region, const physics::ClothModel& model) {
    std::vector<int> vertices;
    for (int v = 0; v < model.vertex_count(); ++v) {
        const Eigen::Array3d x = model.start_positions.row(v).transpose().array();
        if ((x >= region.min.array()).all() && (x <= region.max.array()).all()) vertices.push_back(v);
    }
    return vertices;
}

std::vector<int> select(const Corners& corners, const physics::ClothModel& model) {
    const geometry::GridSize& grid = grid_of(model, "corners");
    std::vector<int> vertices;
    for (const auto& [last_row, last_column] : corners.corners)
        vertices.push_back(grid.index(last_row ? grid.rows - 1 : 0, last_column ? grid.columns - 1 : 0));
    return vertices;
}

}  // namespace

std::vector<int> select_pins(const PinSettings& pins, const physics::ClothModel& model) {
    try {
        std::vector<int> vertices =
            std::visit([&](const auto& selection) { return select(selection, model); }, pins.selection);
        if (vertices.empty())
            throw Error("these pins hold no vertex of the cloth; change what they select or remove them");
        std::sort(vertices.begin(), vertices.end());
        return vertices;
    } catch (const Error& error) {
        throw Error("{}: {}", pins.where, error.what());
    }
}

}  // namespace tulle::scene

// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/textile/specimens.h"

#include "tulle/physics/woven_bending.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

namespace tulle::workflows {

namespace {

using geometry::GridCloth;

// The triangles of the grid whose corners all lie within the radius; a quad with one corner outside keeps half of it.
Triangles triangles_within(const GridCloth& grid, double radius) {
    const auto is_inside = [&](int v) { return grid.mesh.positions.row(v).norm() <= radius; };
    std::vector<std::array<int, 3>> kept;
    for (int r = 0; r + 1 < grid.size.rows; ++r)
        for (int c = 0; c + 1 < grid.size.columns; ++c) {
            const int a = grid.size.index(r, c), b = a + 1, d = grid.size.index(r + 1, c), e = d + 1;
            const bool other_way = !is_inside(a) || !is_inside(e);
            const std::array<std::array<int, 3>, 2> halves =
                other_way ? std::array<std::array<int, 3>, 2>{{{a, d, b}, {d, e, b}}}
                          : std::array<std::array<int, 3>, 2>{{{a, d, e}, {a, e, b}}};
            for (const std::array<int, 3>& half : halves)
                if (std::all_of(half.begin(), half.end(), is_inside)) kept.push_back(half);
        }
    return Eigen::Map<const Triangles>(kept.empty() ? nullptr : kept.front().data(), static_cast<long>(kept.size()), 3);
}

double area_within(const GridCloth& grid, double radius) {
    return geometry::triangle_areas(grid.mesh.positions, triangles_within(grid, radius)).sum();
}

// Where to cut along the threads so that the area is nearest to the circle's.
double cut_radius(const GridCloth& grid, double radius, double spacing) {
    const double wanted = std::numbers::pi * radius * radius;
    double best = radius, least = std::abs(area_within(grid, radius) - wanted);
    for (double cut = radius - spacing / 2; cut <= radius + spacing; cut += spacing / 40)
        if (const double miss = std::abs(area_within(grid, cut) - wanted); miss < least) {
            best = cut;
            least = miss;
        }
    return best;
}

// Vertices that are part of the triangles, renumbered: new number or -1, by old one.
std::vector<int> renumber(const Triangles& triangles, int count) {
    std::vector<int> numbers(static_cast<size_t>(count), -1);
    for (const int v : triangles.reshaped()) numbers[static_cast<size_t>(v)] = 0;
    int next = 0;
    for (int& number : numbers)
        if (number == 0) number = next++;
    return numbers;
}

// The springs between vertices that are left. One along the border stands for half a cell only.
physics::Springs cut_springs(const GridCloth& grid, const scene::Fabric& fabric, const Triangles& triangles,
                             const std::vector<int>& numbers) {
    std::map<std::pair<int, int>, int> triangles_at;  // edge → how many
    for (long t = 0; t < triangles.rows(); ++t)
        for (int i = 0; i < 3; ++i) {
            const int a = triangles(t, i), b = triangles(t, (i + 1) % 3);
            ++triangles_at[{std::min(a, b), std::max(a, b)}];
        }
    const physics::Springs whole = scene::fabric_springs(grid, fabric);
    physics::Springs kept = whole;
    long count = 0;
    for (long e = 0; e < whole.count(); ++e) {
        const int a = whole.edges(e, 0), b = whole.edges(e, 1);
        const int from = numbers[static_cast<size_t>(a)], to = numbers[static_cast<size_t>(b)];
        if (from < 0 || to < 0) continue;
        const auto edge = triangles_at.find({std::min(a, b), std::max(a, b)});
        const bool along_thread =
            a / grid.size.columns == b / grid.size.columns || a % grid.size.columns == b % grid.size.columns;
        kept.edges.row(count) << from, to;
        kept.rest_lengths(count) = whole.rest_lengths(e);
        kept.damping(count) = whole.damping(e);
        kept.stiffness(count) = whole.stiffness(e);
        if (along_thread && edge != triangles_at.end() && edge->second == 1) kept.stiffness(count) /= 2;
        ++count;
    }
    kept.edges.conservativeResize(count, 2);
    kept.rest_lengths.conservativeResize(count);
    kept.damping.conservativeResize(count);
    kept.stiffness.conservativeResize(count);
    return kept;
}

// The hinges between vertices that are left. A thread along the border stands for half a cell only.
physics::Hinges cut_hinges(const GridCloth& grid, const scene::Fabric& fabric, const Triangles& triangles,
                           const std::vector<int>& numbers, double spacing) {
    VectorX areas = VectorX::Zero(grid.size.vertex_count());  // of the cells around each vertex that are left
    const VectorX triangle_areas = geometry::triangle_areas(grid.mesh.positions, triangles);
    for (long t = 0; t < triangles.rows(); ++t)
        for (const int v : triangles.row(t)) areas(v) += triangle_areas(t) / 3;
    const physics::Hinges whole = physics::woven_hinges(grid, fabric.bending);
    physics::Hinges kept = whole;
    long count = 0;
    for (long h = 0; h < whole.count(); ++h) {
        const auto vertices = whole.vertices.row(h);
        if (std::any_of(vertices.begin(), vertices.end(), [&](int v) { return numbers[static_cast<size_t>(v)] < 0; }))
            continue;
        const bool along_thread = whole.weights(h, 3) == 0;
        const double share = along_thread ? std::min(1.0, areas(vertices(1)) / (spacing * spacing)) : 1;
        kept.vertices.row(count) = vertices.unaryExpr([&](int v) { return numbers[static_cast<size_t>(v)]; });
        kept.weights.row(count) = whole.weights.row(h);
        kept.stiffness(count) = share * whole.stiffness(h);
        ++count;
    }
    kept.vertices.conservativeResize(count, 4);
    kept.weights.conservativeResize(count, 4);
    kept.stiffness.conservativeResize(count);
    return kept;
}

void finish(physics::ClothModel& model, const scene::Fabric& fabric) {
    model.start_positions = model.mesh.positions;
    model.masses = physics::masses_from_density(model.mesh, fabric.density);
}

}  // namespace

physics::ClothModel disc_specimen(const scene::Fabric& fabric, const DiscShape& shape) {
    const int half = static_cast<int>(std::ceil(shape.radius / shape.spacing)) + 2;
    const double side = 2 * half * shape.spacing;
    const GridCloth grid = geometry::make_grid_cloth({2 * half + 1, 2 * half + 1}, {.origin = {-side / 2, side / 2, 0},
                                                                                    .along_columns = Vector3::UnitX(),
                                                                                    .along_rows = -Vector3::UnitY(),
                                                                                    .width = side,
                                                                                    .height = side});
    const Triangles triangles = triangles_within(grid, cut_radius(grid, shape.radius, shape.spacing));
    const std::vector<int> numbers = renumber(triangles, grid.size.vertex_count());
    const double clamp = cut_radius(grid, shape.clamp_radius, shape.spacing);

    physics::ClothModel model;
    model.springs = cut_springs(grid, fabric, triangles, numbers);
    model.hinges = cut_hinges(grid, fabric, triangles, numbers, shape.spacing);
    model.mesh.triangles = triangles.unaryExpr([&](int v) { return numbers[static_cast<size_t>(v)]; });
    model.mesh.positions.resize(std::count_if(numbers.begin(), numbers.end(), [](int n) { return n >= 0; }), 3);
    physics::PinGroup plates;
    for (size_t v = 0; v < numbers.size(); ++v) {
        if (numbers[v] < 0) continue;
        const auto place = grid.mesh.positions.row(static_cast<long>(v));
        model.mesh.positions.row(numbers[v]) = place;
        if (place.norm() <= clamp) plates.vertices.push_back(numbers[v]);
    }
    model.pins.push_back(std::move(plates));
    finish(model, fabric);
    return model;
}

physics::ClothModel strip_specimen(const scene::Fabric& fabric, const StripShape& shape) {
    // Half of the curvature at the last held thread lies behind it, so that one stands half a cell over the edge.
    const double spacing = shape.overhang / (shape.cells + 0.5);
    const int across = std::max(2, static_cast<int>(std::lround(shape.width / spacing)));
    GridCloth grid =
        geometry::make_grid_cloth({across + 1, shape.cells + 2}, {.origin = {-spacing / 2, shape.width / 2, 0},
                                                                  .along_columns = Vector3::UnitX(),
                                                                  .along_rows = -Vector3::UnitY(),
                                                                  .width = shape.overhang + spacing / 2,
                                                                  .height = shape.width});
    physics::ClothModel model;
    model.springs = scene::fabric_springs(grid, fabric);
    model.hinges = physics::woven_hinges(grid, fabric.bending);
    model.grid = grid.size;
    physics::PinGroup platform;
    for (int r = 0; r <= across; ++r)
        for (int c = 0; c < 2; ++c) platform.vertices.push_back(grid.size.index(r, c));
    model.pins.push_back(std::move(platform));
    model.mesh = std::move(grid.mesh);
    finish(model, fabric);
    return model;
}

}  // namespace tulle::workflows

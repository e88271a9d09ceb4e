// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/vertex_order.h"

#include "tulle/core/error.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tulle::workflows {

namespace {

using geometry::GridSize;

struct Pair {
    int a = 0, b = 0;
};

std::vector<Pair> pairs_along(const GridSize& grid, bool along_rows) {
    std::vector<Pair> pairs;
    for (int r = 0; r + (along_rows ? 0 : 1) < grid.rows; ++r)
        for (int c = 0; c + (along_rows ? 1 : 0) < grid.columns; ++c)
            pairs.push_back({grid.index(r, c), along_rows ? grid.index(r, c + 1) : grid.index(r + 1, c)});
    return pairs;
}

double length(const Positions& points, const Pair& pair) { return (points.row(pair.a) - points.row(pair.b)).norm(); }

double extent(const Positions& points) { return (points.colwise().maxCoeff() - points.colwise().minCoeff()).norm(); }

double total_length(const Positions& points, const GridSize& grid) {
    double total = 0;
    for (const bool along_rows : {true, false})
        for (const Pair& pair : pairs_along(grid, along_rows)) total += length(points, pair);
    return total;
}

// In a sheet, also a folded or an unevenly spaced one, few vertices are nearer to a vertex than its neighbour is. Long
// thin cells are all alike instead.
bool are_far_apart(const Positions& points, const std::vector<Pair>& pairs) {
    constexpr size_t most_looked_at = 300;
    constexpr long few = 24;  // what is within two cells, and a second layer there
    const size_t step = std::max<size_t>(1, pairs.size() / most_looked_at);
    std::vector<double> lengths;
    int far = 0;
    for (size_t i = 0; i < pairs.size(); i += step) {
        lengths.push_back(length(points, pairs[i]));
        const auto distances = (points.rowwise() - points.row(pairs[i].a)).rowwise().norm();
        far += (distances.array() < lengths.back()).count() > few ? 1 : 0;
    }
    std::sort(lengths.begin(), lengths.end());
    const double low = lengths[lengths.size() / 10], high = lengths[lengths.size() * 9 / 10];
    return far > 0.05 * static_cast<double>(lengths.size()) && high > 2 * low;
}

}  // namespace

void check_grid_order(const Positions& points, const GridSize& grid, const std::string& source) {
    const GridSize swapped{grid.columns, grid.rows};
    constexpr double clearly_shorter = 0.75;
    if (total_length(points, swapped) < clearly_shorter * total_length(points, grid))
        throw Error("the points of '{}' are {} rows of {}, not {} of {}; give --grid {}x{}", source, swapped.rows,
                    swapped.columns, grid.rows, grid.columns, swapped.rows, swapped.columns);
    for (const bool along_rows : {true, false})
        if (are_far_apart(points, pairs_along(grid, along_rows)))
            throw Error(
                "the points of '{}' are not {} rows of {} one after the other: neighbours are far apart; give the mesh "
                "they belong to with --mesh FILE.obj, whatever the order of its vertices",
                source, grid.rows, grid.columns);
}

void check_mesh_order(const Positions& points, const geometry::TriangleMesh& rest, const std::string& source,
                      const std::string& mesh_name) {
    const geometry::MeshEdges mesh = geometry::mesh_edges(rest);
    std::vector<double> stretches;
    for (long e = 0; e < mesh.edges.rows(); ++e) {
        const Pair pair{mesh.edges(e, 0), mesh.edges(e, 1)};
        stretches.push_back(length(points, pair) / std::max(length(rest.positions, pair), 1e-12));
    }
    // Whatever the unit of the mesh is, and however the cloth is crumpled or stretched as a whole.
    std::vector<double> sorted = stretches;
    std::sort(sorted.begin(), sorted.end());
    const double usual =
        std::min(sorted[sorted.size() / 4], std::max(1.0, 2 * extent(points) / extent(rest.positions)));
    constexpr double too_long = 4;
    const auto torn = std::count_if(stretches.begin(), stretches.end(), [&](double s) { return s > too_long * usual; });
    if (static_cast<double>(torn) > 0.05 * static_cast<double>(stretches.size()))
        throw Error(
            "the points of '{}' are in another order than the vertices of '{}': {} of {} edges would be torn; write "
            "both "
            "from the same object, with vertices kept in order",
            source, mesh_name, torn, stretches.size());
}

}  // namespace tulle::workflows

// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/recognise_grid.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>

namespace tulle::geometry {

namespace {

using Quad = std::array<Corner, 4>;

constexpr int none = -1;

std::uint64_t directed(int from, int to) {
    return static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint64_t>(to);
}

// Which face has an edge in this direction; every face that keeps to the same front has its own ones.
using FaceOfEdge = std::unordered_map<std::uint64_t, int>;

template <typename Face>
std::optional<FaceOfEdge> find_edges(const std::vector<Face>& faces) {
    FaceOfEdge face_of;
    for (size_t f = 0; f < faces.size(); ++f)
        for (size_t k = 0; k < faces[f].size(); ++k) {
            const int from = faces[f][k].vertex, to = faces[f][(k + 1) % faces[f].size()].vertex;
            if (from == to || !face_of.emplace(directed(from, to), static_cast<int>(f)).second) return {};
        }
    return face_of;
}

int face_with(const FaceOfEdge& face_of, int from, int to) {
    const auto found = face_of.find(directed(from, to));
    return found == face_of.end() ? none : found->second;
}

using Corners3 = std::array<Corner, 3>;

// Turned so that its longest edge goes from the last corner to the first.
Corners3 longest_edge_last(Corners3 triangle, const Positions& rest) {
    const auto length = [&](size_t k) {
        return (rest.row(triangle[k].vertex) - rest.row(triangle[(k + 1) % 3].vertex)).squaredNorm();
    };
    size_t longest = 2;
    for (const size_t k : {0U, 1U})
        if (length(k) > length(longest)) longest = k;
    std::rotate(triangle.begin(), triangle.begin() + static_cast<long>((longest + 1) % 3), triangle.end());
    return triangle;
}

// Two triangles that share the longest edge of both are a cell.
std::vector<Quad> pair_triangles(std::vector<Corners3> triangles, const Positions& rest) {
    for (Corners3& triangle : triangles) triangle = longest_edge_last(triangle, rest);
    const std::optional<FaceOfEdge> face_of = find_edges(triangles);
    if (!face_of || triangles.size() % 2 != 0) return {};
    std::vector<Quad> quads;
    for (size_t t = 0; t < triangles.size(); ++t) {
        const auto& [a, b, c] = triangles[t];
        const int other = face_with(*face_of, a.vertex, c.vertex);
        if (other == none) return {};
        const Corners3& across = triangles[static_cast<size_t>(other)];
        if (across[2].vertex != a.vertex || across[0].vertex != c.vertex) return {};  // its longest edge is another
        if (static_cast<size_t>(other) > t) quads.push_back({a, b, c, across[1]});
    }
    return quads;
}

std::vector<Quad> quads_of(const Faces& faces, const Positions& rest) {
    std::vector<Quad> quads;
    std::vector<Corners3> triangles;
    for_each_face(faces, [&](std::span<const Corner> face) {
        if (face.size() == 4) quads.push_back({face[0], face[1], face[2], face[3]});
        if (face.size() == 3) triangles.push_back({face[0], face[1], face[2]});
    });
    if (quads.size() == faces.sizes.size()) return quads;
    if (triangles.size() == faces.sizes.size()) return pair_triangles(std::move(triangles), rest);
    return {};
}

// A vertex in one quad only, the lowest of them.
int lowest_corner(const std::vector<Quad>& quads, long vertex_count) {
    std::vector<int> uses(static_cast<size_t>(vertex_count), 0);
    for (const Quad& quad : quads)
        for (const Corner& corner : quad) ++uses[static_cast<size_t>(corner.vertex)];
    const auto found = std::find(uses.begin(), uses.end(), 1);
    return found == uses.end() ? none : static_cast<int>(found - uses.begin());
}

//   a ─ d     A cell from its corner (r, c) on. The next one in its row has the edge d → c, in its column c → b.
//   │   │
//   b ─ c
class GridWalk {
public:
    GridWalk(const std::vector<Quad>& quads, const FaceOfEdge& face_of) : quads_(quads), face_of_(face_of) {}

    // Rows of cells from the corner on; empty if they are no grid.
    std::vector<std::vector<Quad>> rows_from(int corner) const {
        std::vector<std::vector<Quad>> rows;
        std::optional<Quad> first = cell_from(corner);
        size_t cells = 0;
        while (first) {
            rows.push_back(row_from(*first));
            cells += rows.back().size();
            if (rows.back().size() != rows.front().size() || cells > quads_.size()) return {};
            const Quad& above = rows.back().front();
            first = cell_with(above[2].vertex, above[1].vertex, 3);
        }
        if (cells != quads_.size()) return {};
        return rows;
    }

private:
    std::optional<Quad> cell_from(int corner) const {
        for (Quad quad : quads_) {
            const auto found =
                std::find_if(quad.begin(), quad.end(), [&](const Corner& c) { return c.vertex == corner; });
            if (found == quad.end()) continue;
            std::rotate(quad.begin(), found, quad.end());
            return quad;
        }
        return {};
    }

    // The cell in which the edge from → to begins at corner `place`.
    std::optional<Quad> cell_with(int from, int to, size_t place) const {
        const int face = face_with(face_of_, from, to);
        if (face == none) return {};
        Quad quad = quads_[static_cast<size_t>(face)];
        const auto found = std::find_if(quad.begin(), quad.end(), [&](const Corner& c) { return c.vertex == from; });
        std::rotate(quad.begin(), quad.begin() + (found - quad.begin() + 4 - static_cast<long>(place)) % 4, quad.end());
        return quad;
    }

    std::vector<Quad> row_from(const Quad& first) const {
        std::vector<Quad> row{first};
        while (row.size() <= quads_.size()) {
            const std::optional<Quad> next = cell_with(row.back()[3].vertex, row.back()[2].vertex, 0);
            if (!next) return row;
            row.push_back(*next);
        }
        return {};  // it goes round
    }

    const std::vector<Quad>& quads_;
    const FaceOfEdge& face_of_;
};

// Every place must have one vertex, whichever cell says so, and every vertex one place.
bool place_vertices(const std::vector<std::vector<Quad>>& rows, long vertex_count, RecognisedGrid& grid) {
    grid.size = {static_cast<int>(rows.size()) + 1, static_cast<int>(rows.front().size()) + 1};
    if (static_cast<long>(grid.size.rows) * grid.size.columns != vertex_count) return false;
    grid.vertices.assign(static_cast<size_t>(vertex_count), none);
    std::vector<bool> used(static_cast<size_t>(vertex_count), false);
    const auto put = [&](size_t row, size_t column, int vertex) {
        int& place = grid.vertices[row * static_cast<size_t>(grid.size.columns) + column];
        if (place == vertex) return true;
        if (place != none || used[static_cast<size_t>(vertex)]) return false;
        used[static_cast<size_t>(vertex)] = true;
        place = vertex;
        return true;
    };
    for (size_t r = 0; r < rows.size(); ++r)
        for (size_t c = 0; c < rows[r].size(); ++c) {
            const Quad& cell = rows[r][c];
            if (!put(r, c, cell[0].vertex) || !put(r + 1, c, cell[1].vertex) || !put(r + 1, c + 1, cell[2].vertex) ||
                !put(r, c + 1, cell[3].vertex))
                return false;
            grid.cells.add(cell);
        }
    return true;
}

}  // namespace

std::optional<RecognisedGrid> recognise_grid(const Faces& faces, const Positions& rest) {
    const std::vector<Quad> quads = quads_of(faces, rest);
    if (quads.empty()) return {};
    const std::optional<FaceOfEdge> face_of = find_edges(quads);
    const int corner = lowest_corner(quads, rest.rows());
    if (!face_of || corner == none) return {};
    const std::vector<std::vector<Quad>> rows = GridWalk(quads, *face_of).rows_from(corner);
    if (rows.empty() || rows.front().empty()) return {};
    RecognisedGrid grid;
    grid.cells.has_tex_coords = faces.has_tex_coords;
    if (!place_vertices(rows, rest.rows(), grid)) return {};
    return grid;
}

}  // namespace tulle::geometry

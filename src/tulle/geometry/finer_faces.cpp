// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/finer_faces.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>

namespace tulle::geometry {

namespace {

// The midpoint between two corners of one face.
class Midpoints {
public:
    explicit Midpoints(const Subdivision& subdivision) {
        for (long e = 0; e < subdivision.edges.rows(); ++e)
            vertex_of_[key(subdivision.edges(e, 0), subdivision.edges(e, 1))] =
                subdivision.fine_midpoints[static_cast<size_t>(e)];
    }

    Corner operator()(const Corner& a, const Corner& b) const {
        return {.vertex = vertex_of_.at(key(a.vertex, b.vertex)), .uv = 0.5 * (a.uv + b.uv)};
    }

private:
    static std::uint64_t key(int a, int b) {
        const auto [low, high] = std::minmax(a, b);
        return static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint64_t>(high);
    }

    std::unordered_map<std::uint64_t, int> vertex_of_;
};

void cut_triangle(std::span<const Corner> f, const Midpoints& middle, Faces& finer) {
    const Corner ab = middle(f[0], f[1]), bc = middle(f[1], f[2]), ca = middle(f[2], f[0]);
    finer.add(std::array{f[0], ab, ca});
    finer.add(std::array{ab, f[1], bc});
    finer.add(std::array{ca, bc, f[2]});
    finer.add(std::array{ab, bc, ca});
}

//   a ── da ── d      The two triangles of a quad share its diagonal ac, whose midpoint m becomes the middle of four
//   │  ╲ │  ╱  │      quads. Each of them begins at its diagonal again.
//   ab ─ m ── cd
//   │  ╱ │  ╲  │
//   b ── bc ── c
void cut_quad(std::span<const Corner> f, const Midpoints& middle, Faces& finer) {
    const Corner ab = middle(f[0], f[1]), bc = middle(f[1], f[2]), cd = middle(f[2], f[3]), da = middle(f[3], f[0]);
    Corner m = middle(f[0], f[2]);
    m.uv = 0.25 * (f[0].uv + f[1].uv + f[2].uv + f[3].uv);
    finer.add(std::array{f[0], ab, m, da});
    finer.add(std::array{ab, f[1], bc, m});
    finer.add(std::array{m, bc, f[2], cd});
    finer.add(std::array{da, m, cd, f[3]});
}

}  // namespace

Faces ready_to_cut(const Faces& faces, const Positions& positions) {
    Faces ready{.has_tex_coords = faces.has_tex_coords};
    for_each_face(faces, [&](std::span<const Corner> face) {
        const auto diagonal = [&](size_t from) {
            return (positions.row(face[from].vertex) - positions.row(face[from + 2].vertex)).squaredNorm();
        };
        if (face.size() == 4 && diagonal(1) < diagonal(0))
            ready.add(std::array{face[1], face[2], face[3], face[0]});
        else if (face.size() <= 4)
            ready.add(face);
        else
            for (size_t i = 1; i + 1 < face.size(); ++i) ready.add(std::array{face[0], face[i], face[i + 1]});
    });
    return ready;
}

Faces finer_faces(const Faces& faces, const Subdivision& subdivision) {
    const Midpoints middle(subdivision);
    Faces finer{.has_tex_coords = faces.has_tex_coords};
    for_each_face(faces, [&](std::span<const Corner> face) {
        if (face.size() == 4)
            cut_quad(face, middle, finer);
        else
            cut_triangle(face, middle, finer);
    });
    return finer;
}

Faces finer_cells(const RecognisedGrid& grid, int factor, const std::vector<int>& fine_vertices) {
    const GridSize fine{(grid.size.rows - 1) * factor + 1, (grid.size.columns - 1) * factor + 1};
    Faces finer{.has_tex_coords = grid.cells.has_tex_coords};
    int cell = 0;
    for_each_face(grid.cells, [&](std::span<const Corner> face) {
        const int row = cell / (grid.size.columns - 1) * factor, column = cell % (grid.size.columns - 1) * factor;
        ++cell;
        const auto corner = [&](int r, int c) {
            const double s = static_cast<double>(r) / factor, t = static_cast<double>(c) / factor;
            return Corner{.vertex = fine_vertices[static_cast<size_t>(fine.index(row + r, column + c))],
                          .uv = (1 - s) * (1 - t) * face[0].uv + s * (1 - t) * face[1].uv + s * t * face[2].uv +
                                (1 - s) * t * face[3].uv};
        };
        for (int r = 0; r < factor; ++r)
            for (int c = 0; c < factor; ++c)
                finer.add(std::array{corner(r, c), corner(r + 1, c), corner(r + 1, c + 1), corner(r, c + 1)});
    });
    return finer;
}

}  // namespace tulle::geometry

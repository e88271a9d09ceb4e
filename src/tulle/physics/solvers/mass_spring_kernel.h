// SPDX-License-Identifier: Apache-2.0
// The fused `mass_spring` step of a uniform grid, eight columns at a time. Positions and velocities stay in double
// precision, so that nothing is lost when small steps are added up, and differences of neighbours are taken in it;
// everything else is single. This header and the kernel include no library, because the kernel is compiled twice, for
// AVX2 and for any machine.
#pragma once

namespace tulle::physics::mass_spring {

inline constexpr int lanes = 8;
inline constexpr int most_columns = 16384;  // wider grids go to the plain twin
inline constexpr int margin = 8;            // columns left and right, and 2 rows below, that no vertex uses

// Each is an array of (rows + 2) × stride for every coordinate, zero in the margins; the element of vertex (r, c) is
// [r * stride + margin + c]. Arrays begin at a cache line.
struct State {
    double* positions[3];   // [m]
    double* velocities[3];  // [m/s]
};

// What joins each vertex to its neighbours (dr, dc) and (−dr, −dc), with d and w their differences of position and
// velocity: the force (k − (p − c (d·w) / ℓ) / ℓ) d, where ℓ² = |d|² + e. A spring of rest length L has p = kL and no
// e; a force cell has whatever it learnt.
struct Direction {
    int rows, columns;
    float stiffness, pull, damping;  // k [N/m], p [N], c [N s/m]
    float softening;                 // e [m²]
};

struct Grid {
    int rows, columns, stride;
    Direction directions[6];  // in the order of grid_springs: 0–1 along the grid, 2–3 diagonal, 4–5 over two cells
    const float* inverse_masses;    // laid out like a State; 0 for pins and margins
    const float* column_exists[4];  // [dc + 1][margin + c]: 1 where columns c and c + dc exist, else 0
    // By direction, laid out like a State: 1 where the vertex has the neighbour (dr, dc), else 0. All null: there are
    // no holes, so columns and rows tell. Holes know neither wind nor pressure.
    const float* neighbour_exists[6];
};

struct Air {
    float gravity[3];    // [m/s²]
    float pressure;      // [Pa]
    double drag_factor;  // new velocities are multiplied by this
    bool blows;
    float wind[3];             // [m/s]
    float normal, tangential;  // [N s/m³]
};

// What a thread keeps of the rows around the one it works on: this many rows of `stride` floats, zero at first, at a
// cache line.
inline constexpr int scratch_rows = 51;

// One step of the vertices of rows [begin, end): reads the old state, writes the new one. Pins stop where they are.
using Kernel = void (*)(const Grid&, const Air&, double dt, const State& old, const State& now, float* scratch,
                        int begin, int end);

Kernel portable_kernel();
Kernel avx2_kernel();
// The fastest this machine can run.
Kernel best_kernel();

}  // namespace tulle::physics::mass_spring

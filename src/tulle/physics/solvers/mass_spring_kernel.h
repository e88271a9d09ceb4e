// SPDX-License-Identifier: Apache-2.0
// The fused `mass_spring` step of a uniform grid, eight columns at a time. Positions and velocities stay in double
// precision, so that nothing is lost when small steps are added up; everything else is single, with positions split
// into two numbers each so that differences of neighbours lose nothing either. This header and the kernel include no
// library, because the kernel is compiled twice, for AVX2 and for any machine.
#pragma once

namespace tulle::physics::mass_spring {

inline constexpr int lanes = 8;
inline constexpr int most_columns = 16384;  // wider grids go to the plain twin
inline constexpr int margin = 8;            // columns left and right, and 2 rows above and below, that no vertex uses

// Each is an array of (rows + 4) × stride for every coordinate; the element of vertex (r, c) is
// [(r + 2) * stride + margin + c].
struct State {
    double* positions[3];
    double* velocities[3];
    // The same in single precision, to take differences of: positions are high + low.
    float* high[3];
    float* low[3];
    float* rough_velocities[3];
};

// Springs to the neighbours (dr, dc) and (−dr, −dc).
struct Direction {
    int rows, columns;
    float rest_length, stiffness, damping;  // [m], [N/m], [N s/m]
};

struct Grid {
    int rows, columns, stride;
    Direction directions[6];  // in the order of grid_springs: 0–1 along the grid, 2–3 diagonal, 4–5 over two cells
    const float* inverse_masses;    // laid out like a State; 0 for pins and margins
    const float* column_exists[5];  // [dc + 2][margin + c]: 1 where column c + dc exists, else 0
};

struct Air {
    float gravity[3];   // [m/s²]
    float pressure;     // [Pa]
    float drag_factor;  // velocities keep this part in a step
    bool blows;
    float wind[3];             // [m/s]
    float normal, tangential;  // [N s/m³]
};

// What wind does to a third of both triangles of each quad, laid out like a State; zero outside the grid.
struct QuadForces {
    float* first[3];
    float* second[3];
};

// Wind on the quads of rows [begin, end), into `forces`.
using BlowFunction = void(const Grid&, const Air&, const State& state, const QuadForces& forces, int begin, int end);
// One step of the vertices of rows [begin, end): reads the old state, writes the new one.
using StepFunction = void(const Grid&, const Air&, double dt, const State& old, const QuadForces& forces,
                          const State& now, int begin, int end);
// Fills in the single-precision arrays of rows [begin, end).
using RoundFunction = void(const Grid&, const State& state, int begin, int end);

struct Kernel {
    BlowFunction* blow;
    StepFunction* step;
    RoundFunction* round;
};

Kernel portable_kernel();
Kernel avx2_kernel();
// The fastest this machine can run.
Kernel best_kernel();

}  // namespace tulle::physics::mass_spring

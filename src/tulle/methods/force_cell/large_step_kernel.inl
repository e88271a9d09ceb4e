// SPDX-License-Identifier: Apache-2.0
// The body of large_step_kernel.h, included once for each instruction set inside a namespace of its own.
using namespace physics::mass_spring;
#include "tulle/physics/solvers/mass_spring_kernel.inl"

#define TULLE_INLINE static inline __attribute__((always_inline))

TULLE_INLINE Float8 largest(Float8 a, Float8 b) { return a > b ? a : b; }
TULLE_INLINE Float8 smallest(Float8 a, Float8 b) { return a < b ? a : b; }

// Differences to the four nearest neighbours, zero where there is none.
struct Nearest {
    Vector east, west, south, north;
};

TULLE_INLINE Nearest nearest(const Scratch& scratch, const Grid& grid, int r, int c) {
    Float8 has_east = load(grid.column_exists[2] + margin + c), has_west = load(grid.column_exists[0] + margin + c),
           has_south = all(r + 1 < grid.rows ? 1.0f : 0.0f), has_north = all(r > 0 ? 1.0f : 0.0f);
    if (grid.neighbour_exists[0]) {
        const long at = place(grid, r, c);
        has_east = load(grid.neighbour_exists[0] + at);
        has_west = has_west * load(grid.neighbour_exists[0] + at - 1);
        has_south = load(grid.neighbour_exists[1] + at);
        has_north = r > 0 ? load(grid.neighbour_exists[1] + at - grid.stride) : has_north;
    }
    return {has_east * load(scratch.along, c), has_west * (Vector{} - load(scratch.along, c - 1)),
            has_south * load(scratch.down[r % 3], c), has_north * (Vector{} - load(scratch.down[(r + 2) % 3], c))};
}

TULLE_INLINE Vector gated_normal(const Gate& gate, const Nearest& d) {
    const Vector area = cross(d.east - d.west, d.south - d.north);
    const Vector normal = inverse_root(dot(area, area) + 1e-30f) * area;
    const auto measure = [&](const Vector& side, int along) {
        const Float8 across = dot(side, normal);
        return gate.inverse_squares[along] * (dot(side, side) + gate.fold_weight * across * across);
    };
    const Float8 m =
        largest(largest(measure(d.east, 0), measure(d.west, 0)), largest(measure(d.south, 1), measure(d.north, 1)));
    const Float8 open = (gate.closes - m) * (1 / (gate.closes - gate.opens));
    return largest(all(0), smallest(all(1), open)) * normal;
}

static void accelerate_row(const Scratch scratch, const Grid& grid, const Air& air, const Layer& layer,
                           const Gate& gate, const Fields fields, int r) {
    for (int c = 0; c < grid.columns; c += lanes) {
        const long at = place(grid, r, c);
        const Float8 moves = load(layer.moves + at);
        const Vector normal = moves * gated_normal(gate, nearest(scratch, grid, r, c));
        Vector accelerated;
        for (int i = 0; i < 3; ++i) {
            Float8 unpinned;
            accelerated.x[i] = moves * acceleration(scratch, grid, air, i, r, c, unpinned);
            store(fields.accelerations[i] + at, accelerated.x[i]);
            store(fields.normals[i] + at, normal.x[i]);
        }
        store(fields.accelerations[3] + at, dot(normal, accelerated));
    }
}

static void accelerate(const Grid& grid, const Air& air, const State& state, const Layer& layer, const Gate& gate,
                       const Fields& fields, float* memory, int begin, int end) {
    sweep(grid, air, state, memory, begin, end,
          [&](const Scratch& scratch, int r) { accelerate_row(scratch, grid, air, layer, gate, fields, r); });
}

// Goes down each strip of eight columns, so that of a row's neighbours only the newest are loaded: sums of left and
// right serve the row itself and the diagonals of the rows around it.
template <bool has_before>
static void filter_rows(const Layer& layer, const Grid& grid, const Pass pass, int begin, int end) {
    const long stride = grid.stride;
    const Float8 row = all(layer.row), column = all(layer.column), diagonal = all(layer.diagonal),
                 far_row = all(layer.far_row), far_column = all(layer.far_column);
    for (int c = 0; c < grid.columns; c += lanes) {
        const long first = place(grid, begin, c);
        const float* last = pass.last + first;
        const auto sides = [&](const float* at) { return load(at - 1) + load(at + 1); };
        Float8 above_2 = load(last - 2 * stride), above = load(last - stride), here = load(last),
               below = load(last + stride);
        Float8 sides_above = sides(last - stride), sides_here = sides(last);
        for (long at = first; at < first + (end - begin) * stride; at += stride, last += stride) {
            const Float8 below_2 = load(last + 2 * stride), sides_below = sides(last + stride);
            const Float8 neighbours = row * sides_here + column * (above + below) +
                                      diagonal * (sides_above + sides_below) +
                                      far_row * (load(last - 2) + load(last + 2)) + far_column * (above_2 + below_2);
            Float8 value = pass.own * load(pass.input + at) +
                           pass.share * (load(layer.centre + at) * here + load(layer.moves + at) * neighbours);
            if constexpr (has_before) value -= load(pass.before + at);
            store(pass.result + at, value);
            above_2 = above, above = here, here = below, below = below_2;
            sides_above = sides_here, sides_here = sides_below;
        }
    }
}

static void filter(const Layer& layer, const Grid& grid, const Pass& pass, int begin, int end) {
    pass.before ? filter_rows<true>(layer, grid, pass, begin, end) : filter_rows<false>(layer, grid, pass, begin, end);
}

static void move(const Grid& grid, const Factors& factors, const Fields& fields, const State& state, int begin,
                 int end) {
    const Double4 kept = Double4{} + factors.kept, impulse = Double4{} + factors.impulse,
                  time = Double4{} + factors.place;
    for (int r = begin; r < end; ++r)
        for (int i = 0; i < 3; ++i)
            for (int c = 0; c < grid.columns; c += lanes) {
                const long at = place(grid, r, c);
                const Float8 a = load(fields.accelerations[i] + at) +
                                 load(fields.normals[i] + at) * load(fields.accelerations[3] + at);
                const Float8 moves = __builtin_convertvector(-(load(grid.inverse_masses + at) > 0.0f), Float8);
                const auto advance = [&](long there, Double4 change, Double4 moving) {
                    const Double4 velocity = kept * moving * load(state.velocities[i] + there) + impulse * change;
                    store(state.velocities[i] + there, velocity);
                    store(state.positions[i] + there, load(state.positions[i] + there) + time * velocity);
                };
                advance(at, widen_first(a), widen_first(moves));
                advance(at + 4, widen_second(a), widen_second(moves));
            }
}

#undef TULLE_INLINE

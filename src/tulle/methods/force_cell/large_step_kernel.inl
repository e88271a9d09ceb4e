// SPDX-License-Identifier: Apache-2.0
// The body of large_step_kernel.h, included once for each instruction set inside a namespace of its own.
using namespace physics::mass_spring;
#include "tulle/physics/solvers/mass_spring_kernel.inl"

#define TULLE_INLINE static inline __attribute__((always_inline))

TULLE_INLINE Float8 largest(Float8 a, Float8 b) { return a > b ? a : b; }
TULLE_INLINE Float8 smallest(Float8 a, Float8 b) { return a < b ? a : b; }

// Differences along the row and the column through a vertex: from west to here to east, from north to here to south.
// They are zero where there is no neighbour.
struct Nearest {
    Vector from_west, to_east, from_north, to_south;
};

TULLE_INLINE Nearest inner_nearest(const Scratch& scratch, int r, int c) {
    return {load(scratch.along, c - 1), load(scratch.along, c), load(scratch.down[(r + 2) % 3], c),
            load(scratch.down[r % 3], c)};
}

TULLE_INLINE Nearest border_nearest(const Scratch& scratch, const Grid& grid, int r, int c) {
    Float8 has_east = load(grid.column_exists[2] + margin + c), has_west = load(grid.column_exists[0] + margin + c),
           has_south = all(r + 1 < grid.rows ? 1.0f : 0.0f), has_north = all(r > 0 ? 1.0f : 0.0f);
    if (grid.neighbour_exists[0]) {
        const long at = place(grid, r, c);
        has_east = load(grid.neighbour_exists[0] + at);
        has_west = has_west * load(grid.neighbour_exists[0] + at - 1);
        has_south = load(grid.neighbour_exists[1] + at);
        has_north = r > 0 ? load(grid.neighbour_exists[1] + at - grid.stride) : has_north;
    }
    const Nearest d = inner_nearest(scratch, r, c);
    return {has_west * d.from_west, has_east * d.to_east, has_north * d.from_north, has_south * d.to_south};
}

TULLE_INLINE Vector gated_normal(const Gate& gate, const Nearest& d) {
    const Vector area = cross(d.from_west + d.to_east, d.from_north + d.to_south);
    const Vector normal = inverse_root(dot(area, area) + 1e-30f) * area;
    const auto measure = [&](const Vector& side) {
        const Float8 across = dot(side, normal);
        return dot(side, side) + gate.fold_weight * across * across;
    };
    const Float8 m = largest(gate.inverse_squares[0] * largest(measure(d.from_west), measure(d.to_east)),
                             gate.inverse_squares[1] * largest(measure(d.from_north), measure(d.to_south)));
    const Float8 open = (gate.closes - m) * (1 / (gate.closes - gate.opens));
    return largest(all(0), smallest(all(1), open)) * normal;
}

TULLE_INLINE void accelerate_vertices(const Scratch& scratch, const Grid& grid, const Air& air, const Layer& layer,
                                      const Gate& gate, const Fields& fields, int r, int c, const Nearest& nearest) {
    const long at = place(grid, r, c);
    const Float8 scale = load(layer.scales + at), pull = load(layer.pulls + at);
    const Vector normal = gated_normal(gate, nearest);
    Vector accelerated;
    for (int i = 0; i < 3; ++i) {
        accelerated.x[i] = scale * all(air.gravity[i]) + pull * waiting_force(scratch, i, c);
        store(fields.accelerations[i] + at, accelerated.x[i]);
        store(fields.normals[i] + at, normal.x[i]);
    }
    store(fields.accelerations[3] + at, dot(normal, accelerated));
}

static void accelerate_row(const Scratch scratch, const Grid grid, const Air& air, const Layer layer, const Gate gate,
                           const Fields fields, int r) {
    const bool is_inner = r > 0 && r + 1 < grid.rows && !grid.neighbour_exists[0];
    for (int c = 0; c < grid.columns; c += lanes) {
        if (is_inner && c > 0 && c + lanes < grid.columns)
            accelerate_vertices(scratch, grid, air, layer, gate, fields, r, c, inner_nearest(scratch, r, c));
        else
            accelerate_vertices(scratch, grid, air, layer, gate, fields, r, c, border_nearest(scratch, grid, r, c));
    }
}

static void accelerate(const Grid& grid, const Air& air, const State& state, const Layer& layer, const Gate& gate,
                       const Fields& fields, float* memory, int begin, int end) {
    sweep(grid, air, state, memory, begin, end,
          [&](const Scratch& scratch, int r) { accelerate_row(scratch, grid, air, layer, gate, fields, r); });
}

// Sums of five in a row.
TULLE_INLINE Float8 five(const float* at) {
    return (load(at - 2) + load(at + 2)) + (load(at - 1) + load(at + 1)) + load(at);
}

// Goes down a strip of two vectors of columns, a cache line, so that only the newest row of a box is summed. Inside the
// cloth all vertices are alike, which spares two arrays.
template <bool has_before>
static void filter_strip(const Layer& layer, const Grid& grid, const Pass pass, int begin, int end, int c) {
    const long stride = grid.stride;
    const Float8 own = all(pass.own), share = all(pass.share), box = all(layer.box * pass.share),
                 centre = all(layer.centre_inside * pass.share);
    const long first = place(grid, begin, c);
    Float8 above_2[2], above[2], here[2], below[2];  // sums of five
    for (int k = 0; k < 2; ++k) {
        const float* last = pass.last + first + lanes * k;
        above_2[k] = five(last - 2 * stride), above[k] = five(last - stride), here[k] = five(last);
        below[k] = five(last + stride);
    }
    const unsigned char* is_inside = layer.inside + static_cast<long>(begin) * layer.strips + c / strip;
    for (long row = first; row < first + (end - begin) * stride; row += stride, is_inside += layer.strips)
        for (int k = 0; k < 2; ++k) {
            const long at = row + lanes * k;
            const Float8 below_2 = five(pass.last + at + 2 * stride);
            const Float8 sum = (above_2[k] + below_2) + (above[k] + below[k]) + here[k];
            Float8 value = own * load(pass.input + at);
            if constexpr (has_before) value -= load(pass.before + at);
            value += *is_inside ? centre * load(pass.last + at) + box * sum
                                : share * load(layer.centre + at) * load(pass.last + at) +
                                      box * load(layer.squares + at) * sum;
            store(pass.result + at, value);
            above_2[k] = above[k], above[k] = here[k], here[k] = below[k], below[k] = below_2;
        }
}

template <bool has_before>
static void filter_rows(const Layer& layer, const Grid& grid, const Pass& pass, int begin, int end) {
    for (int c = 0; c < grid.columns; c += strip) filter_strip<has_before>(layer, grid, pass, begin, end, c);
}

static void filter(const Layer& layer, const Grid& grid, const Pass& pass, int begin, int end) {
    pass.before ? filter_rows<true>(layer, grid, pass, begin, end) : filter_rows<false>(layer, grid, pass, begin, end);
}

static void move(const Grid& grid, const Layer& layer, const Factors& factors, const Fields& fields, const State& state,
                 int begin, int end) {
    const Double4 kept = Double4{} + factors.kept, impulse = Double4{} + factors.impulse,
                  time = Double4{} + factors.place;
    for (long at = place(grid, begin, 0); at < place(grid, end, 0); at += lanes) {
        const Float8 along = load(fields.accelerations[3] + at);
        const Float8 inverse = load(layer.inverse_scales + at);  // zero for margins and pins
        const Float8 moves = __builtin_convertvector(-(inverse > 0.0f), Float8);
        for (int i = 0; i < 3; ++i) {
            const Float8 a = inverse * (load(fields.accelerations[i] + at) + load(fields.normals[i] + at) * along);
            const auto advance = [&](long there, Double4 change, Double4 moving) {
                const Double4 velocity = kept * moving * load(state.velocities[i] + there) + impulse * change;
                store(state.velocities[i] + there, velocity);
                store(state.positions[i] + there, load(state.positions[i] + there) + time * velocity);
            };
            advance(at, widen_first(a), widen_first(moves));
            advance(at + 4, widen_second(a), widen_second(moves));
        }
    }
}

#undef TULLE_INLINE

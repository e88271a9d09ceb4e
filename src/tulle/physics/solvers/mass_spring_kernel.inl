// SPDX-License-Identifier: Apache-2.0
// The body of mass_spring_kernel.h, included once for each instruction set inside a namespace of its own. It goes down
// the rows once a step. Every spring and triangle is computed once, in the row where it begins; what it does to the
// rows below waits in the scratch, which stays in the nearest cache.
#include "tulle/physics/solvers/mass_spring_vectors.inl"

struct Scratch {
    Row velocities[3];  // of row r in [r % 3]
    Row down[3];        // x(r + 1, c) − x(r, c), of row r in [r % 3]
    Row along;          // x(r, c + 1) − x(r, c)
    // Forces [N] on vertices of row r: from what begins at the same column, one to the left and two to the left.
    Row here, right, far_right;
    // Forces on vertices of row r + 1 in [r % 2], from what begins at the same column, left of it and right of it; and
    // on those of row r + 2.
    Row below[2], below_right[2], below_left[2], far_below;
};

TULLE_INLINE Scratch divide(float* memory, long stride) {
    float* next = memory + margin;
    const auto row = [&]() -> Row {
        next += 3 * stride;
        return {{next - 3 * stride, next - 2 * stride, next - stride}};
    };
    return {{row(), row(), row()}, {row(), row(), row()}, row(),          row(), row(), row(),
            {row(), row()},        {row(), row()},        {row(), row()}, row()};
}

TULLE_INLINE long place(const Grid& grid, int row, int column) {
    return static_cast<long>(row) * grid.stride + margin + column;
}

// Differences of the row `to` and the row `from`, both of positions, or the velocities.
TULLE_INLINE void take_row(float* result, const double* to, const double* from, int columns) {
    for (int c = 0; c < columns; c += lanes)
        store(result + c, narrow(load(to + c) - load(from + c), load(to + c + 4) - load(from + c + 4)));
}
TULLE_INLINE void take_row(float* result, const double* values, int columns) {
    for (int c = 0; c < columns; c += lanes) store(result + c, narrow(load(values + c), load(values + c + 4)));
}

static void take_velocities(const Scratch& scratch, const Grid& grid, const State& state, int r) {
    for (int i = 0; i < 3; ++i)
        take_row(scratch.velocities[r % 3].x[i], state.velocities[i] + place(grid, r, 0), grid.columns);
}
static void take_down(const Scratch& scratch, const Grid& grid, const State& state, int r) {
    for (int i = 0; i < 3; ++i)
        take_row(scratch.down[r % 3].x[i], state.positions[i] + place(grid, r + 1, 0),
                 state.positions[i] + place(grid, r, 0), grid.columns);
}
static void take_along(const Scratch& scratch, const Grid& grid, const State& state, int r) {
    for (int i = 0; i < 3; ++i)
        take_row(scratch.along.x[i], state.positions[i] + place(grid, r, 1), state.positions[i] + place(grid, r, 0),
                 grid.columns);
}

struct Spring {
    Float8 stiffness, pulled, damping, softening;
};
struct Breeze {
    Float8 normal, tangential;  // on a vertex of a triangle, for twice its area and thrice the relative velocity
    Vector thrice_wind;
};
struct RowLaws {
    Spring springs[6];
    Breeze breeze;
};

// Nothing acts on rows that do not exist.
TULLE_INLINE RowLaws laws_of_row(const Grid& grid, const Air& air, int r) {
    RowLaws laws;
    for (int i = 0; i < 6; ++i) {
        const Direction& spring = grid.directions[i];
        const float exists = r + spring.rows < grid.rows ? 1.0f : 0.0f;
        laws.springs[i] = {all(exists * spring.stiffness), all(exists * spring.pull), all(exists * spring.damping),
                           all(spring.softening)};
    }
    const float share = r + 1 < grid.rows ? 1.0f / 18 : 0.0f;
    laws.breeze = {all(share * (air.normal - air.tangential)),
                   all(share * air.tangential),
                   {{all(3 * air.wind[0]), all(3 * air.wind[1]), all(3 * air.wind[2])}}};
    return laws;
}

template <bool holed>
TULLE_INLINE Float8 has_neighbour(const Grid& grid, int direction, int r, long c, Float8 without_holes) {
    return holed ? load(grid.neighbour_exists[direction] + place(grid, r, static_cast<int>(c))) : without_holes;
}

// Equations 1 and 2 of the force-cell paper: (k (1 − L/|d|) + c (d·w)/|d|²) d
TULLE_INLINE Vector pull(const Spring& spring, Float8 exists, const Vector& d, const Vector& w) {
    const Float8 inverse = inverse_root(dot(d, d) + spring.softening);
    return exists * (spring.stiffness - inverse * (spring.pulled - spring.damping * inverse * dot(d, w))) * d;
}

// Wejchert and Haumann 1991: A/3 (c_n (n·u) n + c_t (u − (n·u) n)) for a triangle with sides a, b.
TULLE_INLINE Vector third_of_wind(const Breeze& breeze, Float8 exists, const Vector& a, const Vector& b,
                                  const Vector& thrice_velocity) {
    const Vector twice_area = cross(a, b), relative = breeze.thrice_wind - thrice_velocity;
    const Float8 square = dot(twice_area, twice_area);
    const Float8 inverse = exists * inverse_root(square + 1e-30f);
    return breeze.normal * inverse * dot(twice_area, relative) * twice_area +
           breeze.tangential * inverse * square * relative;
}

//   here ── right         The two triangles of a quad: first (here, below, across), second (here, across, right).
//     │  ╲    │           Its three springs that meet at `here` share their differences with them.
//   below ─ across
template <bool blows, bool holed>
TULLE_INLINE Vector add_quad(const Scratch& scratch, const Grid& grid, const RowLaws& laws, int r, long c) {
    const Row velocities = scratch.velocities[r % 3], velocities_below = scratch.velocities[(r + 1) % 3];
    const Float8 exists = load(grid.column_exists[2] + margin + c);
    const Vector d_right = load(scratch.along, c), d_below = load(scratch.down[r % 3], c),
                 d_across = d_right + load(scratch.down[r % 3], c + 1);
    const Vector v = load(velocities, c), v_right = load(velocities, c + 1), v_below = load(velocities_below, c),
                 v_across = load(velocities_below, c + 1);
    const Vector right = pull(laws.springs[0], has_neighbour<holed>(grid, 0, r, c, exists), d_right, v_right - v);
    const Vector below = pull(laws.springs[1], has_neighbour<holed>(grid, 1, r, c, all(1)), d_below, v_below - v);
    const Vector across = pull(laws.springs[2], has_neighbour<holed>(grid, 2, r, c, exists), d_across, v_across - v);
    Vector first = {}, second = {};
    if constexpr (blows) {
        first = third_of_wind(laws.breeze, exists, d_below, d_across, v + v_across + v_below);
        second = third_of_wind(laws.breeze, exists, d_across, d_right, v + v_across + v_right);
    }
    const Vector both = first + second;
    store(scratch.right, c, second - right);
    store(scratch.below[r % 2], c, load(scratch.far_below, c) + first - below);
    store(scratch.below_right[r % 2], c, both - across);
    return right + below + across + both;
}

// The springs to the lower left, two to the right and two down.
template <bool holed>
TULLE_INLINE Vector add_other_springs(const Scratch& scratch, const Grid& grid, const RowLaws& laws, int r, long c) {
    const Row velocities = scratch.velocities[r % 3], velocities_below = scratch.velocities[(r + 1) % 3],
              velocities_far = scratch.velocities[(r + 2) % 3], down = scratch.down[r % 3];
    const Vector v = load(velocities, c);
    const Vector left =
        pull(laws.springs[3], has_neighbour<holed>(grid, 3, r, c, load(grid.column_exists[0] + margin + c)),
             load(down, c - 1) - load(scratch.along, c - 1), load(velocities_below, c - 1) - v);
    const Vector far_right =
        pull(laws.springs[4], has_neighbour<holed>(grid, 4, r, c, load(grid.column_exists[3] + margin + c)),
             load(scratch.along, c) + load(scratch.along, c + 1), load(velocities, c + 2) - v);
    const Vector far_below = pull(laws.springs[5], has_neighbour<holed>(grid, 5, r, c, all(1)),
                                  load(down, c) + load(scratch.down[(r + 1) % 3], c), load(velocities_far, c) - v);
    store(scratch.below_left[r % 2], c, Vector{} - left);
    store(scratch.far_right, c, Vector{} - far_right);
    store(scratch.far_below, c, Vector{} - far_below);
    return left + far_right + far_below;
}

// The scratch is a copy, so that the compiler knows that no store changes its addresses.
template <bool blows, bool holed>
static void add_row(const Scratch scratch, const Grid grid, const RowLaws laws, int r) {
    const int before = (r + 1) % 2;
    for (long c = 0; c < grid.columns; c += lanes) {
        const Vector waited = load(scratch.below[before], c) + load(scratch.below_right[before], c - 1) +
                              load(scratch.below_left[before], c + 1);
        const Vector quad = add_quad<blows, holed>(scratch, grid, laws, r, c);
        store(scratch.here, c, waited + quad + add_other_springs<holed>(scratch, grid, laws, r, c));
    }
}

// Equation 3 over the four corners: N×W, W×S, S×E, E×N.
static void add_pressure(const Scratch& scratch, const Grid& grid, const Air& air, int r) {
    const Row above = scratch.down[(r + 2) % 3], down = scratch.down[r % 3];
    const Float8 has_above = all(r > 0 ? 1.0f : 0.0f), has_below = all(r + 1 < grid.rows ? 1.0f : 0.0f);
    for (long c = 0; c < grid.columns; c += lanes) {
        const Float8 has_left = load(grid.column_exists[0] + margin + c),
                     has_right = load(grid.column_exists[2] + margin + c);
        const Vector north = has_above * (Vector{} - load(above, c)), south = has_below * load(down, c),
                     west = has_left * (Vector{} - load(scratch.along, c - 1)),
                     east = has_right * load(scratch.along, c);
        const Vector area = cross(north, west) + cross(west, south) + cross(south, east) + cross(east, north);
        store(scratch.here, c, load(scratch.here, c) + all(0.25f * air.pressure) * area);
    }
}

// What pulls at the vertices of the row that is being finished [N].
TULLE_INLINE Float8 waiting_force(const Scratch& scratch, int i, int c) {
    return load(scratch.here.x[i] + c) + load(scratch.right.x[i] + c - 1) + load(scratch.far_right.x[i] + c - 2);
}

static void move_row(const Scratch scratch, const Grid& grid, const Air& air, double dt, const State old,
                     const State now, int r) {
    const Double4 time = Double4{} + dt, kept = Double4{} + air.drag_factor;
    for (int i = 0; i < 3; ++i) {
        const Float8 gravity = all(air.gravity[i]);
        for (int c = 0; c < grid.columns; c += lanes) {
            const long at = place(grid, r, c);
            const Float8 inverse_mass = load(grid.inverse_masses + at);
            // Margins and pins have no inverse mass and keep their place.
            const Float8 moves = __builtin_convertvector(-(inverse_mass > 0.0f), Float8);
            const Float8 acceleration = moves * gravity + inverse_mass * waiting_force(scratch, i, c);
            const auto move = [&](long there, Double4 a, Double4 moving) {
                const Double4 velocity = kept * (moving * load(old.velocities[i] + there) + time * a);
                store(now.velocities[i] + there, velocity);
                store(now.positions[i] + there, load(old.positions[i] + there) + time * velocity);
            };
            move(at, widen_first(acceleration), widen_first(moves));
            move(at + 4, widen_second(acceleration), widen_second(moves));
        }
    }
}

// The forces of rows [begin, end): `finish(scratch, r)` is called for each row when `here`, `right` and `far_right`
// hold them.
template <class Finish>
TULLE_INLINE void sweep(const Grid& grid, const Air& air, const State& old, float* memory, int begin, int end,
                        Finish finish) {
    const Scratch scratch = divide(memory, grid.stride);
    // What begins in the two rows before pulls at these rows too, whoever moves them.
    const int first = begin > 2 ? begin - 2 : 0, before = (first + 1) % 2;
    const Row waiting[] = {scratch.below[before], scratch.below_right[before], scratch.below_left[before],
                           scratch.far_below};
    for (const Row& row : waiting)
        for (long c = 0; c < grid.columns; c += lanes) store(row, c, Vector{});
    take_velocities(scratch, grid, old, first);
    take_velocities(scratch, grid, old, first + 1);
    take_down(scratch, grid, old, first);
    for (int r = first; r < end; ++r) {
        take_velocities(scratch, grid, old, r + 2);
        take_down(scratch, grid, old, r + 1);
        take_along(scratch, grid, old, r);
        const RowLaws laws = laws_of_row(grid, air, r);
        if (grid.neighbour_exists[0])
            add_row<false, true>(scratch, grid, laws, r);
        else
            air.blows ? add_row<true, false>(scratch, grid, laws, r) : add_row<false, false>(scratch, grid, laws, r);
        if (r < begin) continue;
        if (air.pressure != 0) add_pressure(scratch, grid, air, r);
        finish(scratch, r);
    }
}

[[maybe_unused]] static void step(const Grid& grid, const Air& air, double dt, const State& old, const State& now,
                                  float* memory, int begin, int end) {
    sweep(grid, air, old, memory, begin, end,
          [&](const Scratch& scratch, int r) { move_row(scratch, grid, air, dt, old, now, r); });
}

#undef TULLE_INLINE

// SPDX-License-Identifier: Apache-2.0
// The body of mass_spring_kernel.h, included once for each instruction set inside a namespace of its own.

typedef float Float8 __attribute__((vector_size(32)));
typedef double Double8 __attribute__((vector_size(64)));
typedef float LooseFloat8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef double LooseDouble8 __attribute__((vector_size(64), aligned(8), may_alias));

#define TULLE_INLINE static inline __attribute__((always_inline))

TULLE_INLINE Float8 load(const float* at) { return *reinterpret_cast<const LooseFloat8*>(at); }
TULLE_INLINE Double8 load(const double* at) { return *reinterpret_cast<const LooseDouble8*>(at); }
TULLE_INLINE void store(float* at, Float8 value) { *reinterpret_cast<LooseFloat8*>(at) = value; }
TULLE_INLINE void store(double* at, Double8 value) { *reinterpret_cast<LooseDouble8*>(at) = value; }
TULLE_INLINE Float8 narrow(Double8 value) { return __builtin_convertvector(value, Float8); }
TULLE_INLINE Double8 widen(Float8 value) { return __builtin_convertvector(value, Double8); }

// 1/√x; a vanishing x gives a large finite number.
TULLE_INLINE Float8 inverse_root(Float8 x) {
    x += 1e-30f;
#ifdef __AVX2__
    const Float8 guess = __builtin_ia32_rsqrtps256(x);
    return guess * (1.5f - 0.5f * x * guess * guess);  // one Newton correction: 23 bits
#else
    Float8 result;
    for (int i = 0; i < lanes; ++i) result[i] = 1.0f / __builtin_sqrtf(x[i]);
    return result;
#endif
}

struct Vector {
    Float8 x[3];
};

TULLE_INLINE Float8 dot(const Vector& a, const Vector& b) {
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}
TULLE_INLINE Vector cross(const Vector& a, const Vector& b) {
    return {{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2], a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}
TULLE_INLINE void add_scaled(Vector& sum, Float8 factor, const Vector& a) {
    for (int i = 0; i < 3; ++i) sum.x[i] += factor * a.x[i];
}
// x[to] − x[from]: neighbours are near each other, so the difference of the high parts is exact (Sterbenz).
TULLE_INLINE Vector distance(const State& state, long to, long from) {
    Vector d;
    for (int i = 0; i < 3; ++i)
        d.x[i] = (load(state.high[i] + to) - load(state.high[i] + from)) +
                 (load(state.low[i] + to) - load(state.low[i] + from));
    return d;
}
TULLE_INLINE Vector relative_velocity(const State& state, long to, long from) {
    Vector w;
    for (int i = 0; i < 3; ++i) w.x[i] = load(state.rough_velocities[i] + to) - load(state.rough_velocities[i] + from);
    return w;
}

TULLE_INLINE long place(const Grid& grid, int row, int column) {
    return static_cast<long>(row + 2) * grid.stride + margin + column;
}

// Wejchert and Haumann 1991: A/3 (c_n (n·u) n + c_t (u − (n·u) n)) for a triangle with sides a, b.
TULLE_INLINE Vector third_of_wind(const Air& air, const Vector& a, const Vector& b, const Vector& relative,
                                  Float8 exists) {
    const Vector twice_area = cross(a, b);
    const Float8 square = dot(twice_area, twice_area);
    const Float8 inverse = inverse_root(square);
    const Float8 sixth = exists * (1.0f / 6);
    const Float8 normal_part = sixth * (air.normal - air.tangential) * dot(twice_area, relative) * inverse;
    Vector force = {{normal_part * twice_area.x[0], normal_part * twice_area.x[1], normal_part * twice_area.x[2]}};
    add_scaled(force, sixth * air.tangential * square * inverse, relative);
    return force;
}

static void blow(const Grid& grid, const Air& air, const State& state, const QuadForces& forces, int begin, int end) {
    for (int r = begin; r < end && r + 1 < grid.rows; ++r) {
        for (int c = 0; c < grid.columns; c += lanes) {
            const long here = place(grid, r, c), below = here + grid.stride, across = below + 1, right = here + 1;
            const Float8 exists = load(grid.column_exists[3] + margin + c);
            const Vector down = distance(state, below, here);
            const Vector diagonal = distance(state, across, here);
            const Vector along = distance(state, right, here);
            Vector first, second;
            for (int i = 0; i < 3; ++i) {
                const float* velocities = state.rough_velocities[i];
                const Float8 shared = load(velocities + here) + load(velocities + across);
                first.x[i] = air.wind[i] - (shared + load(velocities + below)) * (1.0f / 3);
                second.x[i] = air.wind[i] - (shared + load(velocities + right)) * (1.0f / 3);
            }
            first = third_of_wind(air, down, diagonal, first, exists);
            second = third_of_wind(air, diagonal, along, second, exists);
            for (int i = 0; i < 3; ++i) {
                store(forces.first[i] + here, first.x[i]);
                store(forces.second[i] + here, second.x[i]);
            }
        }
    }
}

// A row of vertices at a time: forces are summed here, one direction after the other, so that the addresses and the
// constants of a direction stay in registers.
struct RowForces {
    float* x[3];  // [c]
};

// Equations 1 and 2 of the force-cell paper: the springs of one direction from every vertex of row r.
// State and forces are copies, so that the compiler knows that no store changes their addresses.
TULLE_INLINE void add_springs(const RowForces forces, const Grid& grid, const Direction& spring, int sign,
                              const State state, int r) {
    const int columns = grid.columns;
    const int dr = sign * spring.rows, dc = sign * spring.columns;
    const long row = place(grid, r, 0), shift = dr * static_cast<long>(grid.stride) + dc;
    const float* exists = grid.column_exists[dc + 2] + margin;
    const Float8 stiffness = Float8{} + spring.stiffness, pulled = Float8{} + spring.stiffness * spring.rest_length,
                 damping = Float8{} + spring.damping;
    for (int c = 0; c < columns; c += lanes) {
        const long here = row + c;
        const Vector d = distance(state, here + shift, here);
        const Vector w = relative_velocity(state, here + shift, here);
        const Float8 inverse = inverse_root(dot(d, d));
        // k (1 − L/|d|) + c (d·w)/|d|², times d
        const Float8 pull = load(exists + c) * (stiffness - inverse * (pulled - damping * dot(d, w) * inverse));
        for (int i = 0; i < 3; ++i) store(forces.x[i] + c, load(forces.x[i] + c) + pull * d.x[i]);
    }
}

// Equation 3 over the four corners: N×W, W×S, S×E, E×N.
TULLE_INLINE void add_pressure(Vector& force, const Grid& grid, const Air& air, const State& state, int r, int c) {
    constexpr int rows[4] = {-1, 0, 1, 0}, columns[4] = {0, -1, 0, 1};
    const long here = place(grid, r, c);
    for (int i = 0; i < 4; ++i) {
        const int j = (i + 1) % 4;
        if (r + rows[i] + rows[j] < 0 || r + rows[i] + rows[j] >= grid.rows) continue;
        const Float8 exists = load(grid.column_exists[columns[i] + columns[j] + 2] + margin + c);
        const Vector first = distance(state, here + rows[i] * grid.stride + columns[i], here);
        const Vector second = distance(state, here + rows[j] * grid.stride + columns[j], here);
        add_scaled(force, 0.25f * air.pressure * exists, cross(first, second));
    }
}

TULLE_INLINE void add_wind(Vector& force, const QuadForces& quads, long here, long stride) {
    for (int i = 0; i < 3; ++i)
        force.x[i] += load(quads.first[i] + here) + load(quads.second[i] + here) +
                      load(quads.first[i] + here - stride) + load(quads.second[i] + here - 1) +
                      load(quads.first[i] + here - stride - 1) + load(quads.second[i] + here - stride - 1);
}

static void sum_row(const RowForces& forces, const Grid& grid, const Air& air, const State& state,
                    const QuadForces& quads, int r) {
    for (int i = 0; i < 3; ++i)
        for (int c = 0; c < grid.columns; c += lanes) store(forces.x[i] + c, Float8{});
    for (const Direction& spring : grid.directions) {
        if (spring.stiffness == 0 && spring.damping == 0) continue;
        if (r - spring.rows >= 0) add_springs(forces, grid, spring, -1, state, r);
        if (r + spring.rows < grid.rows) add_springs(forces, grid, spring, 1, state, r);
    }
    if (air.pressure == 0 && !air.blows) return;
    for (int c = 0; c < grid.columns; c += lanes) {
        Vector force = {};
        if (air.pressure != 0) add_pressure(force, grid, air, state, r, c);
        if (air.blows) add_wind(force, quads, place(grid, r, c), grid.stride);
        for (int i = 0; i < 3; ++i) store(forces.x[i] + c, load(forces.x[i] + c) + force.x[i]);
    }
}

TULLE_INLINE void store_rounded(const State& state, int axis, long at, Double8 position, Double8 velocity) {
    const Float8 high = narrow(position);
    store(state.high[axis] + at, high);
    store(state.low[axis] + at, narrow(position - widen(high)));
    store(state.rough_velocities[axis] + at, narrow(velocity));
}

static void round(const Grid& grid, const State& state, int begin, int end) {
    for (int r = begin; r < end; ++r) {
        for (int c = 0; c < grid.columns; c += lanes) {
            const long here = place(grid, r, c);
            for (int i = 0; i < 3; ++i)
                store_rounded(state, i, here, load(state.positions[i] + here), load(state.velocities[i] + here));
        }
    }
}

static void step(const Grid& grid, const Air& air, double dt, const State& old, const QuadForces& quads,
                 const State& now, int begin, int end) {
    float sums[3][most_columns];
    const RowForces forces = {{sums[0], sums[1], sums[2]}};
    for (int r = begin; r < end; ++r) {
        sum_row(forces, grid, air, old, quads, r);
        for (int c = 0; c < grid.columns; c += lanes) {
            const long here = place(grid, r, c);
            const Float8 inverse_mass = load(grid.inverse_masses + here);
            // Margins and pins have no inverse mass and keep their place.
            const Float8 moves = __builtin_convertvector(inverse_mass > 0.0f, Float8) * -1.0f;
            for (int i = 0; i < 3; ++i) {
                const Double8 acceleration = widen(moves * air.gravity[i] + inverse_mass * load(forces.x[i] + c));
                const Double8 velocity = air.drag_factor * load(old.velocities[i] + here) + dt * acceleration;
                const Double8 position = load(old.positions[i] + here) + dt * velocity;
                store(now.velocities[i] + here, velocity);
                store(now.positions[i] + here, position);
                store_rounded(now, i, here, position, velocity);
            }
        }
    }
}

#undef TULLE_INLINE

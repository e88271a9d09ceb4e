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
    return guess * (1.5f - 0.5f * x * guess * guess);    // one Newton correction: 23 bits
#else
    Float8 result;
    for (int i = 0; i < lanes; ++i) result[i] = 1.0f / __builtin_sqrtf(x[i]);
    return result;
#endif
}

struct Vector {
    Float8 x[3];
};

TULLE_INLINE Float8 dot(const Vector& a, const Vector& b) { return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2]; }
TULLE_INLINE Vector cross(const Vector& a, const Vector& b) {
    return {{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2], a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}
TULLE_INLINE void add_scaled(Vector& sum, Float8 factor, const Vector& a) {
    for (int i = 0; i < 3; ++i) sum.x[i] += factor * a.x[i];
}
// points[to] − points[from]
TULLE_INLINE Vector difference(const Points& points, long to, long from) {
    Vector d;
    for (int i = 0; i < 3; ++i) d.x[i] = narrow(load(points.x[i] + to) - load(points.x[i] + from));
    return d;
}

TULLE_INLINE long place(const Grid& grid, int row, int column) {
    return static_cast<long>(row + 2) * grid.stride + margin + column;
}

// c (Wejchert and Haumann 1991): A/3 (c_n (n·u) n + c_t (u − (n·u) n)) for a triangle with sides a, b.
TULLE_INLINE Vector third_of_wind(const Air& air, const Vector& a, const Vector& b, const Vector& relative, Float8 exists) {
    const Vector twice_area = cross(a, b);
    const Float8 square = dot(twice_area, twice_area);
    const Float8 inverse = inverse_root(square);
    const Float8 sixth = exists * (1.0f / 6);
    const Float8 normal_part = sixth * (air.normal - air.tangential) * dot(twice_area, relative) * inverse;
    Vector force = {{normal_part * twice_area.x[0], normal_part * twice_area.x[1], normal_part * twice_area.x[2]}};
    add_scaled(force, sixth * air.tangential * square * inverse, relative);
    return force;
}

static void blow(const Grid& grid, const Air& air, const Points& positions, const Points& velocities,
                 const QuadForces& forces, int begin, int end) {
    for (int r = begin; r < end && r + 1 < grid.rows; ++r) {
        for (int c = 0; c < grid.columns; c += lanes) {
            const long here = place(grid, r, c), below = here + grid.stride, across = below + 1, right = here + 1;
            const Float8 exists = load(grid.column_exists[3] + margin + c);
            const Vector down = difference(positions, below, here);
            const Vector diagonal = difference(positions, across, here);
            const Vector along = difference(positions, right, here);
            Vector first, second;
            for (int i = 0; i < 3; ++i) {
                const Double8 shared = load(velocities.x[i] + here) + load(velocities.x[i] + across);
                first.x[i] = air.wind[i] - narrow(shared + load(velocities.x[i] + below)) * (1.0f / 3);
                second.x[i] = air.wind[i] - narrow(shared + load(velocities.x[i] + right)) * (1.0f / 3);
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

// Equations 1 and 2 of the force-cell paper for one neighbour at distance d, relative velocity w.
TULLE_INLINE void add_spring(Vector& force, const Direction& spring, Float8 exists, const Vector& d, const Vector& w) {
    const Float8 inverse = inverse_root(dot(d, d));
    const Float8 pull = spring.stiffness * (1.0f - spring.rest_length * inverse) + spring.damping * dot(d, w) * inverse * inverse;
    add_scaled(force, exists * pull, d);
}

// Equation 3 over the four corners: N×W, W×S, S×E, E×N.
TULLE_INLINE void add_pressure(Vector& force, const Air& air, const Vector around[4], const Float8 exists[4]) {
    for (int i = 0; i < 4; ++i) {
        const int j = (i + 1) % 4;
        add_scaled(force, 0.25f * air.pressure * exists[i] * exists[j], cross(around[i], around[j]));
    }
}

TULLE_INLINE void add_wind(Vector& force, const QuadForces& quads, long here, long stride) {
    for (int i = 0; i < 3; ++i)
        force.x[i] += load(quads.first[i] + here) + load(quads.second[i] + here) + load(quads.first[i] + here - stride) +
                      load(quads.second[i] + here - 1) + load(quads.first[i] + here - stride - 1) +
                      load(quads.second[i] + here - stride - 1);
}

TULLE_INLINE Vector total_force(const Grid& grid, const Air& air, const Points& positions, const Points& velocities,
                                const QuadForces& quads, int r, int c) {
    const long here = place(grid, r, c);
    Vector force = {};
    Vector around[4] = {};    // N, W, S, E
    Float8 around_exists[4] = {};
    for (int i = 0; i < 6; ++i) {
        const Direction& spring = grid.directions[i];
        for (int sign = -1; sign <= 1; sign += 2) {
            const int dr = sign * spring.rows, dc = sign * spring.columns;
            if (r + dr < 0 || r + dr >= grid.rows) continue;
            const long there = here + dr * static_cast<long>(grid.stride) + dc;
            const Float8 exists = load(grid.column_exists[dc + 2] + margin + c);
            const Vector d = difference(positions, there, here);
            add_spring(force, spring, exists, d, difference(velocities, there, here));
            if (i < 2) {
                const int side = i == 0 ? (sign < 0 ? 1 : 3) : (sign < 0 ? 0 : 2);
                around[side] = d;
                around_exists[side] = exists;
            }
        }
    }
    if (air.pressure != 0) add_pressure(force, air, around, around_exists);
    if (air.blows) add_wind(force, quads, here, grid.stride);
    return force;
}

static void step(const Grid& grid, const Air& air, double dt, const Points& positions, const Points& velocities,
                 const QuadForces& quads, const Points& new_positions, const Points& new_velocities, int begin, int end) {
    for (int r = begin; r < end; ++r) {
        for (int c = 0; c < grid.columns; c += lanes) {
            const long here = place(grid, r, c);
            const Vector force = total_force(grid, air, positions, velocities, quads, r, c);
            const Float8 inverse_mass = load(grid.inverse_masses + here);
            // Margins and pins have no inverse mass and keep their place.
            const Float8 moves = __builtin_convertvector(inverse_mass > 0.0f, Float8) * -1.0f;
            for (int i = 0; i < 3; ++i) {
                const Double8 acceleration = widen(moves * air.gravity[i] + inverse_mass * force.x[i]);
                const Double8 velocity = air.drag_factor * load(velocities.x[i] + here) + dt * acceleration;
                store(new_velocities.x[i] + here, velocity);
                store(new_positions.x[i] + here, load(positions.x[i] + here) + dt * velocity);
            }
        }
    }
}

#undef TULLE_INLINE

// SPDX-License-Identifier: Apache-2.0
// The body of pair_kernel.h, included by one file per instruction set inside an unnamed namespace. What is not a number
// counts as near.

#include "tulle/core/vector8.inl"

// Below this squared sine, lines count as parallel and triangles as slivers: what would be divided by it is noise. What
// is said of them may be wrong by the sine times their length, and a third more for rounding.
constexpr float narrow = 1e-5f;
constexpr float narrow_slack = 4.2e-3f;

struct Points8 {
    Float8 x, y, z;
};

TULLE_INLINE Points8 operator+(const Points8& a, const Points8& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
TULLE_INLINE Points8 operator-(const Points8& a, const Points8& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
TULLE_INLINE Points8 operator*(Float8 s, const Points8& a) { return {s * a.x, s * a.y, s * a.z}; }
TULLE_INLINE Float8 dot(const Points8& a, const Points8& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

TULLE_INLINE Float8 smaller(Float8 a, Float8 b) { return a < b ? a : b; }
TULLE_INLINE Float8 unit_range(Float8 v) { return smaller(larger(v, splat(0)), splat(1)); }

TULLE_INLINE Float8 root(Float8 square) {
#if defined(__AVX__)
    return __builtin_ia32_sqrtps256(square);
#else
    Float8 result;
    for (int lane = 0; lane < 8; ++lane) result[lane] = __builtin_sqrtf(square[lane]);
    return result;
#endif
}

// Corner `corner` of eight pairs.
TULLE_INLINE Points8 gather(const int (*vertices)[4], int corner, const float* rows) {
    const auto row = [&](int lane) { return load4(rows + 4L * vertices[lane][corner]); };
    const Float8 r04 = join(row(0), row(4)), r15 = join(row(1), row(5));
    const Float8 r26 = join(row(2), row(6)), r37 = join(row(3), row(7));
    const Float8 xy01 = unpack_low(r04, r15), xy23 = unpack_low(r26, r37);
    const Float8 z01 = unpack_high(r04, r15), z23 = unpack_high(r26, r37);
    return {first_pairs(xy01, xy23), second_pairs(xy01, xy23), first_pairs(z01, z23)};
}

// Distances, at most the true ones but for rounding.

TULLE_INLINE Float8 between_edges(const Points8 (&p)[4]) {
    const Points8 u = p[1] - p[0], v = p[3] - p[2], w = p[0] - p[2];
    const Float8 uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
    const Float8 determinant = uu * vv - uv * uv;
    const auto crossing = determinant > narrow * uu * vv;
    Float8 s = crossing ? unit_range((uv * vw - vv * uw) / determinant) : splat(0.5f);
    const Float8 t = unit_range((uv * s + vw) / vv);
    s = unit_range((uv * t - uw) / uu);
    const Points8 apart = w + s * u - t * v;
    return root(dot(apart, apart)) - (crossing ? splat(0) : narrow_slack * root(uu));
}

// The square of the distance.
TULLE_INLINE Float8 from_segment(const Points8& to_point, const Points8& along) {
    const Points8 apart = to_point - unit_range(dot(to_point, along) / dot(along, along)) * along;
    return dot(apart, apart);
}

TULLE_INLINE Float8 from_triangle(const Points8 (&p)[4]) {
    const Points8 u = p[2] - p[1], v = p[3] - p[1], f = p[0] - p[1];
    const Float8 uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uf = dot(u, f), vf = dot(v, f);
    const Float8 determinant = uu * vv - uv * uv;
    const Float8 s = vv * uf - uv * vf, t = uu * vf - uv * uf;
    const auto wide = determinant > narrow * uu * vv;
    const auto inside = wide & (s >= 0) & (t >= 0) & (s + t <= determinant);
    const Points8 above = f - (s / determinant) * u - (t / determinant) * v;
    const Float8 border = smaller(smaller(from_segment(f, u), from_segment(f, v)), from_segment(f - u, v - u));
    return root(inside ? dot(above, above) : border) - (wide ? splat(0) : narrow_slack * root(uu));
}

template <bool EdgeEdge>
struct EightPairs {
    Points8 start[4], end[4];

    TULLE_INLINE EightPairs(const int (*vertices)[4], const RowMotion& motion) {
        for (int corner = 0; corner < 4; ++corner) {
            start[corner] = gather(vertices, corner, motion.start);
            end[corner] = gather(vertices, corner, motion.end);
        }
    }
    static TULLE_INLINE Float8 distance(const Points8 (&points)[4]) {
        return larger(EdgeEdge ? between_edges(points) : from_triangle(points), splat(0));
    }
    // How much the distance can change on the way (continuous.h).
    TULLE_INLINE Float8 reach() const {
        Points8 way[4];
        for (int corner = 0; corner < 4; ++corner) way[corner] = end[corner] - start[corner];
        const Points8 mean = splat(0.25f) * (way[0] + way[1] + way[2] + way[3]);
        Float8 squares[4];
        for (int corner = 0; corner < 4; ++corner) squares[corner] = dot(way[corner] - mean, way[corner] - mean);
        const Float8 last = larger(squares[2], squares[3]);
        return EdgeEdge ? root(larger(squares[0], squares[1])) + root(last)
                        : root(squares[0]) + root(larger(squares[1], last));
    }
};

// What comes nearer must part again, and both take from the reach.
TULLE_INLINE Float8 nearest_on_way(Float8 at_start, Float8 at_end, Float8 reach) {
    return 0.5f * (at_start + at_end - reach);
}

template <bool EdgeEdge>
void bound_distances_of(const PairBatch& pairs, const RowMotion& motion, float* bounds) {
    for (int i = 0; i < pairs.count; i += 8) {
        const EightPairs<EdgeEdge> eight(pairs.vertices + i, motion);
        store8(bounds + i,
               larger(nearest_on_way(eight.distance(eight.start), eight.distance(eight.end), eight.reach()), splat(0)));
    }
}

template <bool EdgeEdge>
void find_meetings_of(const PairBatch& pairs, const RowMotion& motion, float thickness, float gap, char* meets) {
    for (int i = 0; i < pairs.count; i += 8) {
        const EightPairs<EdgeEdge> eight(pairs.vertices + i, motion);
        const Float8 at_end = eight.distance(eight.end);
        const Float8 nearest = nearest_on_way(eight.distance(eight.start), at_end, eight.reach());
        const auto misses = (at_end > thickness) & (nearest > gap);
        for (int lane = 0; lane < 8; ++lane) meets[i + lane] = misses[lane] == 0;
    }
}

void bound_distances(const PairBatch& pairs, const RowMotion& motion, float* bounds) {
    (pairs.edge_edge ? bound_distances_of<true> : bound_distances_of<false>)(pairs, motion, bounds);
}

void find_meetings(const PairBatch& pairs, const RowMotion& motion, float thickness, float gap, char* meets) {
    (pairs.edge_edge ? find_meetings_of<true> : find_meetings_of<false>)(pairs, motion, thickness, gap, meets);
}

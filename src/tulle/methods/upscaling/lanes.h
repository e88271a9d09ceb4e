// SPDX-License-Identifier: Apache-2.0
// Pieces of cloth a tile at a time: number k of every array belongs to piece k of the tile, so that plain loops over a
// tile become vector instructions, and a network takes them as they are.
#pragma once

namespace tulle::methods {

inline constexpr int lane_count = 24;  // pieces of a tile; what neural::FusedNetwork takes at once

// One number of every piece.
struct alignas(32) Lanes {
    float of[lane_count];

    float& operator[](int lane) { return of[lane]; }
    float operator[](int lane) const { return of[lane]; }
};

struct LanePoints {
    Lanes x, y, z;  // [m]
};

// to = f(to, with), coordinate by coordinate.
template <typename Combine>
void combine(const LanePoints* with, int points, LanePoints* to, const Combine& f) {
    for (int p = 0; p < points; ++p)
        for (int lane = 0; lane < lane_count; ++lane) {
            to[p].x[lane] = f(to[p].x[lane], with[p].x[lane]);
            to[p].y[lane] = f(to[p].y[lane], with[p].y[lane]);
            to[p].z[lane] = f(to[p].z[lane], with[p].z[lane]);
        }
}

// The LocalFrames of a tile.
struct FrameLanes {
    LanePoints origin;                 // [m]
    LanePoints along, across, normal;  // of length one, of no length for a piece that has collapsed
    Lanes unit;                        // [m]
    Lanes scale;                       // of answers, in units
    Lanes sound;                       // 1, or 0 for a piece that has collapsed

    int collapsed(int pieces) const {
        int count = 0;
        for (int k = 0; k < pieces; ++k) count += sound[k] == 0 ? 1 : 0;
        return count;
    }
};

// Points of the pieces by their indices (`points`×24) in rows of four floats.
void gather(const float* rows, const int* indices, int points, LanePoints* to);

// What LocalFrame::direction_to_world does, added to `answers` for as many points of each piece.
void add_in_world(const FrameLanes& frames, const LanePoints* outputs, int points, LanePoints* answers);

}  // namespace tulle::methods

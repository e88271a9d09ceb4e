// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/methods/upscaling/lanes.h"

#include <span>
#include <vector>

namespace tulle::methods {

struct UpscaleReport {
    long collapsed_pieces = 0;  // patches or triangles without a normal, which were interpolated instead
    // [m] that nine of ten distances in each patch or triangle should keep, a tile at a time; empty: nothing is said.
    std::vector<Lanes> bounds = {};
    std::vector<UpscaleReport> stages = {};  // of a cascade
};

// Coarse frames in, fine positions out: of a simulation of ours or of an animation from anywhere else.
class Upscaler {
public:
    virtual ~Upscaler() = default;

    virtual int coarse_count() const = 0;  // vertices
    virtual int fine_count() const = 0;
    virtual int frames_seen() const { return 1; }
    virtual bool tells_bounds() const { return false; }  // whether its reports have bounds

    // `frames`: the last frames_seen() coarse frames, oldest first. Writes fine_count() rows.
    virtual UpscaleReport upscale(std::span<const Positions> frames, Positions& fine) const = 0;

    // |V| [m] that nine of ten fine vertices should be within, of where they belong if the coarse ones are right, from
    // what such a frame's report says of its pieces; zeros if it says nothing.
    virtual Eigen::VectorXf vertex_bounds(const UpscaleReport& report) const = 0;
    // Numbers of coarse vertices, interpolated linearly at the fine ones.
    virtual Eigen::VectorXf carry(const Eigen::VectorXf& coarse) const = 0;
};

}  // namespace tulle::methods

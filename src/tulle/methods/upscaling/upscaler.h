// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

#include <span>

namespace tulle::methods {

struct UpscaleReport {
    long collapsed_pieces = 0;  // patches or triangles without a normal, which were interpolated instead
    // |V| [m] that nine of ten fine vertices should be within, of where they belong if the coarse ones are right; empty
    // if nothing is known.
    Eigen::VectorXf bounds = {};
};

// Coarse frames in, fine positions out: of a simulation of ours or of an animation from anywhere else.
class Upscaler {
public:
    virtual ~Upscaler() = default;

    virtual int coarse_count() const = 0;  // vertices
    virtual int fine_count() const = 0;
    virtual int frames_seen() const { return 1; }

    // `frames`: the last frames_seen() coarse frames, oldest first. Writes fine_count() rows.
    virtual UpscaleReport upscale(std::span<const Positions> frames, Positions& fine) const = 0;

    // Numbers of coarse vertices, interpolated linearly at the fine ones.
    virtual Eigen::VectorXf carry(const Eigen::VectorXf& coarse) const = 0;
};

}  // namespace tulle::methods

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/io/cache.h"
#include "tulle/workflows/upscale.h"

#include <memory>

namespace tulle::workflows {

// A coarse animation to upscale, whatever file it is in.
class CoarseAnimation {
public:
    virtual ~CoarseAnimation() = default;
    virtual const io::CacheHeader& header() const = 0;
    virtual long frame_count() const = 0;
    virtual io::CacheFrame frame(long index) const = 0;
};

// Throws an Error that says what is missing or does not fit.
std::unique_ptr<CoarseAnimation> open_animation(const UpscaleSettings& settings);

}  // namespace tulle::workflows

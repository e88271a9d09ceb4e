// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/io/cache.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace tulle::workflows {

// A cloth animation, whatever files it is in.
class Animation {
public:
    virtual ~Animation() = default;
    virtual const io::CacheHeader& header() const = 0;  // its mesh is the rest shape
    virtual long frame_count() const = 0;
    virtual io::CacheFrame frame(long index) const = 0;
};

struct AnimationSource {
    std::filesystem::path path;        // a cache (.h5), a point cache (.pc2), a folder or a pattern of OBJ files
    std::filesystem::path rest;        // OBJ of the rest shape; empty: the cache's, or the first OBJ file's
    std::optional<double> frame_rate;  // [1/s] of point caches and OBJ files, which do not say; none: 25
    char up_axis = 'z';                // of them, likewise
};

// Throws an Error that says what is missing or does not fit.
std::unique_ptr<Animation> open_animation(const AnimationSource& source);

}  // namespace tulle::workflows

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/io/cache.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace tulle::workflows {

// How whoever made an animation counts its frames: the first is `first`, the next first + step.
struct FrameNumbers {
    double first = 0;
    double step = 1;
};

// A cloth animation, whatever files it is in.
class Animation {
public:
    virtual ~Animation() = default;
    virtual const io::CacheHeader& header() const = 0;  // its mesh is the rest shape
    virtual long frame_count() const = 0;
    virtual io::CacheFrame frame(long index) const = 0;
    virtual FrameNumbers frame_numbers() const { return {}; }
};

struct AnimationSource {
    // A cache (.h5), a point cache (.pc2), a glTF file with morph targets (.glb, .gltf), or a folder or pattern of OBJ
    // files.
    std::filesystem::path path;
    std::filesystem::path rest;        // OBJ of the rest shape; empty: the file's own, or the first OBJ file's
    std::optional<double> frame_rate;  // [1/s] of point caches and OBJ files, which do not say; none: 25
    char up_axis = 'y';                // of them, likewise; y is what our own exports have
    std::optional<geometry::GridSize> grid = {};  // of a point cache without a rest shape: the first frame is it
};

// Throws an Error that says what is missing or does not fit.
std::unique_ptr<Animation> open_animation(const AnimationSource& source);

}  // namespace tulle::workflows

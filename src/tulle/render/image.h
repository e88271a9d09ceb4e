// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/file_format.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace tulle::render {

using Rgb = std::array<std::uint8_t, 3>;  // sRGB

// Width and height of a picture in pixels.
struct ImageSize {
    int width = 1280;
    int height = 720;
    bool operator==(const ImageSize&) const = default;
};

inline constexpr int smallest_side = 16;
inline constexpr int largest_side = 8192;

// Throws an Error unless both sides are within [smallest_side, largest_side].
void check_image_size(const ImageSize& size);

// A finished picture: sRGB, rows from top to bottom.
struct Image {
    ImageSize size;
    std::vector<std::uint8_t> bytes;  // height×width×3

    explicit Image(const ImageSize& image_size);  // black; throws on a size that check_image_size refuses
    Rgb at(int x, int y) const;
    void set(int x, int y, const Rgb& color);

private:
    size_t offset(int x, int y) const { return 3 * (static_cast<size_t>(y) * size.width + x); }
};

inline constexpr FileFormat png_format{"a picture (PNG)", "\x89PNG\r\n\x1a\n"};

// Throws an Error if the file cannot be written; then nothing is left under its name.
void write_png(const Image& image, const std::filesystem::path& path);

}  // namespace tulle::render

// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/image.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"

#include <png.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tulle::render {

void check_image_size(const ImageSize& size) {
    for (const int side : {size.width, size.height})
        if (side < smallest_side || side > largest_side)
            throw Error("a picture of {}×{} cannot be drawn; give a width and a height between {} and {} pixels",
                        size.width, size.height, smallest_side, largest_side);
}

Image::Image(const ImageSize& image_size) : size(image_size) {
    check_image_size(size);
    bytes.resize(3 * static_cast<size_t>(size.width) * static_cast<size_t>(size.height), 0);
}

Rgb Image::at(int x, int y) const {
    assert(x >= 0 && x < size.width && y >= 0 && y < size.height);
    const size_t i = offset(x, y);
    return {bytes[i], bytes[i + 1], bytes[i + 2]};
}

void Image::set(int x, int y, const Rgb& color) {
    assert(x >= 0 && x < size.width && y >= 0 && y < size.height);
    std::copy(color.begin(), color.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset(x, y)));
}

namespace {

std::vector<std::uint8_t> encode_png(const Image& image, const std::filesystem::path& path) {
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    header.width = static_cast<png_uint_32>(image.size.width);
    header.height = static_cast<png_uint_32>(image.size.height);
    header.format = PNG_FORMAT_RGB;
    std::vector<std::uint8_t> encoded(PNG_IMAGE_PNG_SIZE_MAX(header));
    png_alloc_size_t length = encoded.size();
    if (png_image_write_to_memory(&header, encoded.data(), &length, 0, image.bytes.data(), 0, nullptr) == 0)
        throw Error("cannot encode '{}' as PNG: {}", path.string(), header.message);
    encoded.resize(length);
    return encoded;
}

}  // namespace

void write_png(const Image& image, const std::filesystem::path& path) {
    AtomicTarget target(path, png_format);
    const std::vector<std::uint8_t> encoded = encode_png(image, path);
    std::FILE* file = std::fopen(target.temporary().c_str(), "wb");
    if (!file) throw Error("cannot write '{}': {}", path.string(), std::strerror(errno));
    const bool is_written = std::fwrite(encoded.data(), 1, encoded.size(), file) == encoded.size();
    const bool is_closed = std::fclose(file) == 0;  // a full disk may be noticed only here
    if (!is_written || !is_closed) throw Error("cannot write '{}': {}", path.string(), std::strerror(errno));
    target.commit();
}

}  // namespace tulle::render

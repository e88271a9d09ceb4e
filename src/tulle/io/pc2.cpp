// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/pc2.h"

#include "tulle/core/error.h"

#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>

namespace tulle::io {

namespace {

static_assert(std::endian::native == std::endian::little, "PC2 files are little-endian");

struct Header {
    std::array<char, 12> signature;
    std::int32_t version;
    std::int32_t points;
    float start_frame;
    float frames_per_sample;
    std::int32_t samples;
};
static_assert(sizeof(Header) == 32);

constexpr std::array<char, 12> signature{'P', 'O', 'I', 'N', 'T', 'C', 'A', 'C', 'H', 'E', '2', '\0'};

std::uintmax_t frame_bytes(long vertex_count) { return static_cast<std::uintmax_t>(vertex_count) * 3 * sizeof(float); }

}  // namespace

Pc2Reader::Pc2Reader(const std::filesystem::path& path) : path_(path) {
    const auto fail = [&](const std::string& what) { throw Error("cannot read '{}': {}", path.string(), what); };
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    if (!std::filesystem::exists(status)) fail("there is no such file");
    if (!std::filesystem::is_regular_file(status)) fail("it is not a file");
    Header header{};
    std::ifstream stream(path, std::ios::binary);
    if (!stream.read(reinterpret_cast<char*>(&header), sizeof header) || header.signature != signature)
        fail("it is not a PC2 point cache");
    if (header.version != 1) fail(fmt::format("it is of version {}, but only version 1 is known", header.version));
    if (header.points <= 0 || header.samples <= 0) fail("it holds no points");
    if (!std::isfinite(header.start_frame) || !(header.frames_per_sample > 0) ||
        !std::isfinite(header.frames_per_sample))
        fail("its frame rate makes no sense");
    const std::uintmax_t needed =
        sizeof header + frame_bytes(header.points) * static_cast<std::uintmax_t>(header.samples);
    const std::uintmax_t size = std::filesystem::file_size(path, code);
    if (size < needed)
        fail(fmt::format("it is cut off: {} frames of {} points need {} bytes, but there are {}", header.samples,
                         header.points, needed, size));
    vertex_count_ = header.points;
    frame_count_ = header.samples;
    start_frame_ = header.start_frame;
    frames_per_sample_ = header.frames_per_sample;
}

Positions Pc2Reader::frame(long index) const {
    if (index < 0 || index >= frame_count_)
        throw Error("'{}' has no frame {}; its frames are 0 to {}", path_.string(), index, frame_count_ - 1);
    Rows<float, 3> points(vertex_count_, 3);
    const auto bytes = static_cast<std::streamsize>(frame_bytes(vertex_count_));
    std::ifstream stream(path_, std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(sizeof(Header)) + index * bytes);
    if (!stream.read(reinterpret_cast<char*>(points.data()), bytes))
        throw Error("cannot read frame {} of '{}'", index, path_.string());
    for (long v = 0; v < points.rows(); ++v)
        if (!points.row(v).allFinite())
            throw Error("'{}': frame {}, vertex {} is not finite", path_.string(), index, v);
    return points.cast<double>();
}

Pc2Writer::Pc2Writer(const std::filesystem::path& path, long vertex_count, long frame_count, double start_frame,
                     double frames_per_sample)
    : file_(path, pc2_format), vertex_count_(vertex_count), missing_frames_(frame_count) {
    assert(vertex_count <= std::numeric_limits<std::int32_t>::max());
    assert(frame_count <= std::numeric_limits<std::int32_t>::max());
    const Header header{signature,
                        1,
                        static_cast<std::int32_t>(vertex_count),
                        static_cast<float>(start_frame),
                        static_cast<float>(frames_per_sample),
                        static_cast<std::int32_t>(frame_count)};
    file_.write_bytes(std::as_bytes(std::span(&header, 1)));
}

void Pc2Writer::append(const Positions& positions) {
    assert(positions.rows() == vertex_count_);
    const Rows<float, 3> points = positions.cast<float>();
    file_.write_bytes(std::as_bytes(std::span(points.data(), static_cast<size_t>(points.size()))));
    if (--missing_frames_ == 0) file_.flush();
}

void Pc2Writer::commit() {
    assert(missing_frames_ == 0);
    file_.commit();
}

}  // namespace tulle::io

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/file_format.h"
#include "tulle/render/image.h"

#include <filesystem>
#include <memory>

namespace tulle::render {

struct FilmSettings {
    ImageSize size = {};  // both sides even, because of the format's halved colour planes
    double frames_per_second = 30;
    int quality = 18;  // x264's constant rate factor: 0 is lossless, 18 looks so, 51 is the worst
};

inline constexpr FileFormat mp4_format{"a film (MP4)", "ftyp", 4};

// The largest size a film can have that is not larger than `size`: odd sides lose a pixel.
ImageSize even_size(const ImageSize& size);

// An MP4 (H.264, 4:2:0, playable while it loads), encoded by the program ffmpeg frame by frame. It appears under its
// name at finish(); before that, or after an Error, there is nothing there.
class FilmWriter {
public:
    // Throws an Error if ffmpeg is missing, the name does not end in .mp4, or it cannot be written.
    FilmWriter(const std::filesystem::path& path, const FilmSettings& settings);
    ~FilmWriter();  // without finish() the film is dropped
    FilmWriter(const FilmWriter&) = delete;
    FilmWriter& operator=(const FilmWriter&) = delete;

    void add(const Image& image);
    void finish();  // throws an Error with ffmpeg's own words if it failed

private:
    class Encoder;
    FilmSettings settings_;
    std::unique_ptr<Encoder> encoder_;
};

}  // namespace tulle::render

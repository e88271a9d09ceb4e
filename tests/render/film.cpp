// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/film.h"

#include "tests/render/support.h"
#include "tulle/core/error.h"
#include "tulle/core/random.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>

using namespace tulle;
using namespace tulle::render;

namespace {

const FilmSettings small = {.size = {.width = 64, .height = 48}, .frames_per_second = 25};

Image filled(const ImageSize& size, const Rgb& color) {
    Image image(size);
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) image.set(x, y, color);
    return image;
}

}  // namespace

TEST_CASE("A film of three frames has three frames of its size and rate, in a format that browsers play") {
    const TemporaryFolder folder;
    const auto path = folder / "three frames.mp4";
    FilmWriter film(path, small);
    for (const Rgb& color : {Rgb{200, 30, 30}, Rgb{30, 200, 30}, Rgb{30, 30, 200}}) film.add(filled(small.size, color));
    CHECK_FALSE(std::filesystem::exists(path));
    film.finish();
    CHECK(output_of("ffprobe -v error -count_frames -select_streams v:0 -show_entries "
                    "stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames -of csv=p=0 '" +
                    path.string() + "'") == "h264,64,48,yuv420p,25/1,3\n");
    CHECK(folder.names().size() == 1);
}

TEST_CASE("Colours come back from a film as they were put in") {
    const TemporaryFolder folder;
    const auto path = folder / "color.mp4";
    const Rgb color = {24, 118, 138};
    FilmWriter film(path, small);
    film.add(filled(small.size, color));
    film.finish();
    const std::string pixels = output_of("ffmpeg -v error -i '" + path.string() + "' -f rawvideo -pix_fmt rgb24 -");
    REQUIRE(pixels.size() == 64 * 48 * 3);
    for (size_t c = 0; c < 3; ++c) CHECK(std::abs(static_cast<std::uint8_t>(pixels[3 * 1000 + c]) - color[c]) <= 4);
}

TEST_CASE("Without ffmpeg the error says how to install it and nothing is left") {
    const TemporaryFolder folder;
    const std::string path_before = std::getenv("PATH");
    ::setenv("PATH", folder.path().c_str(), 1);
    CHECK_THROWS_WITH_AS(FilmWriter(folder / "a.mp4", small), doctest::Contains("apt install ffmpeg"), Error);
    ::setenv("PATH", path_before.c_str(), 1);
    CHECK(folder.names().empty());
}

TEST_CASE("A film that is not finished leaves no file") {
    const TemporaryFolder folder;
    {
        FilmWriter film(folder / "a.mp4", small);
        film.add(filled(small.size, {1, 2, 3}));
    }
    CHECK(folder.names().empty());
}

TEST_CASE("A film that the disk has no room for is an error and leaves no file") {
    const TemporaryFolder folder;
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit tight{.rlim_cur = 20000, .rlim_max = before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &tight);
    const auto write = [&] {
        Random random(3);
        FilmWriter film(folder / "a.mp4", small);
        for (int f = 0; f < 30; ++f) {
            Image image(small.size);
            for (std::uint8_t& byte : image.bytes) byte = static_cast<std::uint8_t>(random.bits());
            film.add(image);
        }
        film.finish();
    };
    CHECK_THROWS_WITH_AS(write(), doctest::Contains("ffmpeg"), Error);
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    CHECK(folder.names().empty());
}

TEST_CASE("Sizes, names and rates that a film cannot have are refused with what it can") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH_AS(FilmWriter(folder / "a.mp4", {.size = {.width = 65, .height = 48}}),
                         doctest::Contains("64×48"), Error);
    CHECK_THROWS_WITH_AS(FilmWriter(folder / "a.avi", small), doctest::Contains(".mp4"), Error);
    CHECK_THROWS_AS(FilmWriter("/proc/a.mp4", small), Error);
    CHECK_THROWS_AS(FilmWriter(folder / "a.mp4", {.size = small.size, .frames_per_second = 0}), Error);
    FilmWriter film(folder / "a.mp4", small);
    CHECK_THROWS_AS(film.add(filled({.width = 32, .height = 32}, {0, 0, 0})), Error);
    CHECK(even_size({.width = 1281, .height = 721}) == ImageSize{.width = 1280, .height = 720});
}

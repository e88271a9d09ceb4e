// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/image.h"

#include "tests/render/support.h"
#include "tulle/core/error.h"
#include "tulle/core/random.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>

using namespace tulle;
using namespace tulle::render;

namespace {

Image noise(const ImageSize& size) {
    Image image(size);
    Random random(7);
    for (std::uint8_t& byte : image.bytes) byte = static_cast<std::uint8_t>(random.bits());
    return image;
}

}  // namespace

TEST_CASE("A PNG decoded by another program holds the same pixels") {
    const TemporaryFolder folder;
    const Image image = noise({.width = 37, .height = 21});
    const auto path = folder / "noise.png";
    write_png(image, path);
    const std::string decoded =
        output_of("python3 " + std::string(TULLE_SOURCE_DIR) + "/tests/render/read_png.py " + path.string());
    CHECK(decoded == "37 21\n" + std::string(image.bytes.begin(), image.bytes.end()));
    CHECK(folder.names().size() == 1);
}

TEST_CASE("A picture of no pixels or of far too many is refused with the range that is allowed") {
    CHECK_THROWS_WITH_AS(Image({.width = 0, .height = 720}), doctest::Contains("between 16 and 8192"), Error);
    CHECK_THROWS_AS(Image({.width = 1280, .height = 100000}), Error);
    CHECK_THROWS_AS(Image({.width = -5, .height = 100}), Error);
    CHECK_NOTHROW(Image({.width = 16, .height = 16}));
}

TEST_CASE("A PNG inside of a file, over a folder or over another kind of file is refused") {
    const TemporaryFolder folder;
    const Image image = noise({.width = 16, .height = 16});
    std::ofstream(folder / "scene.toml") << "name = 'mine'";
    CHECK_THROWS_WITH_AS(write_png(image, folder / "scene.toml/a.png"), doctest::Contains("a.png"), Error);
    CHECK_THROWS_AS(write_png(image, folder.path()), Error);
    CHECK_THROWS_WITH_AS(write_png(image, folder / "scene.toml"), doctest::Contains("is not a picture"), Error);
    CHECK(folder.names() == std::vector<std::string>{"scene.toml"});
    CHECK(std::filesystem::file_size(folder / "scene.toml") == 13);
}

TEST_CASE("A PNG that the disk has no room for leaves nothing, and what was there stays") {
    const TemporaryFolder folder;
    const auto path = folder / "a.png";
    write_png(noise({.width = 16, .height = 16}), path);
    const auto size_before = std::filesystem::file_size(path);
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit tight{.rlim_cur = 10000, .rlim_max = before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &tight);
    CHECK_THROWS_AS(write_png(noise({.width = 300, .height = 300}), path), Error);
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    CHECK(std::filesystem::file_size(path) == size_before);
    CHECK(folder.names().size() == 1);
}

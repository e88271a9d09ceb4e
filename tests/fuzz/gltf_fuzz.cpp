// SPDX-License-Identifier: Apache-2.0
// gltf_fuzz N: reads N skinned characters that were damaged at random, the same ones every time. Each must be read or
// be refused with an Error of one line; whatever is read must be posed to finite places or not at all. Anything else
// ends the program with the number of the input; `gltf_fuzz N FIRST` begins there.
#include "tests/fuzz/mutations.h"
#include "tests/io/gltf_character.h"
#include "tests/support/temporary_folder.h"
#include "tulle/core/error.h"
#include "tulle/io/read_gltf.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <stdexcept>

using namespace tulle;

namespace {

std::string with_size(const std::string& text) {
    const auto size = static_cast<std::uint32_t>(text.size());
    std::string bytes(4, '\0');
    std::memcpy(bytes.data(), &size, 4);
    return bytes;
}

// The mutations know files of a header and data with the header's length before them; a GLB has the same parts.
std::string damaged_glb(Random& random) {
    const test::GltfParts parts = test::gltf_character();
    const std::string text = parts.json.dump();
    const std::uint64_t size = text.size();
    std::string file(8, '\0');
    std::memcpy(file.data(), &size, 8);
    const std::string bytes = fuzz::damaged(file + text + parts.binary, random);
    std::uint64_t header = 0;
    if (bytes.size() >= 8) std::memcpy(&header, bytes.data(), 8);
    if (bytes.size() < 8 || header > bytes.size() - 8) return bytes;
    const std::string json = bytes.substr(8, header), binary = bytes.substr(8 + header);
    if (random.uniform() < 0.3) return json;  // as a .gltf
    return "glTF" + std::string("\2\0\0\0\0\0\0\0", 8) + with_size(json) + "JSON" + json + with_size(binary) +
           std::string("BIN\0", 4) + binary;
}

bool try_file(const std::filesystem::path& path) {
    try {
        const body::Character character = io::read_gltf_character(path);
        for (const body::Clip& clip : character.clips)
            if (character.posed(clip.at(character.skeleton, 0.5 * clip.duration)).rows() !=
                character.skin.positions.rows())
                throw std::logic_error("a pose has lost vertices");
        return true;
    } catch (const Error& error) {
        const std::string message = error.what();
        if (message.find(path.string()) == std::string::npos)
            throw std::logic_error("a message does not name the file: " + message);
        if (message.find('\n') != std::string::npos || message.size() > 500)
            throw std::logic_error("a message is not one sentence: " + message);
        return false;
    }
}

}  // namespace

int main(int argc, char** argv) {
    const long count = argc > 1 ? std::atol(argv[1]) : 2000, first = argc > 2 ? std::atol(argv[2]) : 0;
    const test::TemporaryFolder folder;
    long read = 0;
    for (long i = first; i < first + count; ++i) {
        Random random(static_cast<std::uint64_t>(i));
        std::ofstream(folder / "fuzz.glb", std::ios::binary) << damaged_glb(random);
        try {
            read += try_file(folder / "fuzz.glb");
        } catch (const std::exception& error) {
            fmt::print(stderr, "input {}: {}\n", i, error.what());
            return 1;
        }
    }
    fmt::print("{} damaged characters: {} read, {} refused\n", count, read, count - read);
}

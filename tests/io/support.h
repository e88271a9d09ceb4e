// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/error.h"
#include "tulle/io/cache.h"
#include "tulle/io/cache_reader.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tulle::io::test {

// A folder for one test, removed at the end.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    std::vector<std::string> names() const;  // of the files in it, sorted

private:
    std::filesystem::path path_;
};

// A waving grid with texture coordinates, and a ball and a box that move.
CacheHeader example_header(int rows = 5, int columns = 7);
CacheFrame example_frame(const CacheHeader& header, long index);
std::vector<CacheFrame> example_frames(const CacheHeader& header, long count);
std::vector<std::byte> example_state(long index);  // 0 to some thousand bytes

void write_example(const std::filesystem::path& path, const CacheHeader& header, long frames);

// Header and frames as raw f64 numbers, for readers in other languages: vertices, frames, colliders,
// triangles, frame rate, 1 if y is up; triangles; texture coordinates; for each collider its number of vertices and
// their places at rest; for each frame its time, positions, velocities, and 16 numbers (4×4, by rows) per collider.
void write_expected(const std::filesystem::path& path, const CacheHeader& header,
                    const std::vector<CacheFrame>& frames);

// What a reader must give back: positions and velocities rounded to f32.
void check_frame(const CacheFrame& read, const CacheFrame& written);
void check_frames(const CacheReader& reader, const CacheHeader& header);

// The message of the Error that `action` must throw; it is one line and names `path`.
std::string error_of(const std::function<void()>& action, const std::filesystem::path& path);

struct Outcome {
    int exit_code = 0;
    std::string output;  // standard output and error
};
Outcome run(const std::string& command);
Outcome run_node(const std::string& script, const std::string& arguments);    // a script of tests/interop
Outcome run_python(const std::string& script, const std::string& arguments);  // a script of this folder

bool contains(const std::string& text, const std::string& part);

}  // namespace tulle::io::test

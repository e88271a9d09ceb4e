// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/error_of.h"
#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"
#include "tulle/core/error.h"
#include "tulle/io/cache.h"
#include "tulle/io/cache_reader.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tulle::io::test {

using tulle::test::contains;
using tulle::test::Outcome;
using tulle::test::run;
using tulle::test::run_node;
using tulle::test::TemporaryFolder;

// A waving grid with texture coordinates, and a ball and a box that move.
CacheHeader example_header(int rows = 5, int columns = 7);
CacheHeader deforming_header(int rows = 5, int columns = 7);  // and a blob that deforms
CacheFrame example_frame(const CacheHeader& header, long index);
std::vector<CacheFrame> example_frames(const CacheHeader& header, long count);
std::vector<std::byte> example_state(long index);  // 0 to some thousand bytes

void write_example(const std::filesystem::path& path, const CacheHeader& header, long frames);

// Header and frames as raw f64 numbers, for readers in other languages: vertices, frames, colliders,
// triangles, frame rate, 1 if y is up; triangles; texture coordinates; for each collider its number of vertices, 1 if
// it deforms, and their places at rest; for each frame its time, positions, velocities, and for each collider 16
// numbers (4×4, by rows), or its positions if it deforms.
void write_expected(const std::filesystem::path& path, const CacheHeader& header,
                    const std::vector<CacheFrame>& frames);

// What a reader must give back: positions and velocities rounded to f32.
void check_frame(const CacheFrame& read, const CacheFrame& written);
void check_frames(const CacheReader& reader, const CacheHeader& header);

// The message of the Error that `action` must throw; it is one line and names `path`.
inline std::string error_of(const std::function<void()>& action, const std::filesystem::path& path) {
    return tulle::test::error_naming(path.filename().string(), action);
}

inline Outcome run_python(const std::string& script, const std::string& arguments) {  // a script of this folder
    return tulle::test::run_python("io/" + script, arguments);
}

}  // namespace tulle::io::test

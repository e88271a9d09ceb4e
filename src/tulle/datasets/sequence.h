// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/draped_example.h"
#include "tulle/geometry/grid_cloth.h"
#include "tulle/geometry/triangle_mesh.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tulle::datasets {

// An animation in memory, in single precision, to learn from.
struct Sequence {
    std::string name;            // its file's
    std::filesystem::path file;  // the cache it was read from
    std::string scene_name;
    std::string scene_text;              // TOML, with the parameters this sequence was made with
    std::filesystem::path scene_folder;  // what file names in it are relative to; set by whoever knows
    geometry::TriangleMesh mesh;         // rest shape
    geometry::GridSize grid{0, 0};       // zeros if the mesh is not a grid
    double frame_time = 0;               // [s]
    std::vector<float> positions;        // |F|×|V|×3 [m]

    int vertex_count() const { return mesh.vertex_count(); }
    long frame_count() const { return static_cast<long>(positions.size()) / (3L * vertex_count()); }
    const float* frame(long index) const { return positions.data() + 3L * vertex_count() * index; }  // |V|×3
};

Sequence read_sequence(const std::filesystem::path& cache);

// All finished sequences of a folder, in the order of their names. Throws an Error if there are none.
std::vector<std::filesystem::path> sequence_files(const std::filesystem::path& folder);

// Sequences are split as wholes, never by frame or sample: neighbouring frames are nearly the same.
struct Split {
    std::vector<size_t> training, validation, test;  // indices
};
enum class Part { Training, Validation, Test };
struct SplitShares {
    double validation = 0.1;
    double test = 0.1;
};

// Sequences or draped poses, whatever the method learns from, and which of them are for what.
struct TrainingData {
    std::vector<Sequence> sequences;
    std::vector<DrapedExample> drapes;
    Split split;
};

// Every tenth of the first 1,250 is for test and the one before it for validation; all later ones are for training. So
// a folder that grows is measured on the same poses: they are drawn at random, each from its own seed. `training`: at
// most so many of the first, 0 for all. Throws an Error if there are fewer than ten, or fewer for training than asked
// for.
Split split_drapes(size_t count, size_t training);

// At least one sequence in each part; throws an Error if there are fewer than three.
Split split_sequences(size_t count, std::uint64_t seed, const SplitShares& shares = {});

}  // namespace tulle::datasets

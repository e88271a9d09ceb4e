// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/core/frame_cost.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tulle::io {

enum class FileKind { Mesh, Cache };

struct ColliderSummary {
    std::string name;
    long vertices = 0;
    long triangles = 0;
    bool deforms = false;
};

// What a mesh (OBJ) or a sequence cache (X.h5, X.h5.part) holds, and what is wrong with it.
struct FileSummary {
    std::filesystem::path path;
    FileKind kind = FileKind::Mesh;
    long vertices = 0;
    long triangles = 0;
    bool has_tex_coords = false;
    Vector3 lowest = Vector3::Zero();  // [m] corners of the box around all frames
    Vector3 highest = Vector3::Zero();
    double largest_stretch = 0;         // of an edge in all frames, to its rest length
    long stretched_frame = 0;           // where that is
    bool has_bounds = false;            // the method said how far off it may be:
    double mean_bound = 0;              // [m] that nine of ten vertices keep, over vertices and frames but the first
    double largest_bound = 0;           // [m] likewise
    std::vector<std::string> problems;  // sentences; empty if the file is sound

    // Caches only.
    std::string scene_name, method, program_version;
    std::vector<ColliderSummary> colliders;
    int grid_rows = 0, grid_columns = 0;  // 0: not a grid
    long frames = 0;
    double frame_rate = 0;  // [1/s]
    double duration = 0;    // [s] first to last frame
    FrameCost cost;
    bool is_complete = true;    // false: being written, or ended before its last frame
    bool is_part = false;       // being written, or interrupted
    long planned_frames = 0;    // the first included; 0: not known
    std::string ending;         // why there are fewer; empty: nobody said
    long resumable_frames = 0;  // frames --resume would keep

    bool is_sound() const { return problems.empty(); }
};

// Reads the whole file, all frames of a cache included. Throws an Error if it cannot be read at all; a cache with a
// broken frame is described up to that frame, with the problem named. The kind is told by the contents.
FileSummary describe(const std::filesystem::path& path);

std::string to_text(const FileSummary& summary);  // lines for a person
std::string to_json(const FileSummary& summary);  // one object

}  // namespace tulle::io

// SPDX-License-Identifier: Apache-2.0
// Sequence caches as files other programs open; docs/export.md says how.
//
//   Usd    X.usda   metres, the cache's own up axis; points, normals, velocities and extent per frame; time codes are
//                   frame numbers
//   Gltf   X.glb    metres, y up; one morph target per frame; X.gltf is the same as text
//   Obj    X/       a folder of cloth.0000.obj …, and one such series (or one file, if it is still) per collider; a
//                   single frame may be X.obj
//   Pc2    X.pc2    the points of every frame, with X.obj, the rest shape they belong to; colliders beside them
//
// Cloths of polygons keep them, and grids have quads, where the format has polygons.
#pragma once

#include "tulle/io/cache_reader.h"

#include <filesystem>
#include <functional>
#include <string_view>

namespace tulle::io {

enum class ExportFormat { Usd, Gltf, Obj, Pc2 };

struct ExportSettings {
    bool overwrite = false;                                     // replace what has the target's name
    std::function<void(double done)> progress = [](double) {};  // from 0 to 1
    std::function<void()> before_frame = [] {};  // is read, in every pass; may throw to stop, and then nothing is left
    char up_axis = 'y';                          // of OBJ files and point caches, which cannot say it
    double first_frame = 0, frame_step = 1;      // how frames are numbered
    bool quantise = false;                       // glTF: half as large, but its nodes are scaled and turned
};

// Throws an Error if there is nothing to export, or if the target is taken, cannot be written or the disk is full; then
// nothing new is under its name.
void export_cache(const CacheReader& cache, ExportFormat format, const std::filesystem::path& target,
                  const ExportSettings& settings = {});

// Throws an Error unless an export of so many frames could be written there; its folder is made, and what killed runs
// have left there is removed. For those who export after a long run.
void prepare_export(ExportFormat format, const std::filesystem::path& target, long frames);

// "usd", "gltf", "obj" or "pc2"; throws an Error for other words.
ExportFormat parse_export_format(std::string_view word);

// What a name promises: .usda and .usd, .glb and .gltf, .obj or a folder, .pc2. Throws an Error that says what to use
// for any other, .usdc and .usdz among them.
ExportFormat export_format_of(const std::filesystem::path& target);

// Throws an Error if the name promises another format, or one file for several frames.
void check_export_name(ExportFormat format, const std::filesystem::path& target, long frames);

// Where an export goes if nobody says: out/flag.h5 → out/flag.usda, out/flag.glb, out/flag-obj, out/flag.pc2.
std::filesystem::path default_export_path(const std::filesystem::path& cache, ExportFormat format);

}  // namespace tulle::io

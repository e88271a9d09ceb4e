// SPDX-License-Identifier: Apache-2.0
// Sequence caches as files other programs open; docs/export.md says how.
//
//   Usd    X.usda   metres, the cache's own up axis; points, normals, velocities and extent per frame; time codes are
//   frame numbers Gltf   X.glb    metres, y up; one morph target per frame; quantised, see export_gltf.h Obj    X/ a
//   folder of cloth.0000.obj …, y up, and one such series (or one file, if it is still) per collider Pc2    X.pc2 the
//   points of every frame, y up, with X.obj, the rest shape they belong to
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
};

// Throws an Error if there is nothing to export, or if the target is taken, cannot be written or the disk is full; then
// nothing new is under its name.
void export_cache(const CacheReader& cache, ExportFormat format, const std::filesystem::path& target,
                  const ExportSettings& settings = {});

// Throws an Error unless an export could be written there; its folder is made, and what killed runs have left there is
// removed. For those who export after a long run.
void prepare_export(ExportFormat format, const std::filesystem::path& target);

// "usd", "gltf", "obj" or "pc2"; throws an Error for other words.
ExportFormat parse_export_format(std::string_view word);

// Where an export goes if nobody says: out/flag.h5 → out/flag.usda, out/flag.glb, out/flag-obj, out/flag.pc2.
std::filesystem::path default_export_path(const std::filesystem::path& cache, ExportFormat format);

}  // namespace tulle::io

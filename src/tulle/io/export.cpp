// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/export.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/io/export_gltf.h"
#include "tulle/io/export_obj.h"
#include "tulle/io/export_pc2.h"
#include "tulle/io/export_usd.h"
#include "tulle/io/gltf_document.h"
#include "tulle/io/obj.h"
#include "tulle/io/pc2.h"

namespace tulle::io {

namespace fs = std::filesystem;

void export_cache(const CacheReader& cache, ExportFormat format, const fs::path& target,
                  const ExportSettings& settings) {
    if (cache.frame_count() == 0)
        throw Error("'{}' holds no complete frame; there is nothing to export", cache.path().string());
    if (fs::exists(target) && !settings.overwrite)
        throw Error("'{}' exists already; remove it, allow overwriting, or give another name", target.string());
    remove_abandoned(target.parent_path());
    switch (format) {
        case ExportFormat::Usd:
            return export_usd(cache, target, settings);
        case ExportFormat::Gltf:
            return export_gltf(cache, target, settings);
        case ExportFormat::Obj:
            return export_obj_sequence(cache, target, settings);
        case ExportFormat::Pc2:
            return export_pc2(cache, target, settings);
    }
}

void prepare_export(ExportFormat format, const fs::path& target) {
    switch (format) {
        case ExportFormat::Usd:
            prepare_target(target, usda_format);
            break;
        case ExportFormat::Gltf:
            prepare_target(target, glb_format);
            break;
        case ExportFormat::Obj:
            static_cast<void>(AtomicFolder(target, own_obj_format));  // not committed: it was only asked for
            break;
        case ExportFormat::Pc2:
            prepare_target(target, pc2_format);
            prepare_target(fs::path(target).replace_extension(".obj"), own_obj_format);
            break;
    }
    remove_abandoned(target.parent_path());
}

ExportFormat parse_export_format(std::string_view word) {
    if (word == "usd") return ExportFormat::Usd;
    if (word == "gltf") return ExportFormat::Gltf;
    if (word == "obj") return ExportFormat::Obj;
    if (word == "pc2") return ExportFormat::Pc2;
    throw Error("'{}' is not an export format; use usd, gltf, obj or pc2", word);
}

fs::path default_export_path(const fs::path& cache, ExportFormat format) {
    fs::path stem = cache.parent_path() / cache.stem();
    if (cache.extension() == ".part") stem.replace_extension();  // X.h5.part
    switch (format) {
        case ExportFormat::Usd:
            return stem += ".usda";
        case ExportFormat::Gltf:
            return stem += ".glb";
        case ExportFormat::Obj:
            return stem += "-obj";
        case ExportFormat::Pc2:
            return stem += ".pc2";
    }
    return stem;
}

}  // namespace tulle::io

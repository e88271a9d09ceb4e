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
    check_export_name(format, target, cache.frame_count());
    if (fs::exists(target) && !settings.overwrite)
        throw Error("'{}' exists already; remove it, allow overwriting, or give another name", target.string());
    remove_abandoned(target.parent_path());
    switch (format) {
        case ExportFormat::Usd:
            return export_usd(cache, target, settings);
        case ExportFormat::Gltf:
            return export_gltf(cache, target, settings);
        case ExportFormat::Obj:
            return target.extension() == ".obj" ? export_obj_frame(cache, target, settings)
                                                : export_obj_sequence(cache, target, settings);
        case ExportFormat::Pc2:
            return export_pc2(cache, target, settings);
    }
}

void prepare_export(ExportFormat format, const fs::path& target, long frames) {
    check_export_name(format, target, frames);
    switch (format) {
        case ExportFormat::Usd:
            prepare_target(target, usda_format);
            break;
        case ExportFormat::Gltf:
            prepare_target(target, gltf_format_of(target));
            break;
        case ExportFormat::Obj:
            if (target.extension() == ".obj")
                prepare_target(target, own_obj_format);
            else
                static_cast<void>(AtomicFolder(target, own_obj_format));  // not committed: it was only asked for
            break;
        case ExportFormat::Pc2:
            prepare_pc2(target);
            break;
    }
    remove_abandoned(target.parent_path());
}

}  // namespace tulle::io

// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/export_obj.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/io/export_motion.h"
#include "tulle/io/obj.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <set>

namespace tulle::io {

namespace fs = std::filesystem;

namespace {

ObjWriteSettings frame_settings(const std::string& name) {
    return {.single_precision = true, .sync = Sync::Later, .name = name, .normals = true, .notes = {}};
}

std::string numbered(const std::string& name, long frame, const ExportSettings& settings) {
    const long first = std::max(0L, std::lround(settings.first_frame));
    return fmt::format("{}.{:04}.obj", name, first + frame);
}

void write_colliders(const CacheReader& cache, const fs::path& folder, const ExportSettings& settings) {
    std::set<std::string> taken{"cloth"};
    for (size_t c = 0; c < cache.header().colliders.size(); ++c) {
        const ColliderMesh& collider = cache.header().colliders[c];
        const std::string name = collider_file_name(collider.name, taken);
        const long count = collider.deforms ? cache.frame_count() : static_cast<long>(collider_motion(cache, c).size());
        for (long f = 0; f < count; ++f) {
            settings.before_frame();
            const Positions world = cache.collider_positions(c, f);
            write_obj(folder / (count == 1 ? name + ".obj" : numbered(name, f, settings)),
                      {to_up(world, cache.header().up_axis, settings.up_axis), collider.triangles, {}},
                      {.single_precision = true, .sync = Sync::Later, .name = collider.name});
        }
    }
}

}  // namespace

void export_obj_sequence(const CacheReader& cache, const fs::path& target, const ExportSettings& settings) {
    AtomicFolder folder(target, settings.overwrite ? std::optional(own_obj_format) : std::nullopt);
    geometry::TriangleMesh mesh = mesh_to_export(cache.header());
    for (long f = 0; f < cache.frame_count(); ++f) {
        settings.before_frame();
        mesh.positions = to_up(cache.positions(f), cache.header().up_axis, settings.up_axis);
        write_obj(folder.path() / numbered("cloth", f, settings), mesh, frame_settings("Cloth"));
        settings.progress(static_cast<double>(f + 1) / static_cast<double>(cache.frame_count()));
    }
    write_colliders(cache, folder.path(), settings);
    folder.commit();
}

void export_obj_frame(const CacheReader& cache, const fs::path& target, const ExportSettings& settings) {
    settings.before_frame();
    geometry::TriangleMesh mesh = mesh_to_export(cache.header());
    mesh.positions = to_up(cache.positions(0), cache.header().up_axis, settings.up_axis);
    write_obj(target, mesh, {.single_precision = true, .name = "Cloth", .normals = true});
    settings.progress(1);
}

}  // namespace tulle::io

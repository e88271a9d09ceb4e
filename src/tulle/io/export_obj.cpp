// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/export_obj.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/io/export_motion.h"
#include "tulle/io/obj.h"

#include <optional>
#include <set>

namespace tulle::io {

namespace fs = std::filesystem;

namespace {

constexpr ObjWriteSettings frame_settings{.single_precision = true, .sync = Sync::Later};

// File names hold no path, whatever a scene calls its colliders, and differ from each other.
std::string file_name(std::string name, std::set<std::string>& taken) {
    for (char& c : name)
        if (static_cast<unsigned char>(c) < 32 || std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos)
            c = '_';
    std::string unique = name;
    for (int number = 2; !taken.insert(unique).second; ++number) unique = fmt::format("{}-{}", name, number);
    return unique;
}

void write_colliders(const CacheReader& cache, const fs::path& folder, const ExportSettings& settings) {
    std::set<std::string> taken{"cloth"};
    for (size_t c = 0; c < cache.header().colliders.size(); ++c) {
        const ColliderMesh& collider = cache.header().colliders[c];
        const std::string name = file_name(collider.name, taken);
        const long count = collider.deforms ? cache.frame_count() : static_cast<long>(collider_motion(cache, c).size());
        for (long f = 0; f < count; ++f) {
            settings.before_frame();
            const Positions world = cache.collider_positions(c, f);
            const std::string number = count == 1 ? "" : fmt::format(".{:04}", f);
            write_obj(folder / (name + number + ".obj"),
                      {to_y_up(world, cache.header().up_axis), collider.triangles, {}}, frame_settings);
        }
    }
}

}  // namespace

void export_obj_sequence(const CacheReader& cache, const fs::path& target, const ExportSettings& settings) {
    AtomicFolder folder(target, settings.overwrite ? std::optional(own_obj_format) : std::nullopt);
    geometry::TriangleMesh mesh = cache.header().mesh;
    for (long f = 0; f < cache.frame_count(); ++f) {
        settings.before_frame();
        mesh.positions = to_y_up(cache.positions(f), cache.header().up_axis);
        write_obj(folder.path() / fmt::format("cloth.{:04}.obj", f), mesh, frame_settings);
        settings.progress(static_cast<double>(f + 1) / static_cast<double>(cache.frame_count()));
    }
    write_colliders(cache, folder.path(), settings);
    folder.commit();
}

}  // namespace tulle::io

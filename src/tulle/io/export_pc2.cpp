// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/export_pc2.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/io/export_motion.h"
#include "tulle/io/obj.h"
#include "tulle/io/pc2.h"

namespace tulle::io {

void export_pc2(const CacheReader& cache, const std::filesystem::path& target, const ExportSettings& settings) {
    const std::filesystem::path rest_target = std::filesystem::path(target).replace_extension(".obj");
    if (rest_target == target)
        throw Error("'{}' would be taken by the rest shape; name the point cache .pc2", target.string());
    if (std::filesystem::exists(rest_target) && !settings.overwrite)
        throw Error(
            "'{}', where the rest shape goes, exists already; remove it, allow overwriting, or give another name",
            rest_target.string());
    prepare_target(rest_target, own_obj_format);  // before the work, not after it
    Pc2Writer points(target, cache.header().mesh.vertex_count(), cache.frame_count());
    for (long f = 0; f < cache.frame_count(); ++f) {
        settings.before_frame();
        points.append(to_y_up(cache.positions(f), cache.header().up_axis));
        settings.progress(static_cast<double>(f + 1) / static_cast<double>(cache.frame_count()));
    }
    geometry::TriangleMesh rest = cache.header().mesh;
    rest.positions = to_y_up(rest.positions, cache.header().up_axis);
    write_obj(rest_target, rest);  // if this fails, the points go too
    points.commit();
}

}  // namespace tulle::io

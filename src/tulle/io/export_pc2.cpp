// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/export_pc2.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/io/export_motion.h"
#include "tulle/io/obj.h"
#include "tulle/io/pc2.h"

#include <fmt/format.h>

#include <memory>
#include <set>
#include <vector>

namespace tulle::io {

namespace fs = std::filesystem;

namespace {

// A point cache cannot say how fast it is, so the mesh beside it does, in words.
std::string notes(const CacheReader& cache, const ExportSettings& settings, const std::string& points) {
    const double last = settings.first_frame + settings.frame_step * static_cast<double>(cache.frame_count() - 1);
    return fmt::format(
        "vertices and faces of the points in {}\nframes {} to {} at {} frames per second, {} is up\nin Blender: set "
        "the frame "
        "rate to {}, import this file, add a Mesh Cache modifier (PC2)",
        points, settings.first_frame, last, cache.header().frame_rate * settings.frame_step, settings.up_axis,
        cache.header().frame_rate * settings.frame_step);
}

std::string still_notes(const ExportSettings& settings) {
    return fmt::format("it stands still, so there are no points beside it\n{} is up", settings.up_axis);
}

class Pc2Export {
public:
    Pc2Export(const CacheReader& cache, const fs::path& target, const ExportSettings& settings)
        : cache_(cache), target_(target), settings_(settings) {}

    // Nothing gets its name before all of it is written.
    void write() {
        for (size_t c = 0; c < cache_.header().colliders.size(); ++c) name_collider(c);
        prepare(mesh_of(target_), own_obj_format);  // before the work, not after it
        for (const fs::path& points : collider_points_) prepare(mesh_of(points), own_obj_format);
        write_points(target_, cache_.header().mesh.vertex_count(), [&](long f) { return cache_.positions(f); });
        for (size_t c = 0; c < cache_.header().colliders.size(); ++c) write_collider(c);
        geometry::TriangleMesh rest = mesh_to_export(cache_.header());
        rest.positions = in_up(rest.positions);
        write_mesh(target_, rest,
                   {.name = "Cloth", .normals = true, .notes = notes(cache_, settings_, target_.filename().string())});
        for (const auto& mesh : meshes_) mesh->commit();
        for (const auto& points : points_) points->commit();
    }

private:
    static fs::path mesh_of(fs::path points) { return points.replace_extension(".obj"); }
    Positions in_up(const Positions& points) const { return to_up(points, cache_.header().up_axis, settings_.up_axis); }

    void prepare(const fs::path& path, const FileFormat& format) const {
        if (fs::exists(path) && !settings_.overwrite)
            throw Error(
                "'{}', which goes beside '{}', exists already; remove it, allow overwriting, or give another name",
                path.string(), target_.string());
        prepare_target(path, format);
    }

    void name_collider(size_t index) {
        const std::string name = collider_file_name(cache_.header().colliders[index].name, taken_);
        collider_points_.push_back(target_.parent_path() / fmt::format("{}.{}.pc2", target_.stem().string(), name));
    }

    void write_mesh(const fs::path& points, const geometry::TriangleMesh& mesh, const ObjWriteSettings& settings) {
        meshes_.push_back(std::make_unique<AtomicFile>(mesh_of(points), own_obj_format));
        meshes_.back()->write(obj_text(mesh, settings));
        meshes_.back()->flush();
    }

    template <typename Frame>
    void write_points(const fs::path& path, long vertices, const Frame& frame) {
        auto points = std::make_unique<Pc2Writer>(path, vertices, cache_.frame_count(), settings_.first_frame,
                                                  settings_.frame_step);
        for (long f = 0; f < cache_.frame_count(); ++f) {
            settings_.before_frame();
            points->append(in_up(frame(f)));
            if (path == target_)
                settings_.progress(static_cast<double>(f + 1) / static_cast<double>(cache_.frame_count()));
        }
        points_.push_back(std::move(points));
    }

    void write_collider(size_t index) {
        const ColliderMesh& collider = cache_.header().colliders[index];
        const fs::path& path = collider_points_[index];
        const bool stands_still = !collider.deforms && collider_motion(cache_, index).size() == 1;
        ObjWriteSettings settings{.name = collider.name};
        settings.notes = stands_still ? still_notes(settings_) : notes(cache_, settings_, path.filename().string());
        write_mesh(path, {in_up(cache_.collider_positions(index, 0)), collider.triangles, {}}, settings);
        if (stands_still) return;
        prepare(path, pc2_format);
        write_points(path, collider.rest_positions.rows(), [&](long f) { return cache_.collider_positions(index, f); });
    }

    const CacheReader& cache_;
    fs::path target_;
    const ExportSettings& settings_;
    std::set<std::string> taken_;
    std::vector<fs::path> collider_points_;
    std::vector<std::unique_ptr<AtomicFile>> meshes_;
    std::vector<std::unique_ptr<Pc2Writer>> points_;
};

}  // namespace

void prepare_pc2(const fs::path& target) {
    if (fs::path(target).replace_extension(".obj") == target)
        throw Error("'{}' would be taken by the rest shape; name the point cache .pc2", target.string());
    prepare_target(target, pc2_format);
    prepare_target(fs::path(target).replace_extension(".obj"), own_obj_format);
}

void export_pc2(const CacheReader& cache, const fs::path& target, const ExportSettings& settings) {
    prepare_pc2(target);
    Pc2Export(cache, target, settings).write();
}

}  // namespace tulle::io

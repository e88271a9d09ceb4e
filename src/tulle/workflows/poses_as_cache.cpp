// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/poses_as_cache.h"

#include "tulle/core/error.h"
#include "tulle/core/version.h"
#include "tulle/io/cache_writer.h"
#include "tulle/io/draped_pose.h"
#include "tulle/workflows/make_once.h"

namespace tulle::workflows {

namespace {

constexpr double poses_per_second = 2;

io::CacheHeader header_of(const scene::Scene& scene, const DrapedBody& body, const GeneratePosesSettings& made) {
    return {.mesh = body.model().mesh,
            .colliders = {{"body", body.positions_in({}), body.character().triangles, /*deforms=*/true}},
            .scene = scene.text,
            .scene_name = scene.name,
            .method = "poses",
            .program_version = version,
            .seed = made.seed,
            .frame_rate = poses_per_second,
            .planned_frames = made.poses,
            .up_axis = scene.up.y() > 0.5 ? 'y' : 'z',
            .has_velocities = false};
}

}  // namespace

void require_apart(const GeneratePosesSettings& made, const std::filesystem::path& cache) {
    if (std::filesystem::weakly_canonical(cache).parent_path() == std::filesystem::weakly_canonical(made.folder))
        throw Error("'{}' would lie among the poses and be taken for one; give another folder", cache.string());
}

void write_poses_as_cache(const GeneratePosesSettings& made, const std::filesystem::path& cache) {
    require_apart(made, cache);
    const scene::Scene scene = scene::load_scene(made.scene, made.overrides);
    const DrapedBody body(scene);
    io::CacheWriter writer(cache, header_of(scene, body, made), {.overwrite = true});
    for (int index = 0; index < made.poses; ++index) {
        const std::filesystem::path file = numbered_file(made.folder, index);
        const io::DrapedPose pose = io::read_draped_pose(file);
        if (pose.positions.rows() != body.model().vertex_count())
            throw Error("'{}' is of another garment than the scene's", file.string());
        writer.append({.positions = pose.positions.cast<double>(),
                       .velocities = {},
                       .time = index / poses_per_second,
                       .collider_transforms = {Eigen::Isometry3d::Identity()},
                       .collider_positions = {body.positions_in(pose.angles)}});
    }
    writer.close();
}

}  // namespace tulle::workflows

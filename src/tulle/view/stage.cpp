// SPDX-License-Identifier: Apache-2.0
#include "tulle/view/stage.h"

#include "tulle/body/mannequin.h"
#include "tulle/core/error.h"
#include "tulle/io/read_gltf.h"
#include "tulle/scene/method.h"
#include "tulle/view/live_source.h"
#include "tulle/view/recorded_source.h"

#include <algorithm>

namespace tulle::view {

namespace {

void add_panel(PreparedStage& stage, std::unique_ptr<PanelSource> source, const std::string& method) {
    const geometry::TriangleMesh& mesh = source->rest();
    stage.panels.push_back({.title = source->title(),
                            .method = method,
                            .vertices = mesh.vertex_count(),
                            .simulated_vertices = source->simulated_vertices(),
                            .triangles = static_cast<int>(mesh.triangles.rows())});
    const ShownCloth cloth = source->shown();
    for (const auto row : cloth.positions.rowwise()) stage.box.extend(Vector3(row.transpose()));
    if (stage.sources.empty()) {
        stage.colliders = source->colliders();
        stage.frame_rate = source->frame_rate();
    }
    stage.tells_bounds = stage.tells_bounds || source->tells_bounds();
    stage.sources.push_back(std::move(source));
}

// Large ones, such as floors of caches, would make the cloth a dot.
void extend_by_colliders(PreparedStage& stage) {
    const double cloth_size = stage.box.diagonal().norm();
    for (const ColliderOutline& collider : stage.colliders) {
        Eigen::AlignedBox3d box;
        for (const auto row : collider.mesh.positions.rowwise()) box.extend(Vector3(row.transpose()));
        if (!box.isEmpty() && box.diagonal().norm() < 3 * cloth_size) stage.box.extend(box);
    }
}

std::vector<std::string> clips_of(const scene::BodySolid& body) {
    std::vector<std::string> names = {""};
    if (!body.angles.empty()) return names;  // its pose excludes clips
    const bool is_mannequin = body.placement.file.empty();
    for (const body::Clip& clip : is_mannequin ? body::mannequin_clips(body::mannequin_skeleton())
                                               : io::read_gltf_character(body.placement.file).clips)
        names.push_back(clip.name);
    for (const body::Keyframes& clip : body.clips) names.push_back(clip.name);
    return names;
}

std::optional<BodyFacts> body_of(const scene::Scene& scene) {
    for (const scene::ColliderSettings& collider : scene.colliders)
        if (const auto* body = std::get_if<scene::BodySolid>(&collider.shape))
            return BodyFacts{.clips = clips_of(*body), .clip = body->clip, .joints = live::turnable_joints(scene)};
    return {};
}

void add_live_panel(PreparedStage& stage, const scene::Scene& scene, const std::string& named) {
    const scene::Method method = scene::parse_method(method_for(named, stage.plan.values));
    add_panel(stage, std::make_unique<LiveSource>(scene, method), named);
    if (method.name != "garment") stage.is_grabbable = true;
}

void add_live_panels(PreparedStage& stage, const scene::Scene& scene) {
    std::vector<std::string> fitting;
    for (const std::string& named : stage.plan.methods) try {
            add_live_panel(stage, scene, named);
            fitting.push_back(named);
        } catch (const Error& error) {
            if (!stage.plan.leaves_out_misfits) throw;
            stage.note = fmt::format("{} is left out here: {}", named, error.what());
        }
    if (fitting.empty()) {
        add_live_panel(stage, scene, scene.method);
        fitting = {scene.method};
    }
    stage.plan.methods = fitting;
    stage.plan.leaves_out_misfits = false;
}

PreparedStage prepare_scene(const StagePlan& plan) {
    PreparedStage stage{.plan = plan};
    const scene::Scene base = scene::load_scene(plan.scene);
    scene::Overrides overrides = overrides_for(base, plan.values);
    if (plan.clip) overrides.push_back(fmt::format("body.clip='{}'", *plan.clip));
    const scene::Scene scene = overrides.empty() ? base : scene::load_scene(plan.scene, overrides);
    stage.name = plan.scene.stem().string();
    stage.description = scene.description;
    stage.up = scene.up;
    add_live_panels(stage, scene);
    stage.parameters = parameters_of(base, stage.plan.methods);
    stage.body = body_of(scene);
    stage.scene = base;
    return stage;
}

PreparedStage prepare_caches(const StagePlan& plan) {
    PreparedStage stage{.plan = plan};
    if (plan.caches.size() > most_panels)
        throw Error("at most {} caches fit side by side, not {}", most_panels, plan.caches.size());
    for (const std::filesystem::path& cache : plan.caches) {
        auto source = std::make_unique<RecordedSource>(cache);
        const io::CacheHeader& header = source->reader().header();
        const long frames = source->reader().frame_count();
        stage.frames = stage.frames == 0 ? frames : std::min(stage.frames, frames);
        stage.has_velocities = stage.has_velocities && header.has_velocities;
        stage.up = header.up_axis == 'y' ? Vector3::UnitY() : Vector3::UnitZ();
        if (stage.name.empty()) stage.name = header.scene_name;
        add_panel(stage, std::move(source), header.method);
    }
    stage.description = fmt::format("{} recorded frames", stage.frames);
    return stage;
}

}  // namespace

bool offers(const PreparedStage& stage, ColorMode color) {
    if (color == ColorMode::Speed) return stage.has_velocities;
    if (color == ColorMode::PredictedError) return stage.tells_bounds;
    if (color != ColorMode::Difference) return true;
    const auto is_like_the_first = [&](const PanelFacts& panel) {
        return panel.vertices == stage.panels.front().vertices;
    };
    return stage.panels.size() > 1 && std::ranges::all_of(stage.panels, is_like_the_first);
}

PreparedStage prepare(const StagePlan& plan) {
    PreparedStage stage = plan.scene.empty() ? prepare_caches(plan) : prepare_scene(plan);
    extend_by_colliders(stage);
    return stage;
}

}  // namespace tulle::view

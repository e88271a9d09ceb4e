// SPDX-License-Identifier: Apache-2.0
#include "tulle/view/stage.h"

#include "tulle/core/error.h"
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

std::optional<BodyFacts> body_of(const scene::Scene& scene) {
    if (scene.text.find("[body]") == std::string::npos) return {};
    for (const scene::ColliderSettings& collider : scene.colliders)
        if (const auto* body = std::get_if<scene::BodySolid>(&collider.shape)) {
            BodyFacts facts{.clips = {}, .clip = body->clip};
            if (body->placement.file.empty()) facts.clips = {"dance", "walk"};
            for (const body::Keyframes& clip : body->clips) facts.clips.push_back(clip.name);
            if (std::find(facts.clips.begin(), facts.clips.end(), body->clip) == facts.clips.end())
                facts.clips.push_back(body->clip);
            return facts;
        }
    return {};
}

PreparedStage prepare_scene(const StagePlan& plan) {
    PreparedStage stage{.plan = plan};
    const scene::Scene base = scene::load_scene(plan.scene);
    scene::Overrides overrides = overrides_for(base, plan.values);
    if (!plan.clip.empty()) overrides.push_back(fmt::format("body.clip='{}'", plan.clip));
    const scene::Scene scene = overrides.empty() ? base : scene::load_scene(plan.scene, overrides);
    stage.name = plan.scene.stem().string();
    stage.description = scene.description;
    stage.up = scene.up;
    for (const std::string& named : plan.methods) {
        const scene::Method method = scene::parse_method(method_for(named, plan.values));
        add_panel(stage, std::make_unique<LiveSource>(scene, method), named);
        if (method.name != "garment") stage.is_grabbable = true;
    }
    stage.parameters = parameters_of(base, plan.methods);
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

PreparedStage prepare(const StagePlan& plan) {
    PreparedStage stage = plan.scene.empty() ? prepare_caches(plan) : prepare_scene(plan);
    extend_by_colliders(stage);
    return stage;
}

}  // namespace tulle::view

// SPDX-License-Identifier: Apache-2.0
#include "tulle/view/live_source.h"

#include "tulle/core/error.h"
#include "tulle/physics/forces/grab.h"
#include "tulle/scene/families/families.h"

namespace tulle::view {

namespace {

// Of a method that upscales, the vertices of its coarse cloth.
int count_simulated(const scene::Simulation& simulation, const scene::Method& method) {
    if (!scene::family_of(method).simulates()) return 0;
    const scene::Run run{simulation.scene(), simulation.model(), simulation.world(), method};
    const std::optional<scene::Teacher> teacher = scene::family_of(method).teacher(run);
    return teacher ? static_cast<int>(teacher->fine_vertices.size()) : simulation.model().vertex_count();
}

ColliderOutline outline_of(const collision::Collider& collider, const scene::ColliderSettings& settings) {
    ColliderOutline outline{.name = collider.name, .mesh = {}};
    if (const auto* plane = std::get_if<scene::PlaneShape>(&settings.shape)) {
        outline.kind = ColliderOutline::Kind::Plane;
        outline.point = plane->point;
        outline.normal = plane->normal;
        return outline;
    }
    if (collider.deforming) outline.kind = ColliderOutline::Kind::Deforming;
    outline.mesh = collision::PlacedCollider(collider, /*time=*/0).shape().to_mesh();
    return outline;
}

}  // namespace

LiveSource::LiveSource(scene::Scene scene, const scene::Method& method)
    : live_(std::move(scene), method), simulated_vertices_(count_simulated(live_.simulation(), method)) {
    begin_recording();
}

void LiveSource::begin_recording() {
    const std::lock_guard lock(mutex_);
    const scene::Scene& scene = live_.simulation().scene();
    recording_ = {.scene = scene.text,
                  .folder = scene.folder,
                  .method = live_.method(),
                  .frames = live_.frame(),
                  .inputs = live_.settings()};
    is_recorded_ = true;
}

std::vector<ColliderOutline> LiveSource::colliders() const {
    std::vector<ColliderOutline> outlines;
    const collision::Colliders& colliders = *live_.simulation().world().colliders;
    for (size_t i = 0; i < colliders.size(); ++i) {
        outlines.push_back(outline_of(colliders[i], live_.simulation().scene().colliders[i]));
        outlines.back().is_movable = live_.is_movable(i);
    }
    return outlines;
}

std::vector<ShownGrab> LiveSource::grabs() const {
    std::vector<ShownGrab> grabs;
    const physics::ClothModel& model = live_.simulation().model();
    for (const physics::Grab& grab : live_.interaction().grabs) {
        long nearest = 0;
        (model.start_positions.rowwise() - grab.point.transpose()).rowwise().squaredNorm().minCoeff(&nearest);
        grabs.push_back({.pointer = static_cast<std::uint32_t>(grab.pointer),
                         .vertex = static_cast<std::uint32_t>(nearest),
                         .point = live_.simulation().state().positions.row(nearest),
                         .target = grab.target});
    }
    return grabs;
}

ShownCloth LiveSource::shown() const {
    const physics::ClothState& state = live_.simulation().state();
    ShownCloth cloth{.positions = state.positions,
                     .velocities = state.velocities,
                     .time = state.time,
                     .frame = live_.frame(),
                     .grabs = grabs()};
    const collision::Colliders& colliders = *live_.simulation().world().colliders;
    for (size_t i = 0; i < colliders.size(); ++i) {
        const auto number = static_cast<std::uint32_t>(i);
        if (colliders[i].deforming)
            cloth.deformed.push_back({number, colliders[i].deforming->positions_at(state.time)});
        else
            cloth.rigid.push_back({number, colliders[i].motion.at(state.time)});
    }
    return cloth;
}

bool LiveSource::advance(StageTimes& stages) {
    accumulate(stages, live_.advance_frame().stages);
    const std::lock_guard lock(mutex_);
    recording_.frames = live_.frame();
    return true;
}

void LiveSource::restart() {
    live_.restart();
    begin_recording();
}

void LiveSource::apply(const live::Input& input) {
    live_.apply(input);
    const std::lock_guard lock(mutex_);
    record(input);
}

void LiveSource::record(const live::Input& input) {
    is_recorded_ = is_recorded_ && recording_.inputs.size() < most_inputs;
    if (is_recorded_) recording_.inputs.push_back({live_.frame(), input});
}

void LiveSource::go_on_from(const PanelSource& other) {
    const auto* live = dynamic_cast<const LiveSource*>(&other);
    if (!live || live->rest().vertex_count() != rest().vertex_count()) return;
    live_.go_on_from(live->live_);
    const std::scoped_lock lock(mutex_, live->mutex_);
    recording_ = live->recording_;
    is_recorded_ = live->is_recorded_;
    record(live::RebuildInput{.scene = live_.simulation().scene().text, .method = live_.method()});
}

std::optional<live::Recording> LiveSource::recording() const {
    const std::lock_guard lock(mutex_);
    if (!is_recorded_)
        throw Error("more was done than a recording holds; restart, and what is done from then on can be saved");
    return recording_;
}

}  // namespace tulle::view

// SPDX-License-Identifier: Apache-2.0
#include "tulle/live/live_simulation.h"

#include "tulle/core/error.h"
#include "tulle/physics/forces/grab.h"
#include "tulle/scene/build.h"

#include <algorithm>

namespace tulle::live {

namespace {

constexpr double held_part = 0.08;      // radius of what a hand holds, as a part of the cloth's size
constexpr double reach_part = 0.3;      // the longest pull that counts, likewise
constexpr double fastest_collider = 3;  // [m/s] faster ones would pass through a cloth

double size_of(const Positions& positions) {
    return (positions.colwise().maxCoeff() - positions.colwise().minCoeff()).norm();
}

void require_finite(const Vector3& v) {
    if (!v.allFinite()) throw Error("a place must be three finite numbers");
}

}  // namespace

LiveSimulation::LiveSimulation(scene::Scene scene, const scene::Method& method)
    : method_(method.to_string()),
      joints_(scene),
      interaction_(std::make_shared<physics::Interaction>()),
      colliders_(std::make_shared<collision::Colliders>(scene::make_colliders(scene))) {
    physics::World world = scene::make_world(scene, colliders_);
    world.interaction = interaction_;
    simulation_ = std::make_unique<scene::Simulation>(std::move(scene), method, std::move(world));
    glides_.resize(colliders_->size());
    start_ = simulation_->state();
    start_memory_ = simulation_->memory();
    size_ = size_of(start_.positions);
}

bool LiveSimulation::is_movable(size_t collider) const {
    const scene::ColliderSettings& settings = simulation_->scene().colliders.at(collider);
    const bool is_plane = std::holds_alternative<scene::PlaneShape>(settings.shape);
    return !colliders_->at(collider).deforming && !is_plane && settings.motion.keyframes.empty();
}

void LiveSimulation::apply(const Input& input) {
    std::visit([&](const auto& one) { apply_one(one); }, input);
}

void LiveSimulation::apply_one(const GrabInput& input) {
    const physics::ClothModel& model = simulation_->model();
    require_finite(input.weights);
    require_finite(input.target);
    if (input.triangle < 0 || input.triangle >= model.mesh.triangles.rows())
        throw Error("triangle {} was grabbed, but there are only {}", input.triangle, model.mesh.triangles.rows());
    if (std::abs(input.weights.sum() - 1) > 1e-3 || input.weights.minCoeff() < -1e-3)
        throw Error("the weights of a grabbed point must be at least zero and sum to one");
    apply_one(ReleaseInput{input.pointer});
    const auto point_of = [&](const Positions& positions) {
        Vector3 point = Vector3::Zero();
        for (int corner = 0; corner < 3; ++corner)
            point += input.weights(corner) * positions.row(model.mesh.triangles(input.triangle, corner)).transpose();
        return point;
    };
    physics::Grab grab{.pointer = input.pointer,
                       .point = point_of(model.start_positions),
                       .target = input.target,
                       .radius = held_part * size_,
                       .reach = reach_part * size_,
                       .reaction_time = simulation_->scene().time.frame_time()};
    const physics::HeldPatch patch = physics::held_patch(model, grab.point, grab.radius);
    if (patch.vertices.empty()) return;
    grab.offset = patch.mean(simulation_->state().positions) - point_of(simulation_->state().positions);
    interaction_->grabs.push_back(grab);
}

void LiveSimulation::apply_one(const DragInput& input) {
    require_finite(input.target);
    for (physics::Grab& grab : interaction_->grabs)
        if (grab.pointer == input.pointer) grab.target = input.target;
}

void LiveSimulation::apply_one(const ReleaseInput& input) {
    std::erase_if(interaction_->grabs, [&](const physics::Grab& grab) { return grab.pointer == input.pointer; });
}

void LiveSimulation::apply_one(const WindInput& input) {
    require_finite(input.velocity);
    interaction_->wind_velocity = input.velocity;
}

void LiveSimulation::apply_one(const GravityInput& input) {
    require_finite(input.acceleration);
    gravity_ = input.acceleration;
    interaction_->gravity_change = input.acceleration - simulation_->world().gravity;
}

void LiveSimulation::apply_one(const ColliderInput& input) {
    require_finite(input.offset);
    const size_t index = collider_named(input.name);
    Glide& glide = glides_[index];
    glide.wanted = input.offset;
    glide.was_moved = true;
    if (frame_ > 0) return;
    glide.now = input.offset;  // nothing is in its way yet
    (*colliders_)[index].motion.keyframes = {{.time = 0, .translation = glide.now}};
}

void LiveSimulation::apply_one(const JointInput& input) {
    require_finite(input.angles);
    joints_.want(input.name, input.angles);
}

void LiveSimulation::apply_one(const RebuildInput&) {
    throw Error("a simulation cannot become another one; a replay makes it anew");
}

size_t LiveSimulation::collider_named(const std::string& name) const {
    for (size_t i = 0; i < colliders_->size(); ++i)
        if ((*colliders_)[i].name == name && is_movable(i)) return i;
    throw Error("there is no collider '{}' that can be moved", name);
}

void LiveSimulation::glide(size_t collider, double time, double seconds) {
    Glide& glide = glides_[collider];
    const Vector3 before = glide.now;
    Vector3 way = glide.wanted - before;
    if (const double most = fastest_collider * seconds; way.norm() > most) way *= most / way.norm();
    glide.now = before + way;
    auto& keyframes = (*colliders_)[collider].motion.keyframes;
    keyframes = {{.time = time, .translation = before}};
    if (way != Vector3::Zero()) keyframes.push_back({.time = time + seconds, .translation = glide.now});
}

physics::StepReport LiveSimulation::advance_frame() {
    const double time = simulation_->state().time, seconds = simulation_->scene().time.frame_time();
    for (size_t i = 0; i < glides_.size(); ++i)
        if (glides_[i].was_moved) glide(i, time, seconds);
    joints_.advance(time, seconds);
    const physics::StepReport report = simulation_->advance_frame();
    ++frame_;
    return report;
}

void LiveSimulation::restart() {
    interaction_->grabs.clear();
    frame_ = 0;
    joints_.restart();
    simulation_->resume_from(start_, start_memory_);
    for (const auto& [frame, input] : settings()) apply(input);
}

void LiveSimulation::go_on_from(const LiveSimulation& other) {
    const physics::ClothState& state = other.simulation_->state();
    if (state.positions.rows() != start_.positions.rows())
        throw Error("a cloth of {} vertices cannot go on as one of {}", state.positions.rows(),
                    start_.positions.rows());
    simulation_->go_on_from(state);
    *interaction_ = *other.interaction_;
    interaction_->gravity_change = Vector3::Zero();
    if (other.gravity_) apply_one(GravityInput{*other.gravity_});
    glides_ = other.glides_;
    for (size_t i = 0; i < glides_.size(); ++i)
        if (glides_[i].was_moved) (*colliders_)[i].motion = (*other.colliders_)[i].motion;
    joints_.go_on_from(other.joints_);
    frame_ = other.frame_;
}

std::vector<TimedInput> LiveSimulation::settings() const {
    std::vector<TimedInput> inputs;
    if (interaction_->wind_velocity) inputs.push_back({0, WindInput{*interaction_->wind_velocity}});
    if (gravity_) inputs.push_back({0, GravityInput{*gravity_}});
    for (size_t i = 0; i < glides_.size(); ++i)
        if (glides_[i].was_moved) inputs.push_back({0, ColliderInput{(*colliders_)[i].name, glides_[i].wanted}});
    for (const auto& [name, angles] : joints_.wanted()) inputs.push_back({0, JointInput{name, angles}});
    return inputs;
}

Replay::Replay(Recording recording) : recording_(std::move(recording)) {
    live_ =
        std::make_unique<LiveSimulation>(scene::parse_scene(recording_.scene, "the recorded scene", recording_.folder),
                                         scene::parse_method(recording_.method));
}

void Replay::apply(const Input& input) {
    const auto* rebuild = std::get_if<RebuildInput>(&input);
    if (!rebuild) return live_->apply(input);
    auto next =
        std::make_unique<LiveSimulation>(scene::parse_scene(rebuild->scene, "the recorded scene", recording_.folder),
                                         scene::parse_method(rebuild->method));
    next->go_on_from(*live_);
    live_ = std::move(next);
}

physics::StepReport Replay::advance_frame() {
    for (; next_ < recording_.inputs.size() && recording_.inputs[next_].frame <= live_->frame(); ++next_)
        apply(recording_.inputs[next_].input);
    return live_->advance_frame();
}

}  // namespace tulle::live

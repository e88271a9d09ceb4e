// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/live/inputs.h"
#include "tulle/live/joint_glide.h"
#include "tulle/scene/simulation.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tulle::live {

// A simulation that a person touches while it runs. Without inputs it gives the same bits as scene::Simulation.
class LiveSimulation {
public:
    LiveSimulation(scene::Scene scene, const scene::Method& method);

    const scene::Simulation& simulation() const { return *simulation_; }
    const std::string& method() const { return method_; }
    const physics::Interaction& interaction() const { return *interaction_; }
    Vector3 gravity() const { return gravity_.value_or(simulation_->world().gravity); }  // [m/s²]
    long frame() const { return frame_; }                                                // 0 at the start
    // Rigid, bounded and at rest in the scene.
    bool is_movable(size_t collider) const;

    // Acts from the next frame on. Throws an Error if it does not fit this cloth; a RebuildInput never does.
    void apply(const Input& input);
    physics::StepReport advance_frame();  // throws physics::Divergence

    // Back to the start. Nothing is held any more; all else that was set stays.
    void restart();
    // Becomes what another run of the same vertices has come to, and keeps its own method and materials.
    void go_on_from(const LiveSimulation& other);
    // What was set so far, as inputs at the start.
    std::vector<TimedInput> settings() const;

private:
    // A collider that a person moves: it glides to where it is wanted.
    struct Glide {
        Vector3 now = Vector3::Zero(), wanted = Vector3::Zero();  // [m]
        bool was_moved = false;
    };

    void apply_one(const GrabInput& input);
    void apply_one(const DragInput& input);
    void apply_one(const ReleaseInput& input);
    void apply_one(const WindInput& input);
    void apply_one(const GravityInput& input);
    void apply_one(const ColliderInput& input);
    void apply_one(const JointInput& input);
    void apply_one(const RebuildInput& input);
    size_t collider_named(const std::string& name) const;
    void glide(size_t collider, double time, double seconds);

    std::string method_;
    JointGlide joints_;
    // Shared with the world, which only looks at them; they change between frames.
    std::shared_ptr<physics::Interaction> interaction_;
    std::shared_ptr<collision::Colliders> colliders_;
    std::unique_ptr<scene::Simulation> simulation_;
    std::vector<Glide> glides_;  // by collider
    physics::ClothState start_;
    std::vector<std::byte> start_memory_;
    std::optional<Vector3> gravity_;  // [m/s²] as it was set
    double size_;                     // [m] of the cloth
    long frame_ = 0;
};

// Runs a recording. The same bits as those that were seen.
class Replay {
public:
    explicit Replay(Recording recording);

    const LiveSimulation& now() const { return *live_; }
    physics::StepReport advance_frame();  // with the inputs before it

private:
    void apply(const Input& input);

    Recording recording_;
    size_t next_ = 0;
    std::unique_ptr<LiveSimulation> live_;
};

}  // namespace tulle::live

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/io/draped_pose.h"
#include "tulle/methods/garment/resting_garment.h"
#include "tulle/scene/body_collider.h"
#include "tulle/scene/scene.h"

#include <functional>
#include <string>
#include <vector>

namespace tulle::workflows {

// How a garment is brought to rest on a posed body.
struct DrapeSettings {
    int reach_steps = 40;         // in which the body goes from rest into the pose
    double stiffening = 10000;    // factor on the stiffness of bending until it is there
    int calm_steps = 30;          // after that, in which it stays as stiff
    int soften_steps = 80;        // after those, in which the factor falls to 1
    int most_steps = 300;         // after those, in which the garment must come to rest
    double step_growth = 1.05;    // factor on the time step in each of those, up to the longest
    double longest_step = 0.05;   // [s]
    double restful_speed = 7e-4;  // [m/s] mean over the vertices of a garment that rests
    double longest_edge = 1.6;    // in rest lengths; a garment with a longer one is caught somewhere
};

enum class DrapeFault { None, Restless, Tangled, Penetrating, Caught, Diverged, Stopped };
const std::vector<DrapeFault>& drape_faults();  // of garments that were judged: all but None and Stopped
std::string to_string(DrapeFault fault);        // "not at rest", …

struct DrapeOutcome {
    Positions positions;  // |V|×3 [m]
    DrapeFault fault = DrapeFault::None;
    int steps = 0;
    double mean_speed = 0, speed = 0;  // [m/s] at the end, mean over vertices and of the fastest
    double longest_edge = 0;           // in rest lengths
};

// The body and the garment of a scene, to be brought to rest in any pose. Other colliders do not count.
class DrapedBody {
public:
    // Throws an Error if the scene has no [body] or no [garment].
    explicit DrapedBody(const scene::Scene& scene);

    const body::Character& character() const { return body_.character(); }
    const physics::ClothModel& model() const { return model_; }
    Positions positions_in(const std::vector<body::NamedAngles>& angles) const;  // |B|×3 [m] of the body, in the world

    // Moves the body smoothly from rest into the pose, and waits until the garment lies still; then looks whether the
    // result is sound. Uses one thread if called from a parallel task. `on_step` may stop it by false.
    DrapeOutcome drape(const std::vector<body::NamedAngles>& angles, const DrapeSettings& settings = {},
                       const std::function<bool()>& on_step = {}) const;
    // The same on the body as it rests, from where `start` is.
    DrapeOutcome drape_at_rest(const Positions& start, const DrapeSettings& settings,
                               const std::function<bool()>& on_step) const;

private:
    DrapeOutcome judge(const methods::RestingGarment& garment, const Positions& body,
                       const DrapeSettings& settings) const;

    physics::ClothModel model_;
    scene::MovingBody body_;
    Positions resting_body_;  // |B|×3 [m]
    collision::ClosedTopology topology_;
    methods::RestingGarmentSettings garment_;
};

}  // namespace tulle::workflows

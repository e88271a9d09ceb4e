// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/drape_pose.h"

#include "tulle/collision/closed_mesh.h"
#include "tulle/collision/intersections.h"
#include "tulle/core/error.h"
#include "tulle/scene/build.h"

#include <algorithm>
#include <cmath>

namespace tulle::workflows {

namespace {

const scene::ColliderSettings& body_of(const scene::Scene& scene) {
    if (!scene.garment) throw Error("'{}' has no [garment] to drape; add one", scene.source);
    for (const scene::ColliderSettings& collider : scene.colliders)
        if (std::holds_alternative<scene::BodySolid>(collider.shape)) return collider;
    throw Error("'{}' has no [body] that could be posed; add one", scene.source);
}

// The body as it rests, whatever the scene does with it.
scene::BodySolid resting(const scene::ColliderSettings& collider) {
    scene::BodySolid solid = std::get<scene::BodySolid>(collider.shape);
    solid.clip.clear();
    solid.angles.clear();
    return solid;
}

methods::RestingGarmentSettings settings_of(const scene::Scene& scene) {
    methods::RestingGarmentSettings settings;
    settings.gravity = scene.gravity;
    settings.body.friction = body_of(scene).friction;
    if (scene.self_contact.enabled) settings.layer_distance = scene.self_contact.thickness;
    return settings;
}

double longest_edge(const physics::Springs& springs, const Positions& positions) {
    double longest = 0;
    for (long e = 0; e < springs.count(); ++e)
        longest = std::max(longest, (positions.row(springs.edges(e, 0)) - positions.row(springs.edges(e, 1))).norm() /
                                        springs.rest_lengths(e));
    return longest;
}

// A garment on its way to rest, step by step, as long as nobody stops it.
class Draping {
public:
    Draping(methods::RestingGarment& garment, const std::function<bool()>& on_step)
        : garment_(garment), on_step_(on_step) {}

    int steps() const { return steps_; }
    // Each is false if it was stopped.
    bool step(const Positions& body) {
        garment_.step(body);
        return counted();
    }
    bool step() {
        garment_.step();
        return counted();
    }
    // Steps grow, since what is left of the way is slow.
    bool settle(const DrapeSettings& settings) {
        double dt = methods::RestingGarmentSettings{}.dt;
        for (int i = 0; i < settings.most_steps; ++i) {
            dt = std::min(settings.step_growth * dt, settings.longest_step);
            garment_.take_steps_of(dt);
            if (!step()) return false;
            if (garment_.mean_speed() <= settings.restful_speed) break;
        }
        return true;
    }

private:
    bool counted() {
        ++steps_;
        return !on_step_ || on_step_();
    }

    methods::RestingGarment& garment_;
    const std::function<bool()>& on_step_;
    int steps_ = 0;
};

DrapeOutcome stopped() { return {.fault = DrapeFault::Stopped}; }

}  // namespace

const std::vector<DrapeFault>& drape_faults() {
    static const std::vector<DrapeFault> faults = {DrapeFault::Restless, DrapeFault::Tangled, DrapeFault::Penetrating,
                                                   DrapeFault::Caught, DrapeFault::Diverged};
    return faults;
}

std::string to_string(DrapeFault fault) {
    switch (fault) {
        case DrapeFault::None:
            return "sound";
        case DrapeFault::Restless:
            return "not at rest";
        case DrapeFault::Tangled:
            return "through itself";
        case DrapeFault::Penetrating:
            return "through the body";
        case DrapeFault::Caught:
            return "caught";
        case DrapeFault::Diverged:
            return "diverged";
        case DrapeFault::Stopped:
            return "stopped";
    }
    return {};
}

DrapedBody::DrapedBody(const scene::Scene& scene)
    : model_(scene::make_model(scene)),
      body_(resting(body_of(scene))),
      resting_body_(body_.positions_at(0)),
      topology_(collision::closed_mesh({resting_body_, body_.character().triangles, {}})),
      garment_(settings_of(scene)) {}

Positions DrapedBody::positions_in(const std::vector<body::NamedAngles>& angles) const {
    return body_.positions_of(body::make_reach(character().skeleton, angles, 1).at(character().skeleton, 1));
}

// A garment that is as soft as it is all the way chooses its folds by chance: a rounding error grows to centimetres.
// One that bends hard has few shapes to choose from; softened slowly, it keeps to the folds that the pose gave it.
DrapeOutcome DrapedBody::drape(const std::vector<body::NamedAngles>& angles, const DrapeSettings& settings,
                               const std::function<bool()>& on_step) const {
    const body::Skeleton& skeleton = character().skeleton;
    const body::Clip reach = body::make_reach(skeleton, angles, 1);
    methods::RestingGarment garment(model_, topology_, model_.start_positions, resting_body_, garment_);
    Draping draping(garment, on_step);
    garment.stiffen(settings.stiffening);
    for (int i = 1; i <= settings.reach_steps; ++i) {
        const double part = static_cast<double>(i) / settings.reach_steps;
        if (!draping.step(body_.positions_of(reach.at(skeleton, part)))) return stopped();
    }
    for (int i = 0; i < settings.calm_steps; ++i)
        if (!draping.step()) return stopped();
    for (int i = 1; i <= settings.soften_steps; ++i) {
        garment.stiffen(std::pow(settings.stiffening, 1 - static_cast<double>(i) / settings.soften_steps));
        if (!draping.step()) return stopped();
    }
    garment.stiffen(1);
    if (!draping.settle(settings)) return stopped();
    DrapeOutcome outcome = judge(garment, positions_in(angles), settings);
    outcome.steps = draping.steps();
    return outcome;
}

DrapeOutcome DrapedBody::drape_at_rest(const Positions& start, const DrapeSettings& settings,
                                       const std::function<bool()>& on_step) const {
    methods::RestingGarment garment(model_, topology_, start, resting_body_, garment_);
    Draping draping(garment, on_step);
    if (!draping.settle(settings)) return stopped();
    DrapeOutcome outcome = judge(garment, resting_body_, settings);
    outcome.steps = draping.steps();
    return outcome;
}

// Shares no code with what brought it there.
DrapeOutcome DrapedBody::judge(const methods::RestingGarment& garment, const Positions& body,
                               const DrapeSettings& settings) const {
    const Positions& positions = garment.positions();
    const Triangles& triangles = model_.mesh.triangles;
    DrapeOutcome outcome{.positions = positions,
                         .mean_speed = garment.mean_speed(),
                         .speed = garment.speed(),
                         .longest_edge = longest_edge(model_.springs, positions)};
    if (!positions.allFinite())
        outcome.fault = DrapeFault::Diverged;
    else if (!(outcome.mean_speed <= settings.restful_speed))
        outcome.fault = DrapeFault::Restless;
    else if (!(outcome.longest_edge <= settings.longest_edge))
        outcome.fault = DrapeFault::Caught;
    else if (!collision::find_crossings(positions, triangles).empty())
        outcome.fault = DrapeFault::Tangled;
    else if (!collision::find_cuts(positions, triangles, {body, topology_.triangles, {}}).empty())
        outcome.fault = DrapeFault::Penetrating;
    return outcome;
}

}  // namespace tulle::workflows

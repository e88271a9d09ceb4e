// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/drape_pose.h"

#include "tulle/collision/closed_mesh.h"
#include "tulle/collision/intersections.h"
#include "tulle/core/error.h"
#include "tulle/scene/build.h"

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

// Steps until the garment rests; false if it was stopped.
bool settle(methods::RestingGarment& garment, DrapeOutcome& outcome, const DrapeSettings& settings,
            const std::function<bool()>& on_step) {
    for (int i = 0; i < settings.most_steps; ++i) {
        garment.step();
        ++outcome.steps;
        if (on_step && !on_step()) return false;
        if (garment.mean_speed() <= settings.restful_speed) break;
    }
    return true;
}

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
    }
    return {};
}

DrapedBody::DrapedBody(const scene::Scene& scene)
    : model_(scene::make_model(scene)),
      body_(resting(body_of(scene))),
      resting_body_(body_.positions_at(0)),
      topology_(collision::closed_mesh({resting_body_, body_.character().triangles, {}})),
      garment_(settings_of(scene)) {}

DrapeOutcome DrapedBody::drape(const std::vector<body::NamedAngles>& angles, const DrapeSettings& settings,
                               const std::function<bool()>& on_step) const {
    const body::Skeleton& skeleton = character().skeleton;
    const body::Clip reach = body::make_reach(skeleton, angles, 1);
    methods::RestingGarment garment(model_, topology_, model_.start_positions, resting_body_, garment_);
    DrapeOutcome outcome;
    for (int i = 1; i <= settings.reach_steps; ++i) {
        garment.step(body_.positions_of(reach.at(skeleton, static_cast<double>(i) / settings.reach_steps)));
        ++outcome.steps;
        if (on_step && !on_step()) return outcome;
    }
    if (!settle(garment, outcome, settings, on_step)) return outcome;
    const int steps = outcome.steps;
    outcome = judge(garment, body_.positions_of(reach.at(skeleton, 1)), settings);
    outcome.steps = steps;
    return outcome;
}

DrapeOutcome DrapedBody::drape_at_rest(const Positions& start, const DrapeSettings& settings,
                                       const std::function<bool()>& on_step) const {
    methods::RestingGarment garment(model_, topology_, start, resting_body_, garment_);
    DrapeOutcome outcome;
    if (!settle(garment, outcome, settings, on_step)) return outcome;
    const int steps = outcome.steps;
    outcome = judge(garment, resting_body_, settings);
    outcome.steps = steps;
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

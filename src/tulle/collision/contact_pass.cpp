// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/contact_pass.h"

#include "tulle/collision/face_contact.h"
#include "tulle/collision/self_contact.h"
#include "tulle/core/parallel.h"

#include <cassert>
#include <optional>

namespace tulle::collision {

namespace {

ClothParts cloth_parts(const Positions& rest_positions, const Triangles& triangles, const VectorX& inverse_masses) {
    geometry::TriangleMesh mesh{.positions = rest_positions, .triangles = triangles, .tex_coords = {}};
    return {.triangles = triangles,
            .edges = geometry::mesh_edges(mesh).edges,
            .inverse_masses = inverse_masses,
            .rest_positions = rest_positions};
}

}  // namespace

struct ContactPass::Implementation {
    VectorX inverse_masses;
    std::shared_ptr<const Colliders> colliders;
    FaceContact faces;
    std::unique_ptr<SelfContact> self;  // null if off

    int meet_colliders(const ColliderResponse& response, const Movement& movement) const {
        std::vector<char> touched(static_cast<size_t>(movement.end.rows()), 0);
        parallel_for(movement.end.rows(), [&](long v) {
            if (inverse_masses(v) == 0) return;
            Vector3 end = movement.end.row(v);
            Vector3 velocity = movement.velocities.row(v);
            if (!response.resolve(movement.start.row(v), end, velocity)) return;
            movement.end.row(v) = end;
            movement.velocities.row(v) = velocity;
            touched[static_cast<size_t>(v)] = 1;
        });
        return static_cast<int>(std::count(touched.begin(), touched.end(), 1));
    }

    SelfContactOutcome meet_itself(const ColliderContact* solids, const Movement& movement) const {
        const Positions proposed = movement.end;
        const SelfContactOutcome outcome = self->resolve(movement.start, movement.end, movement.dt, solids);
        if (outcome.contacts > 0 || outcome.slowed)
            parallel_for(proposed.rows(), [&](long v) {
                movement.velocities.row(v) += (movement.end.row(v) - proposed.row(v)) / movement.dt;
            });
        return outcome;
    }
};

ContactPass::ContactPass(const Positions& rest_positions, const Triangles& triangles, const VectorX& inverse_masses,
                         std::shared_ptr<const Colliders> colliders, const SelfContactSettings& self)
    : implementation_(new Implementation{
          inverse_masses, std::move(colliders), {rest_positions, triangles, inverse_masses}, nullptr}) {
    if (self.enabled)
        implementation_->self =
            std::make_unique<SelfContact>(cloth_parts(rest_positions, triangles, inverse_masses), self);
}

ContactPass::~ContactPass() = default;
ContactPass::ContactPass(ContactPass&&) noexcept = default;
ContactPass& ContactPass::operator=(ContactPass&&) noexcept = default;

bool ContactPass::is_needed() const {
    return implementation_->self || (implementation_->colliders && !implementation_->colliders->empty());
}

ContactReport ContactPass::apply(Movement movement) {
    assert(movement.start.rows() == movement.end.rows() && movement.end.rows() == movement.velocities.rows());
    assert(movement.end.rows() == implementation_->inverse_masses.size() && movement.dt > 0);
    ContactReport report;
    Stopwatch stopwatch;
    std::optional<ColliderResponse> response;
    std::optional<ColliderContact> colliders;
    if (implementation_->colliders && !implementation_->colliders->empty()) {
        response.emplace(*implementation_->colliders, movement.time, movement.dt);
        colliders.emplace(ColliderContact{*response, implementation_->faces});
        report.collider_contacts = implementation_->meet_colliders(*response, movement);
        const auto outcome =
            implementation_->faces.resolve(*response, {movement.start, movement.end, &movement.velocities});
        report.face_contacts = outcome.contacts;
        report.unresolved = outcome.unresolved;
        report.stages["colliders"] = stopwatch.lap();
    }
    if (implementation_->self) {
        const auto outcome = implementation_->meet_itself(colliders ? &*colliders : nullptr, movement);
        report.self_contacts = outcome.contacts;
        report.truncated_vertices = outcome.truncated_vertices;
        report.unresolved += outcome.unresolved;
        report.stages["self_collision"] = stopwatch.lap();
    }
    return report;
}

}  // namespace tulle::collision

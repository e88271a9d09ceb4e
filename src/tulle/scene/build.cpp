// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/build.h"

#include "tulle/collision/shape.h"
#include "tulle/core/error.h"
#include "tulle/core/random.h"
#include "tulle/methods/projected_stepper.h"
#include "tulle/scene/body_collider.h"
#include "tulle/scene/deforming_collider.h"
#include "tulle/scene/families/families.h"
#include "tulle/scene/load_mesh.h"

namespace tulle::scene {

namespace {

std::unique_ptr<collision::Shape> make(const PlaneShape& s) { return collision::make_plane(s.point, s.normal); }
std::unique_ptr<collision::Shape> make(const SphereShape& s) { return collision::make_sphere(s.center, s.radius); }
std::unique_ptr<collision::Shape> make(const CapsuleShape& s) {
    return collision::make_capsule(s.start, s.end, s.radius);
}
std::unique_ptr<collision::Shape> make(const BoxShape& s) {
    return collision::make_box(s.center, s.size, s.orientation);
}
std::unique_ptr<collision::Shape> make(const SolidMesh& s) {
    constexpr long few_triangles = 500;
    const geometry::TriangleMesh mesh = load_mesh(s.placement);
    if (!s.voxel_size && mesh.triangles.rows() <= few_triangles) return collision::make_exact_mesh_shape(mesh);
    return collision::make_mesh_shape(mesh, s.voxel_size.value_or(0.01));
}

template <typename Solid>
void put(const Solid& solid, collision::Collider& collider) {
    collider.shape = make(solid);
}
void put(const DeformingSolid& solid, collision::Collider& collider) {
    collider.deforming = make_deforming_mesh(solid);
}
void put(const BodySolid& solid, collision::Collider& collider) { collider.deforming = make_body_mesh(solid); }

collision::Collider make_collider(const ColliderSettings& settings) {
    collision::Collider collider{.name = settings.name,
                                 .shape = nullptr,
                                 .motion = settings.motion,
                                 .thickness = settings.thickness,
                                 .friction = settings.friction,
                                 .restitution = settings.restitution,
                                 .contact_drag = settings.contact_drag,
                                 .law = settings.law};
    try {
        std::visit([&](const auto& solid) { put(solid, collider); }, settings.shape);
        return collider;
    } catch (const Error& error) {
        throw Error("{}: collider '{}': {}", settings.where, settings.name, error.what());
    }
}

}  // namespace

collision::Colliders make_colliders(const Scene& scene) {
    collision::Colliders colliders;
    for (const ColliderSettings& settings : scene.colliders) colliders.push_back(make_collider(settings));
    return colliders;
}

physics::World make_world(const Scene& scene) {
    return make_world(scene, std::make_shared<const collision::Colliders>(make_colliders(scene)));
}

physics::World make_world(const Scene& scene, std::shared_ptr<const collision::Colliders> colliders) {
    return {.gravity = scene.gravity,
            .wind = scene.wind,
            .pressure = scene.pressure,
            .drag_rate = scene.drag,
            .colliders = std::move(colliders),
            .self_contact = scene.self_contact};
}

physics::ClothState initial_state(const Scene& scene, const physics::ClothModel& model) {
    const Positions& start = model.start_positions;
    physics::ClothState state{.positions = start, .velocities = Velocities(start.rows(), 3), .time = 0};
    state.velocities.rowwise() = scene.cloth.velocity.transpose();
    if (scene.cloth.noise > 0) {
        const Positions normals = geometry::vertex_normals(start, model.mesh.triangles);
        Random random(scene.seed);
        for (long v = 0; v < start.rows(); ++v)
            state.positions.row(v) += random.uniform(-scene.cloth.noise, scene.cloth.noise) * normals.row(v);
    }
    model.place_pins(0, state.positions);
    for (const physics::PinGroup& group : model.pins)
        for (const int v : group.vertices) state.velocities.row(v).setZero();
    return state;
}

std::unique_ptr<physics::Stepper> make_stepper(const Scene& scene, const physics::ClothModel& model,
                                               const physics::World& world, const Method& method) {
    const Family& family = family_of(method);
    std::unique_ptr<physics::Stepper> stepper = family.make_stepper({scene, model, world, method});
    const projections::ProjectionSettings settings = projection_settings(scene, method);
    if (!settings.is_any()) return stepper;
    return std::make_unique<methods::ProjectedStepper>(
        std::move(stepper), projections::make_projection(cloth_to_project(model), settings),
        family.steps_are_shown() ? methods::ProjectedStepper::Contact::Solver
                                 : methods::ProjectedStepper::Contact::PushOut,
        model, world);
}

projections::Cloth cloth_to_project(const physics::ClothModel& model) {
    projections::Cloth cloth{model.mesh.positions, model.mesh.triangles, model.masses, {}};
    for (const physics::PinGroup& group : model.pins)
        cloth.fixed.insert(cloth.fixed.end(), group.vertices.begin(), group.vertices.end());
    return cloth;
}

projections::ProjectionSettings projection_settings(const Scene& scene, const Method& method) {
    const ProjectionSection& section = scene.projection;
    projections::ProjectionSettings settings;
    if ((section.is_attached && section.quasistatic) || method.quasistatic) {
        auto& quasistatics = settings.quasistatics.emplace();
        quasistatics.mu = section.mu;
        quasistatics.tolerance = section.tolerance;
        if (section.max_iterations) quasistatics.max_iterations = *section.max_iterations;
    }
    if ((section.is_attached && section.inextensible) || method.inextensible) {
        auto& limits = settings.inextensibility.emplace();
        limits.stretch = section.inextensible.value_or(limits.stretch);
        limits.compression = section.compression;
        limits.tolerance = section.tolerance;
        if (section.max_iterations) limits.max_iterations = *section.max_iterations;
    }
    return settings;
}

int steps_per_frame(const Scene& scene, const physics::ClothModel& model, const Method& method) {
    return family_of(method).steps_per_frame(scene, model, method);
}

}  // namespace tulle::scene

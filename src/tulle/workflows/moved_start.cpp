// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/moved_start.h"

#include "tulle/core/random.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tulle::workflows {

namespace {

// 0 at pins, 1 beyond a quarter of the cloth's size from them.
VectorX freedom(const physics::ClothModel& model, double cloth_size) {
    const Positions& rest = model.mesh.positions;
    VectorX free = VectorX::Ones(rest.rows());
    for (const physics::PinGroup& group : model.pins)
        for (const int pin : group.vertices)
            free = free.cwiseMin((rest.rowwise() - rest.row(pin)).rowwise().norm() / (0.25 * cloth_size));
    return free;
}

VectorX random_waves(const Positions& rest, double cloth_size, Random& random) {
    constexpr int waves = 8;
    constexpr double turn = 2 * std::numbers::pi;
    VectorX field = VectorX::Zero(rest.rows());
    for (int wave = 0; wave < waves; ++wave) {
        const double length = cloth_size * std::exp2(random.uniform(-1, 1));
        Vector3 direction;
        for (double& number : direction) number = random.uniform(-1, 1);
        const double phase = random.uniform(0, turn), height = random.uniform(-1, 1);
        field.array() += height * ((rest * direction.normalized()).array() * (turn / length) + phase).cos();
    }
    return field;
}

}  // namespace

Positions moved_start(const physics::ClothModel& model, double size, std::uint64_t seed) {
    const Positions& rest = model.mesh.positions;
    const double cloth_size = (rest.colwise().maxCoeff() - rest.colwise().minCoeff()).norm();
    Random random(seed);
    VectorX field = random_waves(rest, cloth_size, random).cwiseProduct(freedom(model, cloth_size));
    field *= size / std::max(field.cwiseAbs().maxCoeff(), 1e-300);  // all may be pinned
    return model.start_positions +
           field.asDiagonal() * geometry::vertex_normals(model.start_positions, model.mesh.triangles);
}

}  // namespace tulle::workflows

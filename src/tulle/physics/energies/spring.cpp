// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/energies/spring.h"

#include <algorithm>

namespace tulle::physics {

namespace {

// k (n nᵀ + s (I − n nᵀ)) with s = 1 − L/|d|, the stiffness across the spring relative to the one along it.
Matrix3 hessian(const Spring& spring, const Vector3& d, double across) {
    const double length = d.norm();
    if (length == 0) return spring.stiffness * Matrix3::Identity();  // no direction: as stiff in all
    const Vector3 n = d / length;
    return spring.stiffness * (across * Matrix3::Identity() + (1 - across) * n * n.transpose());
}

double stiffness_across(const Spring& spring, const Vector3& d) { return 1 - spring.rest_length / d.norm(); }

}  // namespace

double spring_energy(const Spring& spring, const Vector3& d) {
    const double stretch = d.norm() - spring.rest_length;
    return 0.5 * spring.stiffness * stretch * stretch;
}

Vector3 spring_gradient(const Spring& spring, const Vector3& d) {
    const double length = d.norm();
    if (length == 0) return Vector3::Zero();
    return spring.stiffness * (1 - spring.rest_length / length) * d;
}

Matrix3 spring_hessian(const Spring& spring, const Vector3& d) {
    return hessian(spring, d, stiffness_across(spring, d));
}

Matrix3 projected_spring_hessian(const Spring& spring, const Vector3& d) {
    return hessian(spring, d, std::max(0.0, stiffness_across(spring, d)));
}

}  // namespace tulle::physics

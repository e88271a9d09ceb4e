// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

namespace tulle::physics {

// A spring as a function of d = x_a − x_b: U(d) = ½ k (|d| − L)².
struct Spring {
    double rest_length = 0;  // L [m]
    double stiffness = 0;    // k [N/m]
};

double spring_energy(const Spring& spring, const Vector3& d);     // [J]
Vector3 spring_gradient(const Spring& spring, const Vector3& d);  // ∂U/∂d [N]
Matrix3 spring_hessian(const Spring& spring, const Vector3& d);   // ∂²U/∂d² [N/m]
// The nearest positive semidefinite matrix: the part across a compressed spring is negative and is left out.
Matrix3 projected_spring_hessian(const Spring& spring, const Vector3& d);

}  // namespace tulle::physics

// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/dual_quaternion.h"
#include "tulle/body/skin.h"

namespace tulle::body {

namespace {

Vector3 linear(const Skin& skin, const Affines& transforms, long v) {
    const Vector3 place = skin.positions.row(v);
    Vector3 sum = Vector3::Zero();
    for (long k = 0; k < skin.joints.cols(); ++k)
        sum += skin.weights(v, k) * (transforms[static_cast<size_t>(skin.joints(v, k))] * place);
    return sum;
}

Vector3 dual_quaternions(const Skin& skin, const Affines& transforms, long v) {
    Eigen::Vector4d real = Eigen::Vector4d::Zero(), dual = Eigen::Vector4d::Zero();
    for (long k = 0; k < skin.joints.cols(); ++k) {
        const DualQuaternion motion = to_dual_quaternion(transforms[static_cast<size_t>(skin.joints(v, k))]);
        // q and −q are the same motion: the one on the side of what was summed so far goes the short way round.
        const double weight = real.dot(motion.real.coeffs()) < 0 ? -skin.weights(v, k) : skin.weights(v, k);
        real += weight * motion.real.coeffs();
        dual += weight * motion.dual.coeffs();
    }
    const double length = real.norm();
    const Eigen::Quaterniond r(Eigen::Vector4d(real / length)), d(Eigen::Vector4d(dual / length));
    return r * Vector3(skin.positions.row(v)) + 2 * (d * r.conjugate()).vec();
}

}  // namespace

Positions skinned_reference(const Skin& skin, const Affines& transforms, Skinning method) {
    Positions result(skin.positions.rows(), 3);
    for (long v = 0; v < result.rows(); ++v)
        result.row(v) =
            method == Skinning::Linear ? linear(skin, transforms, v) : dual_quaternions(skin, transforms, v);
    return result;
}

}  // namespace tulle::body

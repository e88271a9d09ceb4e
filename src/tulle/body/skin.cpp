// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/skin.h"

#include "tulle/body/dual_quaternion.h"
#include "tulle/body/skinning_kernel.h"
#include "tulle/core/error.h"
#include "tulle/core/parallel.h"

#include <cassert>
#include <cmath>

namespace tulle::body {

void check(const Skin& skin, const Skeleton& skeleton) {
    assert(skin.joints.rows() == skin.positions.rows() && skin.weights.rows() == skin.positions.rows());
    assert(skin.joints.cols() == skin.weights.cols());
    constexpr double rounding = 1e-3;  // of weights stored in bytes
    for (long v = 0; v < skin.positions.rows(); ++v) {
        if (!skin.positions.row(v).allFinite()) throw Error("vertex {} of the skin is not a finite point", v);
        for (const int joint : skin.joints.row(v))
            if (joint < 0 || joint >= skeleton.joint_count())
                throw Error("vertex {} of the skin follows joint {}, but there are only {}", v, joint,
                            skeleton.joint_count());
        const auto weights = skin.weights.row(v);
        if (!weights.allFinite() || weights.minCoeff() < 0 || std::abs(weights.sum() - 1) > rounding)
            throw Error("the weights of vertex {} of the skin must not be negative and must add up to 1", v);
    }
}

Affines inverse_binds_at_rest(const Skeleton& skeleton) {
    Affines inverses;
    for (const Eigen::Affine3d& placed : skeleton.place(skeleton.rest_pose())) inverses.push_back(placed.inverse());
    return inverses;
}

Affines skinning_transforms(const Skin& skin, const Affines& placed) {
    assert(placed.size() == skin.inverse_binds.size());
    Affines transforms;
    transforms.reserve(placed.size());
    for (size_t j = 0; j < placed.size(); ++j) transforms.push_back(placed[j] * skin.inverse_binds[j]);
    return transforms;
}

Positions skinned(const Skin& skin, const Affines& transforms, Skinning method) {
    const bool is_linear = method == Skinning::Linear;
    std::vector<double> numbers;  // of all transforms, as the kernels want them
    for (const Eigen::Affine3d& transform : transforms) {
        if (is_linear) {
            const Eigen::Matrix<double, 3, 4, Eigen::RowMajor> rows = transform.affine();
            numbers.insert(numbers.end(), rows.data(), rows.data() + 12);
        } else {
            const DualQuaternion motion = to_dual_quaternion(transform);
            numbers.insert(numbers.end(), motion.real.coeffs().data(), motion.real.coeffs().data() + 4);
            numbers.insert(numbers.end(), motion.dual.coeffs().data(), motion.dual.coeffs().data() + 4);
        }
    }
    Positions result(skin.positions.rows(), 3);
    const SkinningArrays arrays{.positions = skin.positions.data(),
                                .joints = skin.joints.data(),
                                .weights = skin.weights.data(),
                                .influences = skin.joints.cols(),
                                .transforms = numbers.data(),
                                .skinned = result.data()};
    const SkinningKernels& kernels = skinning_kernels();
    parallel_ranges(result.rows(), [&](long begin, long end) {
        (is_linear ? kernels.linear : kernels.dual_quaternions)(arrays, begin, end);
    });
    return result;
}

}  // namespace tulle::body

// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/gltf_quantization.h"

#include "tulle/geometry/triangle_mesh.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle::io {

namespace {

template <typename Integer>
constexpr double largest = static_cast<double>(std::numeric_limits<Integer>::max());

// |V|×3 numbers in [−1, 1] as |V|×4 integers.
template <typename Integer>
Rows<Integer, 4> quantize(const Positions& values) {
    Rows<Integer, 4> result = Rows<Integer, 4>::Zero(values.rows(), 4);
    result.template leftCols<3>() =
        (values.array().cwiseMin(1).cwiseMax(-1) * largest<Integer>).round().template cast<Integer>().matrix();
    return result;
}

Positions decode(const Rows<std::int16_t, 4>& values) {
    return values.leftCols<3>().cast<double>() / largest<std::int16_t>;
}

Positions to_local(const QuantizedCloth& cloth, const Positions& world) {
    return (world.rowwise() - cloth.origin.transpose()) * cloth.rotation.transpose();
}

// Unit normals in the local frame. A vertex without a normal, in no triangle of any area, gets the usual direction.
Positions local_normals(const QuantizedCloth& cloth, const CacheReader& cache, const Positions& positions) {
    Positions normals = geometry::vertex_normals(positions, cache.header().mesh.triangles) * cloth.rotation.transpose();
    for (long v = 0; v < normals.rows(); ++v)
        if (!(normals.row(v).squaredNorm() > 0.5)) normals.row(v).setConstant(std::sqrt(1.0 / 3));
    return normals;
}

// The t of the header's comment.
double stretch(const Eigen::RowVector3d& base, const Eigen::RowVector3d& normal) {
    double t = 1;
    for (int i = 0; i < 3; ++i)
        if (normal(i) != 0) t = std::min(t, (1 + std::copysign(base(i), base(i) * normal(i))) / std::abs(normal(i)));
    return t;
}

Matrix3 diagonal_rotation(const Positions& normals) {
    const Vector3 mean = normals.colwise().mean();
    if (!(mean.norm() > 1e-3)) return Matrix3::Identity();
    return Eigen::Quaterniond::FromTwoVectors(mean, Vector3::Ones()).toRotationMatrix();
}

}  // namespace

QuantizedCloth quantize_cloth(const CacheReader& cache) {
    const Positions first = cache.positions(0);
    const Triangles& triangles = cache.header().mesh.triangles;
    QuantizedCloth cloth;
    cloth.rotation = diagonal_rotation(geometry::vertex_normals(first, triangles));
    cloth.origin = (first.colwise().minCoeff() + first.colwise().maxCoeff()).transpose() / 2;
    const Positions base = to_local(cloth, first);
    cloth.base_normals = quantize<std::int16_t>(local_normals(cloth, cache, first));
    const Positions base_normals = decode(cloth.base_normals);
    double extent = std::max(base.cwiseAbs().maxCoeff(), 1e-6);
    for (long f = 1; f < cache.frame_count(); ++f) {
        const Positions positions = cache.positions(f);
        extent = std::max(extent, (to_local(cloth, positions) - base).cwiseAbs().maxCoeff());
        if (!cloth.has_byte_normals) continue;
        const Positions normals = local_normals(cloth, cache, positions);
        for (long v = 0; v < normals.rows(); ++v)
            if (stretch(base_normals.row(v), normals.row(v)) < least_stretch) cloth.has_byte_normals = false;
    }
    cloth.scale = extent * (1 + 1e-4);  // room for the rounding of the base
    cloth.base_positions = quantize<std::int16_t>(base / cloth.scale);
    return cloth;
}

QuantizedTarget quantize_frame(const QuantizedCloth& cloth, const CacheReader& cache, long frame) {
    const Positions positions = cache.positions(frame);
    const Positions normals = local_normals(cloth, cache, positions);
    const Positions base_normals = decode(cloth.base_normals);
    QuantizedTarget target;
    target.positions = quantize<std::int16_t>(to_local(cloth, positions) / cloth.scale - decode(cloth.base_positions));
    if (cloth.has_byte_normals) {
        Positions differences(normals.rows(), 3);
        for (long v = 0; v < normals.rows(); ++v)
            differences.row(v) = stretch(base_normals.row(v), normals.row(v)) * normals.row(v) - base_normals.row(v);
        target.byte_normals = quantize<std::int8_t>(differences);
    } else {
        target.float_normals = (normals - base_normals).cast<float>();
    }
    return target;
}

}  // namespace tulle::io

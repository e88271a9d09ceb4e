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

Positions to_local(const QuantizedMesh& frame, const Positions& world) {
    return (world.rowwise() - frame.origin.transpose()) * frame.rotation.transpose();
}

// Unit normals in the local frame. A vertex without a normal, in no triangle of any area, gets the usual direction.
Positions local_normals(const QuantizedMesh& frame, const Triangles& triangles, const Positions& positions) {
    Positions normals = geometry::vertex_normals(positions, triangles) * frame.rotation.transpose();
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

QuantizedMesh quantize_mesh(const MovingMesh& mesh) {
    const Positions first = mesh.positions(0);
    QuantizedMesh quantized;
    quantized.rotation = diagonal_rotation(geometry::vertex_normals(first, mesh.triangles));
    quantized.origin = (first.colwise().minCoeff() + first.colwise().maxCoeff()).transpose() / 2;
    const Positions base = to_local(quantized, first);
    quantized.base_normals = quantize<std::int16_t>(local_normals(quantized, mesh.triangles, first));
    const Positions base_normals = decode(quantized.base_normals);
    double extent = std::max(base.cwiseAbs().maxCoeff(), 1e-6);
    for (long f = 1; f < mesh.frame_count; ++f) {
        const Positions positions = mesh.positions(f);
        extent = std::max(extent, (to_local(quantized, positions) - base).cwiseAbs().maxCoeff());
        if (!quantized.has_byte_normals) continue;
        const Positions normals = local_normals(quantized, mesh.triangles, positions);
        for (long v = 0; v < normals.rows(); ++v)
            if (stretch(base_normals.row(v), normals.row(v)) < least_stretch) quantized.has_byte_normals = false;
    }
    quantized.scale = extent * (1 + 1e-4);  // room for the rounding of the base
    quantized.base_positions = quantize<std::int16_t>(base / quantized.scale);
    return quantized;
}

QuantizedTarget quantize_frame(const QuantizedMesh& quantized, const MovingMesh& mesh, long frame) {
    const Positions positions = mesh.positions(frame);
    const Positions normals = local_normals(quantized, mesh.triangles, positions);
    const Positions base_normals = decode(quantized.base_normals);
    QuantizedTarget target;
    target.positions =
        quantize<std::int16_t>(to_local(quantized, positions) / quantized.scale - decode(quantized.base_positions));
    if (quantized.has_byte_normals) {
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

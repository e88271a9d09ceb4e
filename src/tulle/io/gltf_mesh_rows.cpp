// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/gltf_mesh_rows.h"

#include "tulle/geometry/triangle_mesh.h"

#include <Eigen/Geometry>

namespace tulle::io {

namespace {

using Json = GltfMeshRows::Json;

template <typename PositionRows, typename NormalRows>
Json add_rows(GltfDocument& document, const SplitMesh& split, const PositionRows& positions,
              const NormalRows& normals) {
    const int first = document.add_vertices(split.split(positions), 3, true);
    return {{"POSITION", first}, {"NORMAL", document.add_vertices(split.split(normals), 3, false)}};
}

class PlainRows final : public GltfMeshRows {
public:
    PlainRows(const MovingMesh& mesh, const Matrix3& to_y_up)
        : mesh_(mesh), to_y_up_(to_y_up), base_(shape(0)), base_normals_(normals(base_)) {}

    Json add_base(GltfDocument& document, const SplitMesh& split) const override {
        return add_rows(document, split, base_, base_normals_);
    }
    Json add_target(GltfDocument& document, const SplitMesh& split, long frame) const override {
        const Rows<float, 3> points = shape(frame);
        return add_rows(document, split, Rows<float, 3>(points - base_),
                        Rows<float, 3>(normals(points) - base_normals_));
    }
    Json node_transform() const override { return Json::object(); }

private:
    Rows<float, 3> shape(long frame) const { return (mesh_.positions(frame) * to_y_up_.transpose()).cast<float>(); }
    Rows<float, 3> normals(const Rows<float, 3>& points) const {
        Rows<float, 3> result = geometry::vertex_normals(points.cast<double>(), mesh_.triangles).cast<float>();
        for (auto normal : result.rowwise())
            if (!(normal.squaredNorm() > 0.5F)) normal << 0, 1, 0;  // a vertex in no triangle of any area
        return result;
    }

    MovingMesh mesh_;
    Matrix3 to_y_up_;
    Rows<float, 3> base_, base_normals_;
};

class QuantisedRows final : public GltfMeshRows {
public:
    QuantisedRows(const MovingMesh& mesh, const Matrix3& to_y_up)
        : mesh_(mesh), to_y_up_(to_y_up), quantized_(quantize_mesh(mesh)) {}

    Json add_base(GltfDocument& document, const SplitMesh& split) const override {
        return add_rows(document, split, quantized_.base_positions, quantized_.base_normals);
    }
    Json add_target(GltfDocument& document, const SplitMesh& split, long frame) const override {
        const QuantizedTarget target = quantize_frame(quantized_, mesh_, frame);
        return quantized_.has_byte_normals ? add_rows(document, split, target.positions, target.byte_normals)
                                           : add_rows(document, split, target.positions, target.float_normals);
    }
    Json node_transform() const override {
        const Vector3 t = to_y_up_ * quantized_.origin;
        const Eigen::Quaterniond q(to_y_up_ * quantized_.rotation.transpose());
        return {{"translation", {t.x(), t.y(), t.z()}},
                {"rotation", {q.x(), q.y(), q.z(), q.w()}},
                {"scale", {quantized_.scale, quantized_.scale, quantized_.scale}}};
    }

private:
    MovingMesh mesh_;
    Matrix3 to_y_up_;
    QuantizedMesh quantized_;
};

}  // namespace

std::unique_ptr<GltfMeshRows> make_plain_rows(const MovingMesh& mesh, const Matrix3& to_y_up) {
    return std::make_unique<PlainRows>(mesh, to_y_up);
}

std::unique_ptr<GltfMeshRows> make_quantised_rows(const MovingMesh& mesh, const Matrix3& to_y_up) {
    return std::make_unique<QuantisedRows>(mesh, to_y_up);
}

}  // namespace tulle::io

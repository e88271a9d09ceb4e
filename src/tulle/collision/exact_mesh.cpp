// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/closed_mesh.h"
#include "tulle/collision/posed_mesh.h"

namespace tulle::collision {

namespace {

// No vertex lies in front of a face.
bool bounds_convex_solid(const geometry::TriangleMesh& closed) {
    const double size = (closed.positions.colwise().maxCoeff() - closed.positions.colwise().minCoeff()).norm();
    for (const auto face : closed.triangles.rowwise()) {
        const Vector3 a = closed.positions.row(face(0)), b = closed.positions.row(face(1)),
                      c = closed.positions.row(face(2));
        const Vector3 normal = (b - a).cross(c - a).stableNormalized();
        for (const auto point : closed.positions.rowwise())
            if (normal.dot(point.transpose() - a) > 1e-9 * size) return false;
    }
    return true;
}

class ExactMesh final : public Shape {
public:
    explicit ExactMesh(const geometry::TriangleMesh& closed)
        : topology_(closed), posed_(topology_, closed.positions), is_convex_(bounds_convex_solid(closed)) {}

    double distance(const Vector3& point) const override { return posed_.distance(point); }
    SurfacePoint surface(const Vector3& point) const override { return posed_.surface(point); }
    bool is_convex() const override { return is_convex_; }
    geometry::TriangleMesh to_mesh() const override { return posed_.to_mesh(); }
    Eigen::AlignedBox3d bounds() const override { return posed_.bounds(); }

private:
    ClosedTopology topology_;
    PosedMesh posed_;
    bool is_convex_;
};

}  // namespace

std::unique_ptr<Shape> make_exact_mesh_shape(const geometry::TriangleMesh& mesh) {
    return std::make_unique<ExactMesh>(closed_mesh(mesh));
}

}  // namespace tulle::collision

// SPDX-License-Identifier: Apache-2.0
// A closed triangle mesh as level sets. The only file that knows OpenVDB.
#include "tulle/collision/shape.h"

#include "tulle/collision/closed_mesh.h"
#include "tulle/core/error.h"

#include <openvdb/openvdb.h>
#include <openvdb/tools/MeshToVolume.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace tulle::collision {

namespace {

constexpr double voxel_limit = 2e8;
constexpr float fine_band = 5;         // voxels on either side of the surface
constexpr float coarse_band = 8;       // coarse voxels outside; inside, all of it
constexpr int coarse_resolution = 48;  // coarse voxels along the longest side

// Trilinear samples of one OpenVDB grid. The tree is never changed, so unregistered accessors are safe and cheap.
class SampledGrid {
public:
    SampledGrid(const geometry::TriangleMesh& mesh, double voxel_size, float exterior_band, float interior_band)
        : voxel_size_(voxel_size) {
        std::vector<openvdb::Vec3s> points(static_cast<size_t>(mesh.vertex_count()));
        for (size_t v = 0; v < points.size(); ++v) {
            const Vector3 place = mesh.positions.row(static_cast<long>(v)) / voxel_size;
            points[v] = openvdb::Vec3s(openvdb::Vec3d(place.x(), place.y(), place.z()));
        }
        std::vector<openvdb::Vec3I> triangles(static_cast<size_t>(mesh.triangle_count()));
        for (size_t t = 0; t < triangles.size(); ++t) {
            const auto row = mesh.triangles.row(static_cast<long>(t));
            triangles[t] = openvdb::Vec3I(static_cast<openvdb::Index32>(row(0)), static_cast<openvdb::Index32>(row(1)),
                                          static_cast<openvdb::Index32>(row(2)));
        }
        const openvdb::tools::QuadAndTriangleDataAdapter<openvdb::Vec3s, openvdb::Vec3I> adapter(points, triangles);
        const auto transform = openvdb::math::Transform::createLinearTransform(1.0);
        grid_ = openvdb::tools::meshToVolume<openvdb::FloatGrid>(adapter, *transform, exterior_band, interior_band);
    }

    double background() const { return voxel_size_ * grid_->background(); }

    // Value and gradient of the trilinear interpolant.
    double sample(const Vector3& point, Vector3* gradient) const {
        const Vector3 place = point / voxel_size_;
        const Vector3 corner = place.array().floor();
        const Vector3 f = place - corner;
        const std::array<double, 8> c = cell(
            openvdb::Coord(static_cast<int>(corner.x()), static_cast<int>(corner.y()), static_cast<int>(corner.z())));
        const auto mix = [](double a, double b, double t) { return a + t * (b - a); };
        const double x00 = mix(c[0], c[1], f.x()), x10 = mix(c[2], c[3], f.x());
        const double x01 = mix(c[4], c[5], f.x()), x11 = mix(c[6], c[7], f.x());
        const double y0 = mix(x00, x10, f.y()), y1 = mix(x01, x11, f.y());
        if (gradient) {
            const double dx0 = mix(c[1] - c[0], c[3] - c[2], f.y()), dx1 = mix(c[5] - c[4], c[7] - c[6], f.y());
            *gradient << mix(dx0, dx1, f.z()), mix(x10 - x00, x11 - x01, f.z()), y1 - y0;
        }
        return voxel_size_ * mix(y0, y1, f.z());
    }

private:
    std::array<double, 8> cell(const openvdb::Coord& corner) const {
        openvdb::tree::ValueAccessor<const openvdb::FloatTree, false> values(grid_->constTree());
        std::array<double, 8> result{};
        for (int i = 0; i < 8; ++i)
            result[static_cast<size_t>(i)] = values.getValue(corner.offsetBy(i & 1, (i >> 1) & 1, (i >> 2) & 1));
        return result;
    }

    double voxel_size_;
    openvdb::FloatGrid::Ptr grid_;
};

// Near the surface a fine band; beyond it a coarse grid that fills the inside and some of the outside; farther out the
// distance to the bounding box, which is never more than the true one.
class MeshShape final : public Shape {
public:
    MeshShape(const geometry::TriangleMesh& mesh, const Eigen::AlignedBox3d& bounds, double voxel_size)
        : mesh_(mesh),
          bounds_(bounds),
          voxel_size_(voxel_size),
          fine_(mesh, voxel_size, fine_band, fine_band),
          coarse_(mesh, std::max(voxel_size, bounds.sizes().maxCoeff() / coarse_resolution), coarse_band,
                  std::numeric_limits<float>::max()) {}

    double distance(const Vector3& point) const override { return evaluate(point, nullptr); }

    SurfacePoint surface(const Vector3& point) const override {
        Vector3 gradient = Vector3::Zero();
        const double value = evaluate(point, &gradient);
        const double length = gradient.norm();
        // The gradient vanishes only on the medial axis, where any direction that leaves is as good.
        if (length > 1e-6) return {value, gradient / length};
        const Vector3 outward = point - bounds_.center();
        return {value, outward.norm() > 0 ? Vector3(outward.normalized()) : Vector3(Vector3::UnitZ())};
    }

    geometry::TriangleMesh to_mesh() const override { return mesh_; }
    Eigen::AlignedBox3d bounds() const override { return bounds_; }

private:
    double evaluate(const Vector3& point, Vector3* gradient) const {
        const Vector3 beyond = point - point.cwiseMax(bounds_.min()).cwiseMin(bounds_.max());
        const double box_distance = beyond.norm();
        if (box_distance >= coarse_.background()) {
            if (gradient) *gradient = beyond;
            return box_distance;
        }
        if (box_distance < fine_.background()) {
            const double value = fine_.sample(point, gradient);
            if (std::abs(value) < fine_.background() - 1.5 * voxel_size_) return value;
        }
        const double value = coarse_.sample(point, gradient);
        const double least = fine_.background() - 1.5 * voxel_size_;
        if (std::abs(value) >= coarse_.background() * 0.999 && value > 0 && gradient)
            *gradient = point - bounds_.center();
        return value < 0 ? std::min(value, -least) : std::max({value, least, box_distance});
    }

    geometry::TriangleMesh mesh_;
    Eigen::AlignedBox3d bounds_;
    double voxel_size_;
    SampledGrid fine_;
    SampledGrid coarse_;
};

}  // namespace

std::unique_ptr<Shape> make_mesh_shape(const geometry::TriangleMesh& mesh, double voxel_size) {
    if (!std::isfinite(voxel_size) || voxel_size <= 0)
        throw Error("the voxel size of a mesh collider must be above zero, not {}", voxel_size);
    const geometry::TriangleMesh outward = closed_mesh(mesh);
    Eigen::AlignedBox3d bounds;
    for (long v = 0; v < outward.positions.rows(); ++v) bounds.extend(Vector3(outward.positions.row(v)));
    const double area = geometry::triangle_areas(outward.positions, outward.triangles).sum();
    const double voxels = area / (voxel_size * voxel_size) * 2 * static_cast<double>(fine_band);
    const double offset = bounds.min().cwiseAbs().cwiseMax(bounds.max().cwiseAbs()).maxCoeff() / voxel_size;
    if (voxels > voxel_limit || offset > 1e6)
        throw Error("voxels of {} m are too small for this mesh ({:.3g} of them, at most {:.3g}); use larger ones",
                    voxel_size, voxels, voxel_limit);
    return std::make_unique<MeshShape>(outward, bounds, voxel_size);
}

}  // namespace tulle::collision

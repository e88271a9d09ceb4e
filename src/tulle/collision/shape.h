// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/triangle_mesh.h"

#include <Eigen/Geometry>

#include <memory>

namespace tulle::collision {

struct SurfacePoint {
    double distance = 0;                // [m], negative inside
    Vector3 normal = Vector3::UnitZ();  // unit, outward: the gradient of the distance
};

// A solid as its signed distance, in its own frame. The distance never changes faster than the point moves, so that
// stepping by it never passes through the surface.
class Shape {
public:
    virtual ~Shape() = default;
    virtual double distance(const Vector3& point) const = 0;
    virtual SurfacePoint surface(const Vector3& point) const = 0;
    virtual bool is_convex() const { return false; }
    // For pictures, exports and caches; an unbounded shape is cut off at a sensible size.
    virtual geometry::TriangleMesh to_mesh() const = 0;
    // Holds the whole solid; infinite where the solid is.
    virtual Eigen::AlignedBox3d bounds() const = 0;
};

std::unique_ptr<Shape> make_plane(const Vector3& point, const Vector3& normal);
std::unique_ptr<Shape> make_sphere(const Vector3& center, double radius);
std::unique_ptr<Shape> make_capsule(const Vector3& start, const Vector3& end, double radius);
std::unique_ptr<Shape> make_box(const Vector3& center, const Vector3& size, const Matrix3& orientation);
// A closed mesh itself, with all its edges and tips; for meshes of few triangles. Throws as the next one does.
std::unique_ptr<Shape> make_exact_mesh_shape(const geometry::TriangleMesh& mesh);
// The level set (OpenVDB) of a closed mesh, with voxels of the given size [m]. Throws if the mesh is empty, open, not
// manifold or not consistently wound, or if it would take more than 200 million voxels.
std::unique_ptr<Shape> make_mesh_shape(const geometry::TriangleMesh& mesh, double voxel_size);

}  // namespace tulle::collision

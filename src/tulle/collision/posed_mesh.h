// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/box_tree.h"
#include "tulle/collision/shape.h"

#include <array>
#include <atomic>
#include <memory>

namespace tulle::collision {

// Which triangle was nearest to a place when somebody last asked there: a good one to begin a search with. What a
// search finds does not depend on it.
class SearchHints {
public:
    SearchHints() : triangles_(new std::atomic<int>[slots] {}) {}

    int near(const Vector3& point) const { return triangles_[slot(point)].load(std::memory_order_relaxed); }
    void keep(const Vector3& point, int triangle) const {
        triangles_[slot(point)].store(triangle, std::memory_order_relaxed);
    }

private:
    static constexpr size_t slots = 1 << 14;
    static size_t slot(const Vector3& point);

    std::unique_ptr<std::atomic<int>[]> triangles_;  // all threads read and write them
};

// What a closed mesh keeps while its vertices move.
struct ClosedTopology {
    explicit ClosedTopology(const geometry::TriangleMesh& closed_mesh);  // wound outward

    Triangles triangles;             // |T|×3
    Rows<int, 3> edges_of_triangle;  // |T|×3, the edges 0–1, 1–2 and 2–0
    long edge_count = 0;
    BoxTree tree;       // of the triangles, sorted by where they are in the given mesh
    SearchHints hints;  // of all searches, from step to step
};

// A place on a mesh: a triangle, and the weights of its corners.
struct SurfacePlace {
    int triangle = 0;
    std::array<double, 3> weights{};  // they add up to 1; zero for a corner the place does not depend on
};

// Finds the nearest place on a mesh at one moment. The topology must outlive it.
class MeshSearch {
public:
    MeshSearch(const ClosedTopology& topology, Positions positions);

    // Of several that are equally near, the one on the triangle with the lowest number.
    SurfacePlace nearest(const Vector3& point) const;
    Vector3 at(const SurfacePlace& place) const;
    const ClosedTopology& topology() const { return topology_; }
    const Positions& positions() const { return positions_; }

private:
    const ClosedTopology& topology_;
    Positions positions_;  // |V|×3 [m]
    BoxTree tree_;
};

// A closed mesh at one moment as its exact signed distance. A point is inside if the way to it from the nearest place
// runs against the normal there: of the face, of both faces at an edge, or of all faces at a corner, weighted by their
// angles (Bærentzen and Aanæs 2005).
class PosedMesh final : public Shape {
public:
    PosedMesh(const ClosedTopology& topology, Positions positions);

    double distance(const Vector3& point) const override { return surface(point).distance; }
    SurfacePoint surface(const Vector3& point) const override;
    geometry::TriangleMesh to_mesh() const override;
    Eigen::AlignedBox3d bounds() const override { return bounds_; }

    const MeshSearch& search() const { return search_; }

private:
    Vector3 normal(const SurfacePlace& place) const;  // outward, of any length

    MeshSearch search_;
    Positions face_normals_;    // |T|×3, unit
    Positions edge_normals_;    // |E|×3, of any length, as those of vertices
    Positions vertex_normals_;  // |V|×3
    Eigen::AlignedBox3d bounds_;
};

}  // namespace tulle::collision

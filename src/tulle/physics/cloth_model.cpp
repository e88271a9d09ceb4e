// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/cloth_model.h"

#include "tulle/core/error.h"

#include <Eigen/Geometry>

#include <array>
#include <cmath>

namespace tulle::physics {

namespace {

struct SpringList {
    std::vector<std::array<int, 2>> edges;
    std::vector<double> rest_lengths, stiffness, damping;

    void add(const Positions& rest, int a, int b, const SpringMaterial& material, bool per_length) {
        const double length = (rest.row(a) - rest.row(b)).norm();
        edges.push_back({a, b});
        rest_lengths.push_back(length);
        stiffness.push_back(per_length ? material.stiffness / length : material.stiffness);
        damping.push_back(material.damping);
    }

    Springs finish() const {
        const auto count = static_cast<long>(edges.size());
        return {.edges = Eigen::Map<const Edges>(count > 0 ? edges.front().data() : nullptr, count, 2),
                .rest_lengths = VectorX::Map(rest_lengths.data(), count),
                .stiffness = VectorX::Map(stiffness.data(), count),
                .damping = VectorX::Map(damping.data(), count)};
    }
};

// Cotangent of the angle at `apex` of the triangle (apex, a, b).
double cotangent(const Vector3& apex, const Vector3& a, const Vector3& b) {
    return (a - apex).dot(b - apex) / (a - apex).cross(b - apex).norm();
}

}  // namespace

std::vector<bool> ClothModel::pinned() const {
    std::vector<bool> result(static_cast<size_t>(vertex_count()), false);
    for (const PinGroup& group : pins)
        for (const int v : group.vertices) result[static_cast<size_t>(v)] = true;
    return result;
}

void ClothModel::place_pins(double time, Positions& positions) const {
    for (const PinGroup& group : pins) {
        const Eigen::Isometry3d transform = group.motion.at(time);
        for (const int v : group.vertices) positions.row(v) = transform * Vector3(start_positions.row(v));
    }
}

Springs grid_springs(const geometry::GridCloth& cloth, const GridMaterial& material) {
    //     · ── · ── ·      Each vertex starts at most six springs: to the right, below, along both
    //     │ ╲╱ │           diagonals below, and over two cells to the right and below.
    //     · ─╱╲ ·
    struct Direction {
        int rows, columns;
        const SpringMaterial& material;
    };
    const std::array<Direction, 6> directions = {{{0, 1, material.stretch},
                                                  {1, 0, material.stretch},
                                                  {1, 1, material.shear},
                                                  {1, -1, material.shear},
                                                  {0, 2, material.bend},
                                                  {2, 0, material.bend}}};
    const geometry::GridSize& size = cloth.size;
    SpringList springs;
    for (int r = 0; r < size.rows; ++r) {
        for (int c = 0; c < size.columns; ++c) {
            for (const auto& [dr, dc, spring] : directions) {
                if (r + dr >= size.rows || c + dc >= size.columns || c + dc < 0 || spring.stiffness == 0) continue;
                springs.add(cloth.mesh.positions, size.index(r, c), size.index(r + dr, c + dc), spring,
                            material.stiffness_per_length);
            }
        }
    }
    return springs.finish();
}

Springs edge_springs(const geometry::TriangleMesh& mesh, const MeshMaterial& material) {
    // Van Gelder 1998: an edge's share of a membrane of stiffness Y [N/m] is Y (A₁ + A₂) / L².
    const geometry::MeshEdges topology = geometry::mesh_edges(mesh);
    const VectorX areas = geometry::triangle_areas(mesh.positions, mesh.triangles);
    VectorX area_around = VectorX::Zero(topology.edges.rows());
    for (long t = 0; t < mesh.triangles.rows(); ++t)
        for (const int e : topology.of_triangle.row(t)) area_around(e) += areas(t);
    SpringList springs;
    for (long e = 0; e < topology.edges.rows(); ++e) {
        const int a = topology.edges(e, 0), b = topology.edges(e, 1);
        const double length = (mesh.positions.row(a) - mesh.positions.row(b)).norm();
        const double stiffness = material.stretch * area_around(e) / (length * length);
        springs.add(mesh.positions, a, b, {stiffness, material.damping}, /*per_length=*/false);
    }
    return springs.finish();
}

Hinges quadratic_hinges(const geometry::TriangleMesh& mesh, double flexural_rigidity) {
    const geometry::MeshEdges topology = geometry::mesh_edges(mesh);
    std::vector<long> inner;
    for (long e = 0; e < topology.edges.rows(); ++e)
        if (topology.opposite(e, 1) >= 0) inner.push_back(e);
    Hinges hinges;
    const auto count = static_cast<long>(flexural_rigidity > 0 ? inner.size() : 0);
    hinges.vertices.resize(count, 4);
    hinges.weights.resize(count, 4);
    hinges.stiffness.resize(count);
    for (long h = 0; h < count; ++h) {
        const long e = inner[static_cast<size_t>(h)];
        hinges.vertices.row(h) << topology.edges.row(e), topology.opposite.row(e);
        const Vector3 x0 = mesh.positions.row(hinges.vertices(h, 0)), x1 = mesh.positions.row(hinges.vertices(h, 1));
        const Vector3 x2 = mesh.positions.row(hinges.vertices(h, 2)), x3 = mesh.positions.row(hinges.vertices(h, 3));
        // Bergou et al. 2006, equation 5: K = (c₀₃ + c₀₄, c₀₁ + c₀₂, −c₀₁ − c₀₃, −c₀₂ − c₀₄), with the cotangents
        // of the angles between the shared edge and the four others. Their 3/area is for the mean curvature at
        // vertices; summed over all hinges of a cylinder 1/area gives the plate's ½Dκ² per area.
        const double c01 = cotangent(x0, x1, x2), c02 = cotangent(x0, x1, x3);
        const double c03 = cotangent(x1, x0, x2), c04 = cotangent(x1, x0, x3);
        const double area = 0.5 * ((x1 - x0).cross(x2 - x0).norm() + (x1 - x0).cross(x3 - x0).norm());
        hinges.weights.row(h) << c03 + c04, c01 + c02, -c01 - c03, -c02 - c04;
        hinges.stiffness(h) = flexural_rigidity / area;
    }
    return hinges;
}

VectorX masses_from_density(const geometry::TriangleMesh& mesh, double areal_density) {
    return areal_density * geometry::vertex_areas(mesh.positions, mesh.triangles);
}

void check(const ClothModel& model) {
    const int count = model.vertex_count();
    if (model.start_positions.rows() != count)
        throw Error("the cloth has {} vertices, but its start has {}", count, model.start_positions.rows());
    if (model.masses.size() != count)
        throw Error("the cloth has {} vertices but {} masses", count, model.masses.size());
    for (int v = 0; v < count; ++v)
        if (!(model.masses(v) > 0) || !std::isfinite(model.masses(v)))
            throw Error("vertex {} has mass {} kg; masses must be positive and finite", v, model.masses(v));
    for (long e = 0; e < model.springs.count(); ++e)
        if (!(model.springs.stiffness(e) >= 0) || !(model.springs.damping(e) >= 0) ||
            !(model.springs.rest_lengths(e) > 0))
            throw Error("the spring between vertices {} and {} has a negative stiffness or damping, or no length",
                        model.springs.edges(e, 0), model.springs.edges(e, 1));
    std::vector<bool> seen(static_cast<size_t>(count), false);
    for (const PinGroup& group : model.pins) {
        for (const int v : group.vertices) {
            if (v < 0 || v >= count) throw Error("a pin names vertex {}, but the cloth has {} vertices", v, count);
            if (seen[static_cast<size_t>(v)]) throw Error("vertex {} is pinned twice; name it in one group only", v);
            seen[static_cast<size_t>(v)] = true;
        }
    }
}

}  // namespace tulle::physics

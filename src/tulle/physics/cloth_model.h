// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/grid_cloth.h"
#include "tulle/geometry/rigid_motion.h"
#include "tulle/geometry/triangle_mesh.h"

#include <optional>
#include <vector>

namespace tulle::physics {

// Springs with dashpots along them: U = ½k(ℓ − L)², and a force −c dℓ/dt along the spring.
struct Springs {
    Edges edges;           // |E|×2
    VectorX rest_lengths;  // |E| L [m]
    VectorX stiffness;     // |E| k [N/m]
    VectorX damping;       // |E| c [N s/m]

    long count() const { return edges.rows(); }
};

// Quadratic bending of Bergou et al. 2006: U = ½ k ‖Σᵢ wᵢ xᵢ‖² over the four vertices of a hinge, flat at rest.
struct Hinges {
    Quadruples vertices;      // |H|×4, the shared edge first
    Rows<double, 4> weights;  // |H|×4 w [1]; they sum to zero
    VectorX stiffness;        // |H| k [N/m]

    long count() const { return vertices.rows(); }
};

// Vertices held where their motion carries their place at the start.
struct PinGroup {
    std::vector<int> vertices;
    geometry::RigidMotion motion;
};

// Constant after construction: what the cloth is, not how it moves.
struct ClothModel {
    geometry::TriangleMesh mesh;             // rest shape: what springs, hinges and masses come from
    Positions start_positions;               // |V|×3 [m] where the cloth starts; the rest shape unless it is draped
    std::optional<geometry::GridSize> grid;  // set if the mesh is a grid
    VectorX masses;                          // |V| [kg]
    Springs springs;
    Hinges hinges;
    std::vector<PinGroup> pins;

    int vertex_count() const { return mesh.vertex_count(); }
    std::vector<bool> pinned() const;  // |V|
    // Writes the places of all pinned vertices at `time` into `positions`.
    void place_pins(double time, Positions& positions) const;
};

struct SpringMaterial {
    double stiffness = 0;  // [N/m], or [N] where it is divided by the rest length
    double damping = 0;    // [N s/m]
};

// The papers' cloth: structural springs along rows and columns, shear springs along both diagonals, and skip springs
// over two cells for bending.
struct GridMaterial {
    SpringMaterial stretch;
    SpringMaterial shear;
    SpringMaterial bend;
    bool stiffness_per_length = false;  // the force-cell paper's law: a spring of rest length L has stiffness / L
};

// A cloth of any triangles: an edge spring along every edge, quadratic bending across it.
struct MeshMaterial {
    double stretch = 0;  // in-plane stiffness [N/m]
    double damping = 0;  // dashpot of each edge [N s/m]
    double bending = 0;  // flexural rigidity [N m]
};

Springs grid_springs(const geometry::GridCloth& cloth, const GridMaterial& material);
Springs edge_springs(const geometry::TriangleMesh& mesh, const MeshMaterial& material);
Hinges quadratic_hinges(const geometry::TriangleMesh& mesh, double flexural_rigidity);

// Mass of each vertex [kg] from mass per area [kg/m²].
VectorX masses_from_density(const geometry::TriangleMesh& mesh, double areal_density);

// Throws an Error unless start, masses, springs and pins are sound and refer to vertices that exist.
void check(const ClothModel& model);

}  // namespace tulle::physics

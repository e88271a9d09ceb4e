// SPDX-License-Identifier: Apache-2.0
// What quasistatics minimises, in units of the edge stiffness [m²] [Geng, Johnson, Fedkiw 2020, section 5 and figure
// 6]:
//
//      x2                  an edge spring along each edge,
//     /  \                 a bending spring x2–x3 across each pair of triangles,
//   x0 -- x1               an axial spring from that bending spring to the shared edge x0–x1, between the points where
//     \  /                 the two are nearest at rest: of no length where the cloth is flat at rest,
//      x3                  and zero-length springs μᵢ kᵢ from each vertex to r̂ᵢ.
#pragma once

#include "tulle/projections/cloth.h"
#include "tulle/projections/single_blocks.h"

#include <array>
#include <vector>

namespace tulle::projections {

struct QuasistaticMaterial {
    double bending = 0.1;  // stiffness of bending springs, relative to edge springs
    double axial = 0.1;    // of axial springs, likewise
};

enum class Curvature { Exact, Definite };  // definite: springs under pressure have no stiffness across them

class QuasistaticEnergy {
public:
    QuasistaticEnergy(const Cloth& cloth, const QuasistaticMaterial& material);

    // Where the zero-length springs pull. `mu`: |V| μᵢ.
    struct Anchor {
        const Positions& targets;  // |V|×3 [m]
        const VectorX& mu;
    };
    double value(const Positions& x, const Anchor& anchor) const;
    Positions gradient(const Positions& x, const Anchor& anchor) const;  // |V|×3 [m], zero where fixed
    BlockMatrix hessian(const Positions& x, const Anchor& anchor, Curvature curvature) const;
    // A mixture: this much of the stiffness across springs under pressure.
    BlockMatrix hessian(const Positions& x, const Anchor& anchor, double kept_across) const;

    // The same in single precision, into memory that is there already.
    void hessian(const Positions& x, const Anchor& anchor, double kept_across, SingleBlocks& blocks) const;

    const BlockPattern& pattern() const { return pattern_; }
    const std::vector<bool>& fixed() const { return fixed_; }
    const VectorX& masses() const { return masses_; }      // |V| k
    double length_scale() const { return length_scale_; }  // [m] mean edge

    // Rows of fixed vertices of the exact Hessian at x times a motion of free ones.
    Positions forces_on_fixed(const Positions& x, const Positions& motion) const;

private:
    // ½ k (|Σ wᵢ xᵢ| − L)². Edge and bending springs have two ends, of weights 1 and −1; axial springs have four.
    struct Spring {
        std::array<int, 4> vertices{};
        std::array<double, 4> weights{};
        double rest_length = 0;  // [m]
        double stiffness = 1;
    };
    // across · I + (along − across) n nᵀ
    struct Stiffness {
        Vector3 n;
        double across, along;
    };
    void add(Spring spring, const Positions& rest);
    void share_out();
    Vector3 difference(long spring, const Positions& x) const;
    Stiffness stiffness(long spring, const Positions& x, double kept_across) const;
    int ends(long spring) const { return spring < pair_springs_ ? 2 : 4; }

    std::vector<Spring> springs_;  // edge and bending springs, then axial ones
    std::vector<Vector3> rest_directions_;
    long pair_springs_ = 0;
    std::vector<bool> fixed_;
    VectorX masses_;
    BlockPattern pattern_;
    double length_scale_ = 1;
    // For each vertex, and each pair, the springs that touch it, with their weight, and the product of their weights.
    struct Share {
        int spring = 0;
        double weight = 0;
    };
    struct Product {
        int spring = 0;
        float product = 0;
    };
    std::vector<int> first_of_vertex_, first_of_pair_;
    std::vector<Share> of_vertex_, of_pair_;
    std::vector<Product> products_of_vertex_, products_of_pair_;  // the same, smaller
};

}  // namespace tulle::projections

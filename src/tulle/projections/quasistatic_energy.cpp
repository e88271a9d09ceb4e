// SPDX-License-Identifier: Apache-2.0
#include "tulle/projections/quasistatic_energy.h"

#include "tulle/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tulle::projections {

namespace {

#include "tulle/core/vector8.inl"

// Springs shorter than this, relative to their rest length, have no direction of their own and take that at rest.
constexpr double no_length = 1e-9;

// Where along a–b and c–d the two lines are nearest to each other; halfway where they are parallel.
std::pair<double, double> nearest_points(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
    const Vector3 edge = b - a, other = d - c, gap = c - a;
    const double ee = edge.squaredNorm(), oo = other.squaredNorm(), eo = edge.dot(other);
    const double determinant = ee * oo - eo * eo;
    if (!(determinant > 1e-12 * ee * oo)) return {0.5, 0.5};
    return {(gap.dot(edge) * oo - gap.dot(other) * eo) / determinant,
            (gap.dot(edge) * eo - gap.dot(other) * ee) / determinant};
}

Edges all_pairs(const Edges& edges, const Quadruples& hinges) {
    Edges pairs(edges.rows() + hinges.rows(), 2);
    pairs.topRows(edges.rows()) = edges;
    pairs.bottomRows(hinges.rows()) = hinges.rightCols<2>();
    return pairs;
}

double mean_length(const Edges& edges, const Positions& rest) {
    double sum = 0;
    for (const auto edge : edges.rowwise()) sum += (rest.row(edge(0)) - rest.row(edge(1))).norm();
    return sum > 0 ? sum / static_cast<double>(edges.rows()) : 1;
}

}  // namespace

QuasistaticEnergy::QuasistaticEnergy(const Cloth& cloth, const QuasistaticMaterial& material)
    : fixed_(fixed_flags(cloth)),
      masses_(relative_masses(cloth)),
      pattern_(cloth.rest_positions.rows(), all_pairs(edges_of(cloth.triangles), hinges_of(cloth.triangles))) {
    const Edges edges = edges_of(cloth.triangles);
    const Quadruples hinges = hinges_of(cloth.triangles);
    const Positions& rest = cloth.rest_positions;
    length_scale_ = mean_length(edges, rest);
    for (const auto edge : edges.rowwise()) add({.vertices = {edge(0), edge(1)}, .weights = {1, -1}}, rest);
    for (const auto hinge : hinges.rowwise())
        add({.vertices = {hinge(2), hinge(3)}, .weights = {1, -1}, .stiffness = material.bending}, rest);
    pair_springs_ = static_cast<long>(springs_.size());
    for (const auto hinge : hinges.rowwise()) {
        const auto [u, v] =
            nearest_points(rest.row(hinge(0)), rest.row(hinge(1)), rest.row(hinge(2)), rest.row(hinge(3)));
        add({.vertices = {hinge(0), hinge(1), hinge(2), hinge(3)},
             .weights = {1 - u, u, -(1 - v), -v},
             .stiffness = material.axial},
            rest);
    }
    share_out();
}

void QuasistaticEnergy::add(Spring spring, const Positions& rest) {
    Vector3 d = Vector3::Zero();
    for (size_t i = 0; i < 4; ++i) d += spring.weights[i] * rest.row(spring.vertices[i]).transpose();
    spring.rest_length = d.norm();
    // Rounding must not give a flat cloth a thickness.
    if (spring.weights[2] != 0 && spring.rest_length < 1e-9 * length_scale_) spring.rest_length = 0;
    springs_.push_back(spring);
    rest_directions_.push_back(spring.rest_length > 0 ? Vector3(d.normalized()) : Vector3::UnitX());
}

void QuasistaticEnergy::share_out() {
    std::vector<std::vector<Share>> vertices(static_cast<size_t>(masses_.size())),
        pairs(static_cast<size_t>(pattern_.pairs()));
    for (long s = 0; s < static_cast<long>(springs_.size()); ++s) {
        const Spring& spring = springs_[static_cast<size_t>(s)];
        const auto count = static_cast<size_t>(ends(s));
        for (size_t i = 0; i < count; ++i) {
            const double weight = spring.weights[i];
            vertices[static_cast<size_t>(spring.vertices[i])].push_back({static_cast<int>(s), weight});
            for (size_t j = i + 1; j < count; ++j)
                pairs[static_cast<size_t>(pattern_.find(spring.vertices[i], spring.vertices[j]))].push_back(
                    {static_cast<int>(s), weight * spring.weights[j]});
        }
    }
    const auto flatten = [](const std::vector<std::vector<Share>>& lists, std::vector<int>& first,
                            std::vector<Share>& flat) {
        first = {0};
        for (const std::vector<Share>& list : lists) {
            flat.insert(flat.end(), list.begin(), list.end());
            first.push_back(static_cast<int>(flat.size()));
        }
    };
    flatten(vertices, first_of_vertex_, of_vertex_);
    flatten(pairs, first_of_pair_, of_pair_);
    for (const Share& share : of_vertex_)
        products_of_vertex_.push_back({share.spring, static_cast<float>(share.weight * share.weight)});
    for (const Share& share : of_pair_) products_of_pair_.push_back({share.spring, static_cast<float>(share.weight)});
}

Vector3 QuasistaticEnergy::difference(long index, const Positions& x) const {
    const Spring& spring = springs_[static_cast<size_t>(index)];
    const auto row = [&](size_t i) { return Eigen::Map<const Vector3>(x.data() + 3L * spring.vertices[i]); };
    if (index < pair_springs_) return row(0) - row(1);
    return spring.weights[0] * row(0) + spring.weights[1] * row(1) + spring.weights[2] * row(2) +
           spring.weights[3] * row(3);
}

double QuasistaticEnergy::value(const Positions& x, const Anchor& anchor) const {
    const double springs = parallel_sum(static_cast<long>(springs_.size()), [&](long s) {
        const Spring& spring = springs_[static_cast<size_t>(s)];
        const double stretch = difference(s, x).norm() - spring.rest_length;
        return 0.5 * spring.stiffness * stretch * stretch;
    });
    return springs + parallel_sum(x.rows(), [&](long v) {
               return 0.5 * anchor.mu(v) * masses_(v) * (x.row(v) - anchor.targets.row(v)).squaredNorm();
           });
}

Positions QuasistaticEnergy::gradient(const Positions& x, const Anchor& anchor) const {
    Rows<double, 4> pulls(springs_.size(), 4);  // rows of four, because they are read two by two
    parallel_for(static_cast<long>(springs_.size()), [&](long s) {
        const Spring& spring = springs_[static_cast<size_t>(s)];
        const Vector3 d = difference(s, x);
        const double length = d.norm();
        pulls(s, 3) = 0;
        Eigen::Map<Vector3>(pulls.data() + 4 * s) =
            length > no_length * spring.rest_length
                ? Vector3(spring.stiffness * (1 - spring.rest_length / length) * d)
                : Vector3(-spring.stiffness * spring.rest_length * rest_directions_[static_cast<size_t>(s)]);
    });
    Positions sum = Positions::Zero(x.rows(), 3);
    parallel_for(x.rows(), [&](long v) {
        if (fixed_[static_cast<size_t>(v)]) return;
        Eigen::Vector4d total = Eigen::Vector4d::Zero();
        for (int k = first_of_vertex_[static_cast<size_t>(v)]; k < first_of_vertex_[static_cast<size_t>(v) + 1]; ++k) {
            const Share& share = of_vertex_[static_cast<size_t>(k)];
            total +=
                share.weight * Eigen::Map<const Eigen::Vector4d, Eigen::Aligned16>(pulls.data() + 4L * share.spring);
        }
        sum.row(v) = anchor.mu(v) * masses_(v) * (x.row(v) - anchor.targets.row(v)) + total.head<3>().transpose();
    });
    return sum;
}

QuasistaticEnergy::Stiffness QuasistaticEnergy::stiffness(long index, const Positions& x, double kept_across) const {
    const Spring& spring = springs_[static_cast<size_t>(index)];
    const Vector3 d = difference(index, x);
    const double length = d.norm();
    const double k = spring.stiffness;
    if (spring.rest_length == 0) return {Vector3::UnitX(), k, k};
    if (!(length > no_length * spring.rest_length)) return {rest_directions_[static_cast<size_t>(index)], 0, k};
    const double across = k * (1 - spring.rest_length / length);
    return {d / length, across < 0 ? kept_across * across : across, k};
}

BlockMatrix QuasistaticEnergy::hessian(const Positions& x, const Anchor& anchor, double kept_across) const {
    std::vector<Matrix3> blocks(springs_.size());
    parallel_for(static_cast<long>(springs_.size()), [&](long s) {
        const Stiffness one = stiffness(s, x, kept_across);
        blocks[static_cast<size_t>(s)] =
            one.across * Matrix3::Identity() + (one.along - one.across) * one.n * one.n.transpose();
    });
    BlockMatrix matrix(pattern_);
    parallel_for(x.rows(), [&](long v) {
        Matrix3& own = matrix.diagonal[static_cast<size_t>(v)];
        own.diagonal().setConstant(anchor.mu(v) * masses_(v));
        for (int k = first_of_vertex_[static_cast<size_t>(v)]; k < first_of_vertex_[static_cast<size_t>(v) + 1]; ++k) {
            const Share& share = of_vertex_[static_cast<size_t>(k)];
            own += share.weight * share.weight * blocks[static_cast<size_t>(share.spring)];
        }
    });
    parallel_for(pattern_.pairs(), [&](long p) {
        for (int k = first_of_pair_[static_cast<size_t>(p)]; k < first_of_pair_[static_cast<size_t>(p) + 1]; ++k) {
            const Share& share = of_pair_[static_cast<size_t>(k)];
            matrix.between[static_cast<size_t>(p)] += share.weight * blocks[static_cast<size_t>(share.spring)];
        }
    });
    return matrix;
}

void QuasistaticEnergy::hessian(const Positions& x, const Anchor& anchor, double kept_across,
                                SingleBlocks& blocks) const {
    // Of each spring the block a I + b n nᵀ as xx yy zz 0, xy xz yz 0.
    Rows<float, 8> stiffnesses(springs_.size(), 8);
    parallel_for(static_cast<long>(springs_.size()), [&](long s) {
        const Stiffness one = stiffness(s, x, kept_across);
        const double a = one.across, b = one.along - one.across;
        const Vector3& n = one.n;
        const double values[8] = {a + b * n(0) * n(0), a + b * n(1) * n(1), a + b * n(2) * n(2), 0,
                                  b * n(0) * n(1),     b * n(0) * n(2),     b * n(1) * n(2),     0};
        float* to = stiffnesses.data() + 8 * s;
        for (int i = 0; i < 8; ++i) to[i] = static_cast<float>(values[i]);
    });
    const auto gather = [&](const std::vector<int>& first, const std::vector<Product>& products, long index,
                            float* to) {
        Float4 diagonal = {0, 0, 0, 0}, mixed = {0, 0, 0, 0};
        for (int k = first[static_cast<size_t>(index)]; k < first[static_cast<size_t>(index) + 1]; ++k) {
            const auto& [index_of_spring, product] = products[static_cast<size_t>(k)];
            const float* spring = stiffnesses.data() + 8L * index_of_spring;
            diagonal += product * load4(spring);
            mixed += product * load4(spring + 4);
        }
        const float xy = mixed[0], xz = mixed[1], yz = mixed[2];
        const float columns[12] = {diagonal[0], xy, xz, 0, xy, diagonal[1], yz, 0, xz, yz, diagonal[2], 0};
        std::copy_n(columns, 12, to);
    };
    parallel_for(x.rows(), [&](long v) {
        float* to = blocks.diagonal.data() + 12 * v;
        gather(first_of_vertex_, products_of_vertex_, v, to);
        for (int c = 0; c < 3; ++c) to[5 * c] += static_cast<float>(anchor.mu(v) * masses_(v));
    });
    parallel_for(pattern_.pairs(),
                 [&](long p) { gather(first_of_pair_, products_of_pair_, p, blocks.between.data() + 12 * p); });
}

BlockMatrix QuasistaticEnergy::hessian(const Positions& x, const Anchor& anchor, Curvature curvature) const {
    return hessian(x, anchor, curvature == Curvature::Exact ? 1.0 : 0.0);
}

Positions QuasistaticEnergy::forces_on_fixed(const Positions& x, const Positions& motion) const {
    Positions forces = Positions::Zero(x.rows(), 3);
    for (long s = 0; s < static_cast<long>(springs_.size()); ++s) {
        const Spring& spring = springs_[static_cast<size_t>(s)];
        const Stiffness one = stiffness(s, x, 1);
        const Vector3 d = difference(s, motion);
        const Vector3 force = one.across * d + (one.along - one.across) * one.n.dot(d) * one.n;
        for (size_t i = 0; i < static_cast<size_t>(ends(s)); ++i)
            if (fixed_[static_cast<size_t>(spring.vertices[i])])
                forces.row(spring.vertices[i]) += spring.weights[i] * force.transpose();
    }
    return forces;
}

}  // namespace tulle::projections

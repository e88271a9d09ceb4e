// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/surface_nets.h"

#include "tulle/core/parallel.h"

#include <array>
#include <cmath>

namespace tulle::geometry {

namespace {

// The nodes of a grid and the implicit there.
class Samples {
public:
    Samples(const Implicit& implicit, const Eigen::AlignedBox3d& bounds, double spacing) : spacing_(spacing) {
        const double reach = std::max(-bounds.min().x(), bounds.max().x());
        const int cells_beside = static_cast<int>(std::ceil(reach / spacing + 0.5));  // of the one centred at x = 0
        origin_ = {-(cells_beside + 0.5) * spacing, bounds.min().y(), bounds.min().z()};
        const Vector3 size = bounds.sizes() / spacing;
        count_ = {2 * cells_beside + 2, static_cast<int>(std::ceil(size.y())) + 1,
                  static_cast<int>(std::ceil(size.z())) + 1};
        values_.resize(static_cast<size_t>(count_[0]) * static_cast<size_t>(count_[1]) *
                       static_cast<size_t>(count_[2]));
        parallel_for(static_cast<long>(values_.size()),
                     [&](long i) { values_[static_cast<size_t>(i)] = implicit(place(node(i))); });
    }

    using Node = std::array<int, 3>;

    long node_count() const { return static_cast<long>(values_.size()); }
    Node node(long i) const {
        return {static_cast<int>(i % count_[0]), static_cast<int>(i / count_[0] % count_[1]),
                static_cast<int>(i / count_[0] / count_[1])};
    }
    long index(const Node& n) const {
        return n[0] + static_cast<long>(count_[0]) * (n[1] + static_cast<long>(count_[1]) * n[2]);
    }
    Vector3 place(const Node& n) const { return origin_ + spacing_ * Vector3(n[0], n[1], n[2]); }
    double value(const Node& n) const { return values_[static_cast<size_t>(index(n))]; }
    bool is_inside(const Node& n) const { return value(n) < 0; }
    // Fills outside nodes until no two inside nodes of a cell meet at an edge or a corner only, and no two outside
    // nodes: then the surface between them is manifold (Latecki 1997).
    void make_well_composed() {
        bool has_changed = true;
        while (has_changed) {
            has_changed = false;
            for (long i = 0; i < node_count(); ++i)
                for (int axis = 0; axis < 3; ++axis)
                    has_changed |= fill_checkerboard(node(i), (axis + 1) % 3, (axis + 2) % 3);
            for (long i = 0; i < node_count(); ++i) has_changed |= fill_diagonal(node(i));
        }
    }
    bool has(const Node& n) const {
        return n[0] >= 0 && n[1] >= 0 && n[2] >= 0 && n[0] < count_[0] && n[1] < count_[1] && n[2] < count_[2];
    }
    static Node beside(Node n, int axis, int by = 1) {
        n[static_cast<size_t>(axis)] += by;
        return n;
    }

private:
    // The four nodes of a square whose two diagonals differ.
    bool fill_checkerboard(const Node& a, int u, int v) {
        const Node b = beside(a, u), c = beside(a, v), d = beside(b, v);
        if (!has(d) || is_inside(a) != is_inside(d) || is_inside(b) != is_inside(c) || is_inside(a) == is_inside(b))
            return false;
        for (const Node& n : {a, b, c, d}) fill(n);
        return true;
    }
    // A cube of which only two opposite corners are inside, or outside.
    bool fill_diagonal(const Node& a) {
        if (!has({a[0] + 1, a[1] + 1, a[2] + 1})) return false;
        int inside = 0;
        const auto corner = [&](int k) { return Node{a[0] + (k & 1), a[1] + (k >> 1 & 1), a[2] + (k >> 2 & 1)}; };
        for (int k = 0; k < 8; ++k) inside += is_inside(corner(k)) ? 1 : 0;
        for (int k = 0; k < 4 && (inside == 2 || inside == 6); ++k) {
            if (is_inside(corner(k)) != is_inside(corner(7 - k)) || is_inside(corner(k)) != (inside == 2)) continue;
            for (int other = 0; other < 8; ++other) fill(corner(other));
            return true;
        }
        return false;
    }
    void fill(const Node& n) {
        double& value = values_[static_cast<size_t>(index(n))];
        value = std::min(value, -0.01 * spacing_);
    }

    double spacing_;
    Vector3 origin_;
    std::array<int, 3> count_;
    std::vector<double> values_;
};

using Node = Samples::Node;

// The mean of where the surface crosses the edges of a cell; false if it does not.
bool crossing(const Samples& samples, const Node& cell, Vector3& mean) {
    int crossings = 0;
    mean.setZero();
    for (int axis = 0; axis < 3; ++axis)
        for (int corner = 0; corner < 4; ++corner) {
            Node a = Samples::beside(cell, (axis + 1) % 3, corner & 1);
            a = Samples::beside(a, (axis + 2) % 3, corner >> 1);
            const Node b = Samples::beside(a, axis);
            if (!samples.has(b) || samples.is_inside(a) == samples.is_inside(b)) continue;
            const double s = samples.value(a) / (samples.value(a) - samples.value(b));
            mean += samples.place(a) + s * (samples.place(b) - samples.place(a));
            ++crossings;
        }
    if (crossings > 0) mean /= crossings;
    return crossings > 0;
}

// Cut along the shorter diagonal.
void add_quad(const std::array<int, 4>& q, const std::vector<Vector3>& points, std::vector<std::array<int, 3>>& into) {
    const auto at = [&](int k) { return points[static_cast<size_t>(q[static_cast<size_t>(k)])]; };
    if ((at(0) - at(2)).norm() <= (at(1) - at(3)).norm()) {
        into.push_back({q[0], q[1], q[2]});
        into.push_back({q[0], q[2], q[3]});
    } else {
        into.push_back({q[0], q[1], q[3]});
        into.push_back({q[1], q[2], q[3]});
    }
}

TriangleMesh net(const Samples& samples) {
    std::vector<int> vertex_of_cell(static_cast<size_t>(samples.node_count()), -1);
    std::vector<Vector3> points;
    for (long i = 0; i < samples.node_count(); ++i) {
        Vector3 mean;
        if (!crossing(samples, samples.node(i), mean)) continue;
        vertex_of_cell[static_cast<size_t>(i)] = static_cast<int>(points.size());
        points.push_back(mean);
    }
    std::vector<std::array<int, 3>> triangles;
    for (long i = 0; i < samples.node_count(); ++i) {
        const Node a = samples.node(i);
        for (int axis = 0; axis < 3; ++axis) {
            const Node b = Samples::beside(a, axis);
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            const Node first = Samples::beside(Samples::beside(a, u, -1), v, -1);
            if (!samples.has(b) || !samples.has(first) || samples.is_inside(a) == samples.is_inside(b)) continue;
            const auto cell = [&](const Node& n) { return vertex_of_cell[static_cast<size_t>(samples.index(n))]; };
            std::array<int, 4> quad = {cell(first), cell(Samples::beside(first, u)), cell(a),
                                       cell(Samples::beside(first, v))};
            if (samples.is_inside(b)) std::swap(quad[1], quad[3]);
            add_quad(quad, points, triangles);
        }
    }
    TriangleMesh mesh{
        Positions(static_cast<long>(points.size()), 3), Triangles(static_cast<long>(triangles.size()), 3), {}};
    for (size_t v = 0; v < points.size(); ++v) mesh.positions.row(static_cast<long>(v)) = points[v];
    for (size_t t = 0; t < triangles.size(); ++t)
        mesh.triangles.row(static_cast<long>(t)) << triangles[t][0], triangles[t][1], triangles[t][2];
    return mesh;
}

// By forward differences, given the value at the point.
Vector3 gradient(const Implicit& implicit, const Vector3& point, double value, double step) {
    Vector3 slope;
    for (int c = 0; c < 3; ++c) slope(c) = (implicit(point + step * Vector3::Unit(c)) - value) / step;
    return slope;
}

Positions neighbour_means(const TriangleMesh& mesh) {
    Positions sums = Positions::Zero(mesh.positions.rows(), 3);
    VectorX counts = VectorX::Zero(mesh.positions.rows());
    for (const auto& triangle : mesh.triangles.rowwise())
        for (int k = 0; k < 3; ++k) {
            sums.row(triangle(k)) +=
                mesh.positions.row(triangle((k + 1) % 3)) + mesh.positions.row(triangle((k + 2) % 3));
            counts(triangle(k)) += 2;
        }
    return sums.array().colwise() / counts.array();
}

}  // namespace

Vector3 drawn_to_surface(const Implicit& implicit, Vector3 point, double longest, int steps) {
    for (int i = 0; i < steps; ++i) {
        const double value = implicit(point);
        const Vector3 slope = gradient(implicit, point, value, 1e-3 * longest);
        const Vector3 step = -value / std::max(slope.squaredNorm(), 1e-12) * slope;
        const double length = step.norm();
        point += length > longest ? Vector3(longest / length * step) : step;
    }
    return point;
}

TriangleMesh surface_nets(const Implicit& implicit, const Eigen::AlignedBox3d& bounds,
                          const SurfaceNetsSettings& settings) {
    Samples samples(implicit, bounds, settings.spacing);
    samples.make_well_composed();
    TriangleMesh mesh = net(samples);
    for (int i = 0; i < settings.relaxations; ++i) {
        const Positions means = neighbour_means(mesh);
        parallel_for(mesh.positions.rows(), [&](long v) {
            const Vector3 halfway = 0.5 * (mesh.positions.row(v) + means.row(v));
            mesh.positions.row(v) = drawn_to_surface(implicit, halfway, 0.5 * settings.spacing);
        });
    }
    return mesh;
}

}  // namespace tulle::geometry

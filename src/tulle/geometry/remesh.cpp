// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/remesh.h"

#include "tulle/core/parallel.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>

namespace tulle::geometry {

namespace {

using Corners = std::array<int, 3>;
constexpr double too_short = 0.8, too_long = 4.0 / 3;  // of the wanted length

// Triangles that come and go, and those around each vertex.
class Surface {
public:
    explicit Surface(const TriangleMesh& mesh) : around_(static_cast<size_t>(mesh.vertex_count())) {
        for (const auto& point : mesh.positions.rowwise()) points_.emplace_back(point);
        for (const auto& t : mesh.triangles.rowwise()) add({t(0), t(1), t(2)});
    }

    TriangleMesh mesh() const;
    void collapse_short_edges(const RemeshSettings& settings);
    void flip_edges();
    void relax(const RemeshSettings& settings);

private:
    using Edge = std::pair<int, int>;

    const std::vector<int>& around(int v) const { return around_[static_cast<size_t>(v)]; }
    const Corners& corners(int t) const { return triangles_[static_cast<size_t>(t)]; }
    const Vector3& point(int v) const { return points_[static_cast<size_t>(v)]; }
    static bool has(const Corners& c, int v) { return c[0] == v || c[1] == v || c[2] == v; }

    void add(const Corners& corners) {
        for (const int v : corners) around_[static_cast<size_t>(v)].push_back(static_cast<int>(triangles_.size()));
        triangles_.push_back(corners);
    }
    void remove(int t) {
        for (const int v : corners(t)) std::erase(around_[static_cast<size_t>(v)], t);
        triangles_[static_cast<size_t>(t)] = {-1, -1, -1};
    }
    std::vector<int> neighbours(int v) const {
        std::vector<int> found;
        for (const int t : around(v))
            for (const int w : corners(t))
                if (w != v) found.push_back(w);
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }
    // The two triangles at an edge: the first runs from a to b.
    std::array<int, 2> beside(int a, int b) const {
        std::array<int, 2> found = {-1, -1};
        for (const int t : around(a))
            for (size_t k = 0; k < 3; ++k) {
                if (corners(t)[k] == a && corners(t)[(k + 1) % 3] == b) found[0] = t;
                if (corners(t)[k] == b && corners(t)[(k + 1) % 3] == a) found[1] = t;
            }
        return found;
    }
    int opposite(int t, int a, int b) const {
        for (const int v : corners(t))
            if (v != a && v != b) return v;
        return -1;
    }
    Vector3 normal(const Corners& c) const { return (point(c[1]) - point(c[0])).cross(point(c[2]) - point(c[0])); }
    std::vector<Edge> edges() const;
    bool can_collapse(int a, int b, const Vector3& to, const RemeshSettings& settings) const;
    void collapse(int a, int b, const Vector3& to);
    bool flip_helps(int a, int b, int c, int d) const;

    std::vector<Vector3> points_;
    std::vector<Corners> triangles_;        // {-1, -1, -1}: removed
    std::vector<std::vector<int>> around_;  // of every vertex; empty: removed
};

std::vector<Surface::Edge> Surface::edges() const {
    std::vector<Edge> found;
    for (const Corners& c : triangles_)
        for (size_t k = 0; k < 3; ++k)
            if (c[k] >= 0 && c[k] < c[(k + 1) % 3]) found.emplace_back(c[k], c[(k + 1) % 3]);
    return found;
}

// The vertices share two neighbours only, no triangle turns over, and no edge becomes too long.
bool Surface::can_collapse(int a, int b, const Vector3& to, const RemeshSettings& settings) const {
    const std::vector<int> of_a = neighbours(a), of_b = neighbours(b);
    std::vector<int> shared;
    std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(shared));
    if (shared.size() != 2 || of_a.size() + of_b.size() < 8) return false;
    if (std::any_of(shared.begin(), shared.end(), [&](int v) { return around(v).size() < 4; })) return false;
    const double longest = too_long * settings.edge_length(to);
    for (const auto& [moved, other] : {std::pair{a, b}, {b, a}})
        for (const int t : around(moved)) {
            const Corners& c = corners(t);
            if (has(c, other)) continue;
            std::array<Vector3, 3> p;
            for (size_t k = 0; k < 3; ++k) {
                p[k] = c[k] == moved ? to : point(c[k]);
                if (c[k] != moved && (p[k] - to).norm() > longest) return false;
            }
            const Vector3 before = normal(c), after = (p[1] - p[0]).cross(p[2] - p[0]);
            if (before.dot(after) < 0.5 * before.norm() * after.norm()) return false;
        }
    return true;
}

void Surface::collapse(int a, int b, const Vector3& to) {
    points_[static_cast<size_t>(a)] = to;
    for (const int t : std::vector<int>(around(b))) {
        Corners c = corners(t);
        remove(t);
        if (has(c, a)) continue;
        std::replace(c.begin(), c.end(), b, a);
        add(c);
    }
}

void Surface::collapse_short_edges(const RemeshSettings& settings) {
    struct Candidate {
        double ratio;
        Edge edge;
    };
    std::vector<Candidate> candidates;
    for (const Edge& edge : edges()) {
        const double wanted = settings.edge_length(0.5 * (point(edge.first) + point(edge.second)));
        const double ratio = (point(edge.first) - point(edge.second)).norm() / wanted;
        if (ratio < too_short) candidates.push_back({ratio, edge});
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& p, const Candidate& q) {
        return p.ratio != q.ratio ? p.ratio < q.ratio : p.edge < q.edge;
    });
    std::vector<bool> changed(points_.size(), false);
    for (const auto& [ratio, edge] : candidates) {
        const auto [a, b] = edge;
        if (changed[static_cast<size_t>(a)] || changed[static_cast<size_t>(b)]) continue;
        const Vector3 to = settings.to_surface(0.5 * (point(a) + point(b)));
        if (!can_collapse(a, b, to, settings)) continue;
        collapse(a, b, to);
        changed[static_cast<size_t>(a)] = changed[static_cast<size_t>(b)] = true;
        for (const int v : neighbours(a)) changed[static_cast<size_t>(v)] = true;
    }
}

//      c
//     /|\         The edge a–b becomes c–d if six triangles then meet at these four vertices rather than at present,
//    a-+-b        and the surface does not fold.
//     \|/
//      d
bool Surface::flip_helps(int a, int b, int c, int d) const {
    const auto off = [&](int v, int change) {
        const int excess = static_cast<int>(around(v).size()) + change - 6;
        return excess * excess;
    };
    if (off(a, -1) + off(b, -1) + off(c, 1) + off(d, 1) >= off(a, 0) + off(b, 0) + off(c, 0) + off(d, 0)) return false;
    const std::vector<int> of_c = neighbours(c);
    if (std::binary_search(of_c.begin(), of_c.end(), d)) return false;
    const Vector3 before = (normal({a, b, c}) + normal({b, a, d})).normalized();
    return std::min(normal({a, d, c}).normalized().dot(before), normal({d, b, c}).normalized().dot(before)) > 0.7;
}

void Surface::flip_edges() {
    for (const auto& [a, b] : edges()) {
        const auto [first, second] = beside(a, b);
        if (first < 0 || second < 0) continue;  // flipped away already
        const int c = opposite(first, a, b), d = opposite(second, a, b);
        if (!flip_helps(a, b, c, d)) continue;
        remove(first);
        remove(second);
        add({a, d, c});
        add({d, b, c});
    }
}

void Surface::relax(const RemeshSettings& settings) {
    std::vector<Vector3> moved = points_;
    parallel_for(static_cast<long>(points_.size()), [&](long v) {
        const std::vector<int> beside_it = neighbours(static_cast<int>(v));
        if (beside_it.empty()) return;
        Vector3 mean = Vector3::Zero();
        for (const int w : beside_it) mean += point(w);
        mean /= static_cast<double>(beside_it.size());
        moved[static_cast<size_t>(v)] = settings.to_surface(0.4 * point(static_cast<int>(v)) + 0.6 * mean);
    });
    points_ = std::move(moved);
}

TriangleMesh Surface::mesh() const {
    std::vector<int> number(points_.size(), -1);
    std::vector<Vector3> points;
    std::vector<Corners> triangles;
    for (size_t v = 0; v < points_.size(); ++v) {
        if (around_[v].empty()) continue;
        number[v] = static_cast<int>(points.size());
        points.push_back(points_[v]);
    }
    for (const Corners& c : triangles_)
        if (c[0] >= 0) triangles.push_back(c);
    TriangleMesh mesh{
        Positions(static_cast<long>(points.size()), 3), Triangles(static_cast<long>(triangles.size()), 3), {}};
    for (size_t v = 0; v < points.size(); ++v) mesh.positions.row(static_cast<long>(v)) = points[v];
    for (size_t t = 0; t < triangles.size(); ++t)
        for (size_t k = 0; k < 3; ++k)
            mesh.triangles(static_cast<long>(t), static_cast<long>(k)) = number[static_cast<size_t>(triangles[t][k])];
    return mesh;
}

}  // namespace

TriangleMesh remesh(const TriangleMesh& mesh, const RemeshSettings& settings) {
    Surface surface(mesh);
    for (int pass = 0; pass < settings.passes; ++pass) {
        surface.collapse_short_edges(settings);
        surface.flip_edges();
        surface.relax(settings);
    }
    return surface.mesh();
}

}  // namespace tulle::geometry

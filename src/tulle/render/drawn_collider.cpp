// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/drawn_collider.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>

namespace tulle::render {

namespace {

constexpr double largest_triangle_count = 20000;

Vector3 extent_of(const Positions& positions) {
    return positions.colwise().maxCoeff() - positions.colwise().minCoeff();
}

// Gives equal numbers to points that coincide but for rounding.
class PlaceNumbers {
public:
    explicit PlaceNumbers(double quantum) : quantum_(quantum) {}
    // The point's number, and whether it is a new one.
    std::pair<int, bool> number(const Vector3& point) {
        const Vector3 cell = (point / quantum_).array().round();
        const std::array<long, 3> key = {static_cast<long>(cell.x()), static_cast<long>(cell.y()),
                                         static_cast<long>(cell.z())};
        const auto [found, is_new] = numbers_.try_emplace(key, static_cast<int>(numbers_.size()));
        return {found->second, is_new};
    }

private:
    double quantum_;  // [m]
    std::map<std::array<long, 3>, int> numbers_;
};

Vector3 place(const MeshSite& site, const std::vector<Vector3>& positions) {
    Vector3 sum = Vector3::Zero();
    for (size_t k = 0; k < 3; ++k) sum += site.weights[k] * positions[static_cast<size_t>(site.vertices[k])];
    return sum;
}

double length(const MeshSite& a, const MeshSite& b, const std::vector<Vector3>& positions) {
    return (place(a, positions) - place(b, positions)).norm();
}

// The k for which the side from corner k to the next is the longest.
size_t longest_side(const std::array<MeshSite, 3>& piece, const std::vector<Vector3>& positions) {
    std::array<double, 3> lengths;
    for (size_t k = 0; k < 3; ++k) lengths[k] = length(piece[k], piece[(k + 1) % 3], positions);
    return static_cast<size_t>(std::max_element(lengths.begin(), lengths.end()) - lengths.begin());
}

MeshSite halfway(const MeshSite& a, const MeshSite& b) {
    MeshSite middle = a;
    for (size_t k = 0; k < 3; ++k) middle.weights[k] = (a.weights[k] + b.weights[k]) / 2;
    return middle;
}

// Positive for a closed mesh whose triangles face outward, about zero for an open sheet through the middle [m³].
double signed_volume(const geometry::TriangleMesh& mesh) {
    const Vector3 middle = mesh.positions.colwise().mean();
    double volume = 0;
    for (long t = 0; t < mesh.triangles.rows(); ++t) {
        const auto corner = [&](int k) -> Vector3 {
            return mesh.positions.row(mesh.triangles(t, k)).transpose() - middle;
        };
        volume += corner(0).dot(corner(1).cross(corner(2))) / 6;
    }
    return volume;
}

}  // namespace

DrawnCollider::DrawnCollider(const geometry::TriangleMesh& mesh, const Settings& settings) {
    merge_vertices(mesh);
    const Vector3 extent = extent_of(mesh.positions);
    const double volume = signed_volume(mesh);
    const bool is_solid = std::abs(volume) > 1e-6 * std::pow(extent.norm(), 3);
    if (is_solid && volume < 0)
        for (std::array<int, 3>& triangle : triangles_) std::swap(triangle[1], triangle[2]);
    const std::vector<Vector3> rest = merged(mesh.positions);
    const double area = geometry::triangle_areas(mesh.positions, mesh.triangles).sum();
    coarse_.emplace(triangles_, rest);
    cut(rest, std::max(settings.longest_edge, 2 * std::sqrt(area / largest_triangle_count)));
    fine_.emplace(faces_, place_sites(rest));
}

// Seams of texture coordinates double vertices; here they would be cracks.
void DrawnCollider::merge_vertices(const geometry::TriangleMesh& mesh) {
    PlaceNumbers places(1e-6 * std::max(1e-9, extent_of(mesh.positions).norm()));
    std::vector<int> numbers;
    for (int v = 0; v < mesh.vertex_count(); ++v) {
        const auto [number, is_new] = places.number(mesh.positions.row(v).transpose());
        if (is_new) representatives_.push_back(v);
        numbers.push_back(number);
    }
    for (long t = 0; t < mesh.triangles.rows(); ++t) {
        std::array<int, 3> triangle;
        for (int k = 0; k < 3; ++k)
            triangle[static_cast<size_t>(k)] = numbers[static_cast<size_t>(mesh.triangles(t, k))];
        const bool is_collapsed =
            triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0];
        if (!is_collapsed) triangles_.push_back(triangle);
    }
}

// Every edge that is too long is halved, and so again: the two triangles at it agree on that, so no gaps open.
void DrawnCollider::cut(const std::vector<Vector3>& positions, double longest_edge) {
    PlaceNumbers places(1e-4 * longest_edge);
    const auto add_site = [&](const MeshSite& site) {
        const auto [number, is_new] = places.number(place(site, positions));
        if (is_new) sites_.push_back(site);
        return number;
    };
    for (int t = 0; t < static_cast<int>(triangles_.size()); ++t) {
        const std::array<int, 3>& triangle = triangles_[static_cast<size_t>(t)];
        std::vector<std::array<MeshSite, 3>> pieces = {
            {MeshSite{t, triangle, {1, 0, 0}}, MeshSite{t, triangle, {0, 1, 0}}, MeshSite{t, triangle, {0, 0, 1}}}};
        while (!pieces.empty()) {
            const std::array<MeshSite, 3> piece = pieces.back();
            pieces.pop_back();
            const size_t k = longest_side(piece, positions);
            const MeshSite &a = piece[k], &b = piece[(k + 1) % 3], &c = piece[(k + 2) % 3];
            if (length(a, b, positions) <= longest_edge) {
                faces_.push_back({add_site(a), add_site(b), add_site(c)});
                continue;
            }
            const MeshSite middle = halfway(a, b);
            pieces.push_back({a, middle, c});
            pieces.push_back({middle, b, c});
        }
    }
}

std::vector<Vector3> DrawnCollider::merged(const Positions& positions) const {
    std::vector<Vector3> places;
    places.reserve(representatives_.size());
    for (const int vertex : representatives_) places.emplace_back(positions.row(vertex).transpose());
    return places;
}

// Phong tessellation [Boubekeur and Alexa 2008]: a point goes part of the way to its mean projection onto the tangent
// planes at the triangle's corners, which rounds spheres and leaves flat faces flat.
std::vector<Vector3> DrawnCollider::place_sites(const std::vector<Vector3>& merged_positions) const {
    constexpr double roundness = 0.75;
    const std::vector<Vector3> normals = coarse_->normals(merged_positions);
    std::vector<Vector3> places;
    places.reserve(sites_.size());
    for (const MeshSite& site : sites_) {
        const Vector3 flat = place(site, merged_positions);
        const std::array<int, 3>& corners = coarse_->triangles()[static_cast<size_t>(site.triangle)];
        Vector3 lift = Vector3::Zero();
        for (size_t k = 0; k < 3; ++k) {
            const Vector3& normal = normals[static_cast<size_t>(corners[k])];
            lift -=
                site.weights[k] * normal.dot(flat - merged_positions[static_cast<size_t>(site.vertices[k])]) * normal;
        }
        places.emplace_back(flat + roundness * lift);
    }
    return places;
}

Surface DrawnCollider::make_surface() const {
    return {.material = Material::Collider, .triangles = fine_->triangles()};
}

void DrawnCollider::move(Surface& surface, const Positions& positions) const {
    const std::vector<Vector3> sites = place_sites(merged(positions));
    const std::vector<Vector3> normals = fine_->normals(sites);
    surface.positions.resize(normals.size());
    surface.normals.resize(normals.size());
    for (size_t v = 0; v < normals.size(); ++v) {
        surface.positions[v] = sites[static_cast<size_t>(fine_->sources()[v])].cast<float>();
        surface.normals[v] = normals[v].cast<float>();
    }
}

}  // namespace tulle::render

// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/textile/drape_test.h"

#include "tulle/core/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

namespace tulle::workflows {

namespace {

// Bulges: local maxima of the distance of the border from the axis, by angle, smoothed over a few of its vertices.
int count_folds(const geometry::TriangleMesh& rest, const Positions& draped) {
    const geometry::MeshEdges topology = geometry::mesh_edges(rest);
    std::vector<bool> on_border(static_cast<size_t>(rest.vertex_count()), false);
    for (long e = 0; e < topology.edges.rows(); ++e)
        if (topology.opposite(e, 1) < 0)
            for (const int v : topology.edges.row(e)) on_border[static_cast<size_t>(v)] = true;
    constexpr int sectors = 72;
    std::array<double, sectors> sums{}, counts{};
    for (int v = 0; v < rest.vertex_count(); ++v) {
        if (!on_border[static_cast<size_t>(v)]) continue;
        // By its place at rest: in deep folds the border turns back.
        const double angle = std::atan2(rest.positions(v, 1), rest.positions(v, 0)) / (2 * std::numbers::pi) + 0.5;
        const auto sector = static_cast<size_t>(std::min(sectors - 1, static_cast<int>(sectors * angle)));
        sums[sector] += draped.row(v).head<2>().norm();
        counts[sector] += 1;
    }
    std::array<double, sectors> radii{};
    const auto at = [](long s) { return static_cast<size_t>((s + 2 * sectors) % sectors); };
    for (long s = 0; s < sectors; ++s) {
        double sum = 0, count = 0;
        for (long k = s - 1; k <= s + 1; ++k) sum += sums[at(k)], count += counts[at(k)];
        radii[at(s)] = count > 0 ? sum / count : 0;
    }
    // A bulge is higher than the dents beside it by this part of the radius.
    constexpr double prominence = 0.03;
    const double mean = std::accumulate(radii.begin(), radii.end(), 0.0) / sectors;
    const auto lowest = std::min_element(radii.begin(), radii.end()) - radii.begin();
    int folds = 0;
    double low = radii[at(lowest)], high = low;
    bool rising = true;
    for (long s = lowest; s <= lowest + sectors; ++s) {
        const double radius = radii[at(s)];
        high = std::max(high, radius);
        low = std::min(low, radius);
        if (rising && radius < high - prominence * mean) {
            ++folds;
            rising = false;
            low = radius;
        } else if (!rising && radius > low + prominence * mean) {
            rising = true;
            high = radius;
        }
    }
    return folds;
}

// Waves around the ring, of up to some millimetres at its border.
void make_uneven(physics::ClothModel& model, const DiscShape& shape, std::uint64_t seed) {
    Random random(seed);
    model.start_positions = model.mesh.positions;
    for (int waves = 2; waves <= 9; ++waves) {
        const double height = random.uniform(0, 0.002), phase = random.uniform(0, 2 * std::numbers::pi);  // [m], [rad]
        for (int v = 0; v < model.vertex_count(); ++v) {
            const auto place = model.mesh.positions.row(v);
            const double outwards = (place.norm() - shape.clamp_radius) / (shape.radius - shape.clamp_radius);
            model.start_positions(v, 2) +=
                height * std::max(0.0, outwards) * std::cos(waves * std::atan2(place.y(), place.x()) + phase);
        }
    }
    for (const physics::PinGroup& plates : model.pins)
        for (const int v : plates.vertices) model.start_positions(v, 2) = 0;
}

}  // namespace

double shadow_area(const Positions& positions, const Triangles& triangles, double square) {
    const Eigen::Array2d low = positions.leftCols<2>().colwise().minCoeff().array() - square;
    const Eigen::Array2d high = positions.leftCols<2>().colwise().maxCoeff().array() + square;
    const Eigen::Array2i size = ((high - low) / square).ceil().cast<int>();
    std::vector<bool> dark(static_cast<size_t>(size(0)) * static_cast<size_t>(size(1)), false);
    for (long t = 0; t < triangles.rows(); ++t) {
        std::array<Eigen::Array2d, 3> corners;
        for (int i = 0; i < 3; ++i)
            corners[static_cast<size_t>(i)] =
                (positions.row(triangles(t, i)).head<2>().transpose().array() - low) / square;
        const Eigen::Array2i first = corners[0].min(corners[1]).min(corners[2]).floor().cast<int>();
        const Eigen::Array2i last = corners[0].max(corners[1]).max(corners[2]).ceil().cast<int>();
        // Twice the area of (a, b, p): its sign says on which side of the edge p lies.
        const auto side = [](const Eigen::Array2d& a, const Eigen::Array2d& b, const Eigen::Array2d& p) {
            return (b(0) - a(0)) * (p(1) - a(1)) - (b(1) - a(1)) * (p(0) - a(0));
        };
        for (int y = first(1); y < last(1); ++y)
            for (int x = first(0); x < last(0); ++x) {
                const Eigen::Array2d middle(x + 0.5, y + 0.5);
                const double s0 = side(corners[0], corners[1], middle), s1 = side(corners[1], corners[2], middle),
                             s2 = side(corners[2], corners[0], middle);
                if ((s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0))
                    dark[static_cast<size_t>(y) * static_cast<size_t>(size(0)) + static_cast<size_t>(x)] = true;
            }
    }
    return square * square * static_cast<double>(std::count(dark.begin(), dark.end(), true));
}

DrapeResult drape_test(const scene::Fabric& fabric, const DiscShape& shape, const SettleSettings& settings) {
    physics::ClothModel model = disc_specimen(fabric, shape);
    const double plate = std::numbers::pi * shape.clamp_radius * shape.clamp_radius;
    const double whole = shadow_area(model.mesh.positions, model.mesh.triangles);
    DrapeResult result{.spacing = shape.spacing, .particles = model.vertex_count(), .rest = model.mesh};
    for (int specimen = 0; specimen < drape_specimens && !result.stopped; ++specimen) {
        make_uneven(model, shape, static_cast<std::uint64_t>(specimen) + 1);
        const Settled settled = settle(model, settings);
        const double shadow = shadow_area(settled.state.positions, model.mesh.triangles);
        result.coefficients.push_back((shadow - plate) / (whole - plate));
        result.coefficient += result.coefficients.back() / drape_specimens;
        result.folds.push_back(count_folds(model.mesh, settled.state.positions));
        result.rest_speed = std::max(result.rest_speed, settled.speed);
        if (specimen == 0) result.draped = settled.state.positions;
        result.stopped = settled.stopped;
    }
    return result;
}

}  // namespace tulle::workflows

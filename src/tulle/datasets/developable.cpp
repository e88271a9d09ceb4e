// SPDX-License-Identifier: Apache-2.0
#include "tulle/datasets/developable.h"

#include "tulle/core/parallel.h"
#include "tulle/core/random.h"
#include "tulle/geometry/delaunay.h"
#include "tulle/geometry/subdivision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace tulle::datasets {

namespace {

constexpr double pi = std::numbers::pi;

double sum_at(const Waves& waves, double s) {
    double sum = 0;
    for (const Wave& wave : waves) sum += wave.size * std::sin(2 * pi * s / wave.length + wave.phase);
    return sum;
}

// y' = f(s, y) from y(0) on, by Runge and Kutta's fourth-order steps to the values that are asked for.
template <typename State>
class Path {
public:
    using Slope = std::function<State(double s, const State& y)>;

    Path(State start, double low, double high, double step, Slope slope) : slope_(std::move(slope)), step_(step) {
        first_ = static_cast<long>(std::floor(low / step)) - 1;
        const long last = static_cast<long>(std::ceil(high / step)) + 1;
        nodes_.resize(static_cast<size_t>(last - first_ + 1));
        node(0) = start;
        for (long i = 0; i < last; ++i) node(i + 1) = stepped(node(i), at(i), step);
        for (long i = 0; i > first_; --i) node(i - 1) = stepped(node(i), at(i), -step);
    }

    State operator()(double s) const {
        const long i = std::lround(s / step_);
        return stepped(nodes_[static_cast<size_t>(i - first_)], at(i), s - at(i));
    }

private:
    double at(long i) const { return static_cast<double>(i) * step_; }
    State& node(long i) { return nodes_[static_cast<size_t>(i - first_)]; }
    State stepped(const State& y, double s, double h) const {
        const State a = slope_(s, y), b = slope_(s + h / 2, y + h / 2 * a), c = slope_(s + h / 2, y + h / 2 * b),
                    d = slope_(s + h, y + h * c);
        return y + h / 6 * (a + 2 * b + 2 * c + d);
    }

    Slope slope_;
    double step_;
    long first_;
    std::vector<State> nodes_;
};

Eigen::Matrix2d rotation(double angle) { return Eigen::Rotation2Dd(angle).toRotationMatrix(); }

Waves random_waves(Random& random, double shortest, double longest, double size) {
    Waves waves;
    double all = 0;
    const auto count = 1 + random.bits() % 3;
    for (std::uint64_t i = 0; i < count; ++i) {
        waves.push_back({random.uniform(-1, 1), shortest * std::pow(longest / shortest, random.uniform()),
                         random.uniform(0, 2 * pi)});
        all += std::abs(waves.back().size);
    }
    for (Wave& wave : waves) wave.size *= size / all;
    return waves;
}

constexpr geometry::GridSize sheet{33, 33};

Positions random_sheet(Random& random, const Rows<double, 2>& flat) {
    const double direction = random.uniform(0, 2 * pi);
    if (random.uniform() < 0.7) {
        const double steepest = 0.03 * std::pow(40, random.uniform());  // [rad] 0.03 to 1.2
        return bent_cylinder(flat, direction, random_waves(random, 6, 200, steepest));
    }
    // Curvature is bending over distance: at most 0.18 a cell in the middle of the sheet.
    const double distance = random.uniform(30, 120);
    const double bending = distance * 0.003 * std::pow(60, random.uniform());
    return bent_cone(flat, direction, distance, random_waves(random, 6 / distance, 200 / distance, bending));
}

// Three points of a straight border may have become a triangle.
Triangles without_slivers(const Triangles& triangles, const Positions& positions) {
    constexpr double least_area = 1e-6;  // [m²]
    const VectorX areas = geometry::triangle_areas(positions, triangles);
    Triangles kept(triangles.rows(), 3);
    long count = 0;
    for (long t = 0; t < triangles.rows(); ++t)
        if (areas(t) > least_area) kept.row(count++) = triangles.row(t);
    return kept.topRows(count);
}

// Of about 8 × 8 cells of triangles that are all different, subdivided twice to cells of one metre.
geometry::TriangleMesh random_mesh(Random& random) {
    constexpr int cells = 8;
    constexpr double cell = 4, most = 0.35;  // [m], and how far a vertex may be from its place in a grid [cells]
    const double aspect = 0.7 * std::pow(2, random.uniform());  // 0.7 to 1.4
    geometry::Points2 points(static_cast<long>(cells + 1) * (cells + 1), 2);
    for (int row = 0; row <= cells; ++row)
        for (int column = 0; column <= cells; ++column) {
            const auto place = [&](int at) {  // the border stays straight
                return cell * (at - cells / 2 + (at % cells == 0 ? 0 : random.uniform(-most, most)));
            };
            const double u = place(column), v = place(row);
            points.row(row * (cells + 1) + column) << aspect * u, v / aspect;
        }
    geometry::TriangleMesh mesh;
    mesh.positions = Positions::Zero(points.rows(), 3);
    mesh.positions.leftCols<2>() = points;
    mesh.triangles = without_slivers(geometry::delaunay(points), mesh.positions);
    for (int level = 0; level < 2; ++level) mesh = geometry::refine(mesh, geometry::subdivide(mesh));
    return mesh;
}

struct FlatSheet {
    Sequence like;         // without positions
    Rows<double, 2> flat;  // |V|×2 [m]
};

// Sequences of random surfaces of the sheets that `make_sheet(random)` gives.
template <typename MakeSheet>
std::vector<Sequence> bend_each(int count, std::uint64_t seed, const MakeSheet& make_sheet) {
    constexpr int frames = 60;
    std::vector<Sequence> sequences(static_cast<size_t>(count));
    parallel_tasks(count, [&](long i) {
        Random random(mix(seed) + static_cast<std::uint64_t>(i));
        FlatSheet made = make_sheet(random);
        Sequence& sequence = sequences[static_cast<size_t>(i)];
        sequence = std::move(made.like);
        sequence.name += fmt::format(" {}", i);
        sequence.frame_time = 0.04;
        for (int f = 0; f < frames; ++f) {
            const Rows<float, 3> positions = random_sheet(random, made.flat).cast<float>();
            sequence.positions.insert(sequence.positions.end(), positions.data(), positions.data() + positions.size());
        }
    });
    return sequences;
}

}  // namespace

Positions bent_cylinder(const Rows<double, 2>& flat, double direction, const Waves& turning) {
    const Rows<double, 2> across = flat * rotation(direction);
    const auto s = across.col(0);
    constexpr double step = 0.1;
    const Path<Eigen::Vector2d> curve(Eigen::Vector2d::Zero(), s.minCoeff(), s.maxCoeff(), step,
                                      [&](double at, const Eigen::Vector2d&) {
                                          const double angle = sum_at(turning, at);
                                          return Eigen::Vector2d(std::cos(angle), std::sin(angle));
                                      });
    Positions bent(flat.rows(), 3);
    for (long v = 0; v < flat.rows(); ++v) {
        const Eigen::Vector2d place = curve(s(v));
        bent.row(v) << place.x(), place.y(), across(v, 1);
    }
    return bent;
}

Positions bent_cone(const Rows<double, 2>& flat, double direction, double distance, const Waves& bending) {
    Rows<double, 2> from_apex = flat * rotation(direction);
    from_apex.col(0).array() += distance;
    // The lines' directions c(φ) are a curve of unit speed on the sphere, whose frame (c, c', c×c') turns with its
    // curvature in the sphere.
    const Path<Eigen::Matrix3d> frame(Eigen::Matrix3d::Identity(), -pi, pi, 0.1 / distance,
                                      [&](double angle, const Eigen::Matrix3d& f) {
                                          const double curvature = sum_at(bending, angle);
                                          Eigen::Matrix3d slope;
                                          slope << f.col(1), curvature * f.col(2) - f.col(0), -curvature * f.col(1);
                                          return slope;
                                      });
    Positions bent(flat.rows(), 3);
    for (long v = 0; v < flat.rows(); ++v) {
        const double radius = from_apex.row(v).norm();
        bent.row(v) = radius * frame(std::atan2(from_apex(v, 1), from_apex(v, 0))).col(0).transpose();
        bent(v, 0) -= distance;
    }
    return bent;
}

Positions sine_sheet(const Rows<double, 2>& flat, double direction, double length, double slope) {
    const Rows<double, 2> across = flat * rotation(direction);
    const auto s = across.col(0);
    const double k = 2 * pi / length;
    const Path<Eigen::Matrix<double, 1, 1>> x(  // where the curve has the arc length
        Eigen::Matrix<double, 1, 1>::Zero(), s.minCoeff(), s.maxCoeff(), 0.02 * std::min(length, 5.0),
        [&](double, const Eigen::Matrix<double, 1, 1>& at) {
            return Eigen::Matrix<double, 1, 1>(1 / std::hypot(1, slope * std::cos(k * at(0))));
        });
    Positions bent(flat.rows(), 3);
    for (long v = 0; v < flat.rows(); ++v) {
        const double place = x(s(v))(0);
        bent.row(v) << place, slope / k * std::sin(k * place), across(v, 1);
    }
    return bent;
}

Rows<double, 2> grid_coordinates(const geometry::GridSize& size) {
    Rows<double, 2> flat(size.vertex_count(), 2);
    for (int row = 0; row < size.rows; ++row)
        for (int column = 0; column < size.columns; ++column)
            flat.row(size.index(row, column)) << column - 0.5 * (size.columns - 1), row - 0.5 * (size.rows - 1);
    return flat;
}

std::vector<Sequence> developable_sequences(int count, std::uint64_t seed) {
    Sequence like{.name = "developable", .grid = sheet};
    like.mesh = geometry::make_grid_cloth(sheet, {.width = sheet.columns - 1.0, .height = sheet.rows - 1.0}).mesh;
    const Rows<double, 2> flat = grid_coordinates(sheet);
    return bend_each(count, seed, [&](Random&) { return FlatSheet{like, flat}; });
}

std::vector<Sequence> irregular_developable_sequences(int count, std::uint64_t seed) {
    return bend_each(count, seed, [](Random& random) {
        Sequence like{.name = "irregular developable"};
        like.mesh = random_mesh(random);
        return FlatSheet{like, like.mesh.positions.leftCols<2>()};
    });
}

}  // namespace tulle::datasets

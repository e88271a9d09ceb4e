// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/admm_kernel.h"
#include "tests/support/near.h"

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/core/random.h"

#include <Eigen/SparseCholesky>

#include <cmath>
#include <set>
#include <utility>

using namespace tulle;
using namespace tulle::physics;

namespace {

// A cloth in the middle of a gust.
struct Case {
    AdmmSystem system;
    VectorX rest_lengths;  // [m]
    Positions start;       // [m]
    Positions inertial;    // [m]
    VectorX tensions;      // [N] of a system with weights
    Positions guess;       // [m] of a system with weights: where it begins
};

double weight_of(const AdmmSystem& system, long spring) {
    return system.weights.size() > 0 ? system.weights(spring) : system.stiffness(spring);
}

void add_spring_terms(AdmmSystem& system, std::vector<Eigen::Triplet<double>>& entries) {
    for (long s = 0; s < system.edges.rows(); ++s) {
        const int a = system.edges(s, 0), b = system.edges(s, 1);
        const double weight = system.dt * system.dt * weight_of(system, s);
        for (const auto& [row, column, sign] : {std::tuple{a, a, 1.0}, {b, b, 1.0}, {a, b, -1.0}, {b, a, -1.0}})
            entries.emplace_back(row, column, sign * weight);
    }
}

// Quadratic bending over four vertices in a row: couples vertices that no spring joins.
void add_hinge_terms(AdmmSystem& system, std::vector<Eigen::Triplet<double>>& entries) {
    const double weights[4] = {1, -1, -1, 1};
    for (int v = 0; v + 3 < system.masses.size(); v += 5)
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                entries.emplace_back(v + i, v + j, system.dt * system.dt * 5 * weights[i] * weights[j]);
}

void fill_matrix(AdmmSystem& system, bool hinges) {
    const long count = system.masses.size();
    std::vector<Eigen::Triplet<double>> entries;
    for (int v = 0; v < count; ++v) entries.emplace_back(v, v, system.masses(v));
    add_spring_terms(system, entries);
    if (hinges) add_hinge_terms(system, entries);
    system.matrix.resize(count, count);
    system.matrix.setFromTriplets(entries.begin(), entries.end());
}

Case make_case(const Positions& rest, const Edges& edges, const std::set<int>& pins, bool hinges) {
    Random random(5);
    Case result;
    AdmmSystem& system = result.system;
    system.edges = edges;
    system.dt = 0.02;
    system.stiffness = VectorX::NullaryExpr(edges.rows(), [&](long) { return random.uniform(50, 150); });
    system.masses = VectorX::NullaryExpr(rest.rows(), [&](long) { return random.uniform(1e-3, 3e-3); });
    system.pinned.assign(rest.rows(), false);
    for (const int pin : pins) system.pinned[pin] = true;
    result.rest_lengths.resize(edges.rows());
    for (long s = 0; s < edges.rows(); ++s)
        result.rest_lengths(s) = (rest.row(edges(s, 0)) - rest.row(edges(s, 1))).norm();
    fill_matrix(system, hinges);
    result.start = rest;
    result.inertial = rest;
    for (int v = 0; v < rest.rows(); ++v)
        result.inertial.row(v) +=
            system.pinned[v] ? Eigen::RowVector3d(0.01, 0, 0)
                             : Eigen::RowVector3d(0.02 * std::sin(5 * rest(v, 0)), 0.03 + 0.01 * rest(v, 1), -0.004);
    return result;
}

Case grid_case(int rows, int columns, bool hinges = false) {
    const std::pair<int, int> steps[] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}, {0, 2}, {2, 0}};
    Positions rest(rows * columns, 3);
    std::vector<int> ends;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) {
            rest.row(r * columns + c) << 0.05 * c, 0, -0.05 * r;
            for (const auto& [dr, dc] : steps)
                if (r + dr < rows && c + dc >= 0 && c + dc < columns) {
                    ends.push_back(r * columns + c);
                    ends.push_back((r + dr) * columns + c + dc);
                }
        }
    const Edges edges = Eigen::Map<Edges>(ends.data(), static_cast<long>(ends.size()) / 2, 2);
    std::set<int> pins;
    for (int c = 0; c < columns; c += 4) pins.insert(c);
    return make_case(rest, edges, pins, hinges);
}

// Points joined when they are near: no two vertices alike, one vertex alone, one spring of no length.
Case irregular_case(int count) {
    Random random(17);
    Positions rest(count, 3);
    for (int v = 0; v < count; ++v) rest.row(v) << random.uniform(), 0.05 * random.uniform(), random.uniform();
    rest.row(1) = rest.row(0);
    rest.row(count - 1) << 10, 10, 10;
    std::vector<int> ends{0, 1};
    for (int a = 0; a < count; ++a)
        for (int b = std::max(a + 1, 2); b < count; ++b)
            if ((rest.row(a) - rest.row(b)).norm() < 1.5 / std::sqrt(count)) {
                ends.push_back(a);
                ends.push_back(b);
            }
    const Edges edges = Eigen::Map<Edges>(ends.data(), static_cast<long>(ends.size()) / 2, 2);
    return make_case(rest, edges, {3, 4, count / 2}, true);
}

// The same with stiffer springs and weights of their own, and tensions to begin with, some of them too compressed to
// be.
Case weighted(Case c) {
    Random random(23);
    AdmmSystem& system = c.system;
    system.stiffness *= 20;
    system.weights = system.stiffness;
    for (double& weight : system.weights) weight *= random.uniform(0.05, 1);
    fill_matrix(system, false);
    c.guess = 0.3 * c.start + 0.7 * c.inertial;
    c.tensions = VectorX::NullaryExpr(
        system.edges.rows(), [&](long s) { return system.weights(s) * c.rest_lengths(s) * random.uniform(-1.5, 0.5); });
    return c;
}

// The definition of correct: the equations of methods section 1, written to be read.
Positions plain_admm(Case c, int iterations, VectorX* tensions = nullptr) {
    const AdmmSystem& system = c.system;
    Positions held = Positions::Zero(c.inertial.rows(), 3);
    numerics::SparseMatrix matrix = system.matrix;
    for (int v = 0; v < held.rows(); ++v)
        if (system.pinned[v]) held.row(v) = c.inertial.row(v);
    for (int column = 0; column < matrix.outerSize(); ++column)
        for (numerics::SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry)
            if (system.pinned[entry.row()] || system.pinned[column]) entry.valueRef() = entry.row() == column;
    const Eigen::SimplicialLDLT<numerics::SparseMatrix> cholesky(matrix);
    Positions x = c.inertial;
    for (int v = 0; v < c.guess.rows(); ++v)
        if (!system.pinned[v]) x.row(v) = c.guess.row(v);
    Positions u = Positions::Zero(system.edges.rows(), 3);
    for (long s = 0; s < c.tensions.size(); ++s) {
        const Eigen::RowVector3d d = x.row(system.edges(s, 0)) - x.row(system.edges(s, 1));
        const double length = std::max(d.norm(), 1e-15);
        u.row(s) = std::max(c.tensions(s) / system.weights(s), -0.9 * length) / length * d;
    }
    for (int iteration = 0; iteration < iterations; ++iteration) {
        Positions rhs = system.masses.asDiagonal() * c.inertial;
        for (long s = 0; s < system.edges.rows(); ++s) {
            const int a = system.edges(s, 0), b = system.edges(s, 1);
            const Eigen::RowVector3d p = x.row(a) - x.row(b) + u.row(s);
            const double k = system.stiffness(s), w2 = weight_of(system, s), length = std::max(p.norm(), 1e-15);
            const Eigen::RowVector3d z = (k * c.rest_lengths(s) / length + w2) / (k + w2) * p;
            u.row(s) = p - z;
            if (tensions) (*tensions)(s) = w2 * k / (k + w2) * (length - c.rest_lengths(s));
            const Eigen::RowVector3d pull = system.dt * system.dt * w2 * (z - u.row(s));
            rhs.row(a) += pull;
            rhs.row(b) -= pull;
        }
        rhs -= system.matrix * held;
        for (int v = 0; v < held.rows(); ++v)
            if (system.pinned[v]) rhs.row(v) = held.row(v);
        x = cholesky.solve(Eigen::MatrixXd(rhs));
    }
    return x;
}

Positions fused_admm(AdmmKernel& kernel, const Case& c, int iterations) {
    Positions positions = c.start;
    const AdmmReport report = kernel.minimise(c.inertial, c.rest_lengths, {.most = iterations}, positions);
    CHECK(report.iterations == iterations);
    return positions;
}

double distance(const Positions& a, const Positions& b) { return (a - b).rowwise().norm().maxCoeff(); }

}  // namespace

TEST_CASE("The fused ADMM kernel equals the plain loop after 1, 5 and 20 iterations") {
    for (const Case& c : {grid_case(25, 37), grid_case(49, 73), grid_case(30, 30, true), irregular_case(600),
                          irregular_case(3000), grid_case(2, 3), grid_case(7, 1)}) {
        CAPTURE(c.start.rows());
        AdmmKernel kernel(c.system);
        for (const int iterations : {1, 5, 20}) {
            CAPTURE(iterations);
            const Positions fused = fused_admm(kernel, c, iterations);
            CHECK(distance(fused, plain_admm(c, iterations)) < 1e-5);
            CHECK(distance(fused, c.inertial) > 1e-4);
        }
    }
}

TEST_CASE("The fused ADMM kernel equals the plain loop with weights, and begins and ends with its tensions") {
    for (const Case& c : {weighted(grid_case(25, 37)), weighted(irregular_case(600)), weighted(grid_case(2, 3))}) {
        CAPTURE(c.start.rows());
        for (const AdmmInstructions instructions : {AdmmInstructions::Fastest, AdmmInstructions::Portable}) {
            AdmmKernel kernel(c.system, instructions);
            for (const int iterations : {1, 5, 20}) {
                CAPTURE(iterations);
                Positions fused = c.start;
                VectorX tensions = c.tensions, expected = c.tensions;
                static_cast<void>(
                    kernel.minimise(c.inertial, c.rest_lengths, {.most = iterations}, fused, {c.guess, tensions}));
                CHECK(distance(fused, plain_admm(c, iterations, &expected)) < 2e-5);
                for (long s = 0; s < tensions.size(); ++s)
                    if (!c.system.pinned[c.system.edges(s, 0)] || !c.system.pinned[c.system.edges(s, 1)])
                        CHECK(std::abs(tensions(s) - expected(s)) < 2e-4 * c.system.stiffness(s));
            }
        }
    }
}

TEST_CASE("A weighted ADMM kernel that is given no tensions begins with none") {
    Case c = weighted(grid_case(12, 15));
    AdmmKernel kernel(c.system);
    const Positions without = fused_admm(kernel, c, 5);
    VectorX none = VectorX::Zero(c.tensions.size());
    Positions zero = c.start, tense = c.start;
    static_cast<void>(kernel.minimise(c.inertial, c.rest_lengths, {.most = 5}, tense, {c.inertial, c.tensions}));
    static_cast<void>(kernel.minimise(c.inertial, c.rest_lengths, {.most = 5}, zero, {c.inertial, none}));
    CHECK(without == zero);
    CHECK(distance(without, tense) > 1e-4);
}

TEST_CASE("The fused ADMM kernel is as precise a kilometre from the origin") {
    Case c = grid_case(30, 30, true);
    const Eigen::RowVector3d far(1000, -700, 400);
    c.start.rowwise() += far;
    c.inertial.rowwise() += far;
    AdmmKernel kernel(c.system);
    CHECK(distance(fused_admm(kernel, c, 20), plain_admm(c, 20)) < 1e-5);
}

TEST_CASE("The fused ADMM kernel forgets the last step") {
    const Case c = grid_case(20, 30);
    AdmmKernel used(c.system), fresh(c.system);
    Case other = c;
    other.inertial *= 1.01;
    other.rest_lengths *= 0.9;
    fused_admm(used, other, 7);
    CHECK(fused_admm(used, c, 20) == fused_admm(fresh, c, 20));
}

TEST_CASE("The fused ADMM kernel gives the same bits on 1, 2, 3 and 8 threads") {
    const int before = thread_count();
    for (const Case& c : {grid_case(25, 37), grid_case(97, 60, true), weighted(grid_case(25, 37))}) {
        set_thread_count(1);
        AdmmKernel alone(c.system);
        const Positions expected = fused_admm(alone, c, 20);
        for (const int threads : {2, 3, 8}) {
            set_thread_count(threads);
            AdmmKernel kernel(c.system);
            CHECK(fused_admm(kernel, c, 20) == expected);
            CHECK(fused_admm(alone, c, 20) == expected);
        }
    }
    set_thread_count(before);
}

TEST_CASE("The ADMM kernels for AVX2 and for any processor agree") {
    for (const Case& c : {grid_case(25, 37), irregular_case(900)}) {
        AdmmKernel fastest(c.system), portable(c.system, AdmmInstructions::Portable);
        CHECK(distance(fused_admm(fastest, c, 20), fused_admm(portable, c, 20)) < 1e-5);
        CHECK(distance(fused_admm(portable, c, 20), plain_admm(c, 20)) < 1e-5);
    }
}

TEST_CASE("The fused ADMM kernel stops at its tolerance and reports the plain residual") {
    const Case c = grid_case(25, 37);
    AdmmKernel kernel(c.system);
    Positions positions = c.start;
    const AdmmReport report = kernel.minimise(c.inertial, c.rest_lengths, {.most = 500, .tolerance = 1e-3}, positions);
    CHECK(report.iterations > 2);
    CHECK(report.iterations < 500);
    CHECK(report.residual <= 1e-3);
    const Positions now = plain_admm(c, report.iterations), previous = plain_admm(c, report.iterations - 1);
    CHECK(report.residual == test::near((now - previous).norm() / (now - c.start).norm()).epsilon(0.02));
    Positions fixed = c.start;
    const AdmmReport same = kernel.minimise(c.inertial, c.rest_lengths, {.most = report.iterations}, fixed);
    CHECK(same.residual == report.residual);
    CHECK(fixed == positions);
}

TEST_CASE("A cloth that is pinned all over goes where its pins go") {
    Case c = grid_case(5, 5);
    c.system.pinned.assign(25, true);
    AdmmKernel kernel(c.system);
    CHECK(fused_admm(kernel, c, 3) == c.inertial);
}

TEST_CASE("A spring that the matrix does not know is refused") {
    Case c = grid_case(60, 60);
    c.system.edges.conservativeResize(c.system.edges.rows() + 1, 2);
    c.system.edges.bottomRows(1) << 61, 3598;
    c.system.stiffness.conservativeResize(c.system.edges.rows());
    c.system.stiffness.tail(1).setConstant(100);
    CHECK_THROWS_AS(AdmmKernel{c.system}, Error);
}

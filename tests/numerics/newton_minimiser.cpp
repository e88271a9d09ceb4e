// SPDX-License-Identifier: Apache-2.0
#include "tulle/numerics/newton_minimiser.h"

#include "tests/numerics/matrices.h"
#include "tulle/numerics/double_cholesky.h"

#include <doctest/doctest.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

using namespace tulle;
using namespace tulle::numerics;
using namespace tulle::test;

namespace {

// ½ (x − c)ᵀ A (x − c)
struct Bowl {
    SparseMatrix matrix;
    Positions center;
    DoubleCholesky cholesky{matrix};

    double value(const Positions& x) const { return 0.5 * (x - center).cwiseProduct(gradient(x)).sum(); }
    Positions gradient(const Positions& x) const { return matrix * (x - center); }
    Positions descent_direction(const Positions&, const Positions& gradient, double) const {
        return cholesky.solve(-gradient);
    }
};

// Rosenbrock's valley, bent and narrow; its minimum is 0 at (1, 1).
struct Valley {
    double value(const VectorX& x) const { return std::pow(1 - x(0), 2) + 100 * std::pow(x(1) - x(0) * x(0), 2); }
    VectorX gradient(const VectorX& x) const {
        const double off = x(1) - x(0) * x(0);
        return Eigen::Vector2d(-2 * (1 - x(0)) - 400 * x(0) * off, 200 * off);
    }
    VectorX descent_direction(const VectorX& x, const VectorX& gradient, double) const {
        Eigen::Matrix2d hessian;
        hessian << 2 + 1200 * x(0) * x(0) - 400 * x(1), -400 * x(0), -400 * x(0), 200;
        return -hessian.inverse() * gradient;
    }
};

// Goes along `factor` times the gradient.
struct AlongGradient : Valley {
    double factor = -1;
    VectorX descent_direction(const VectorX&, const VectorX& gradient, double) const { return factor * gradient; }
};

// Equal springs and masses hang in a row from the origin. At rest, spring i carries all that is below it.
struct HangingChain {
    static constexpr double stiffness = 50, length = 0.1, weight = 0.3;  // [N/m], [m], [N]

    static Vector3 spring(const Positions& x, int i) {
        return i == 0 ? Vector3(x.row(0)) : Vector3(x.row(i) - x.row(i - 1));
    }
    double value(const Positions& x) const {
        double energy = weight * x.col(2).sum();
        for (int i = 0; i < x.rows(); ++i) energy += 0.5 * stiffness * std::pow(spring(x, i).norm() - length, 2);
        return energy;
    }
    Positions gradient(const Positions& x) const {
        Positions sum = Positions::Zero(x.rows(), 3);
        sum.col(2).setConstant(weight);
        for (int i = 0; i < x.rows(); ++i) {
            const Vector3 d = spring(x, i), pull = stiffness * (1 - length / d.norm()) * d;
            sum.row(i) += pull;
            if (i > 0) sum.row(i - 1) -= pull;
        }
        return sum;
    }
    // Springs do not push across: the Hessian stays definite while they are compressed.
    SparseMatrix projected_hessian(const Positions& x) const {
        std::vector<Eigen::Triplet<double>> entries;
        for (int s = 0; s < x.rows(); ++s) {
            const Vector3 d = spring(x, s), n = d.normalized();
            const double across = std::max(1e-3, stiffness * (1 - length / d.norm()));
            const Matrix3 block = across * Matrix3::Identity() + (stiffness - across) * n * n.transpose();
            for (const auto& [a, b, sign] : {std::tuple{s, s, 1}, {s - 1, s - 1, 1}, {s, s - 1, -1}})
                for (int i = 0; i < 3 && b >= 0; ++i)
                    for (int j = 0; j < 3; ++j) entries.emplace_back(3 * a + i, 3 * b + j, sign * block(i, j));
        }
        SparseMatrix lower(x.size(), x.size());
        lower.setFromTriplets(entries.begin(), entries.end());
        return lower;
    }
    Positions descent_direction(const Positions& x, const Positions& gradient, double residual) {
        residuals.push_back(residual);
        const SparseMatrix hessian = projected_hessian(x);
        cholesky ? cholesky->refactor(hessian) : static_cast<void>(cholesky.emplace(hessian));
        Positions direction(x.rows(), 3);
        direction.reshaped<Eigen::RowMajor>() = cholesky->solve(-gradient.reshaped<Eigen::RowMajor>());
        return direction;
    }
    std::optional<DoubleCholesky> cholesky{};
    std::vector<double> residuals{};  // before each step
};

Positions hanging_at_rest(int count) {
    Positions x = Positions::Zero(count, 3);
    double z = 0;
    for (int i = 0; i < count; ++i) {
        z -= HangingChain::length + (count - i) * HangingChain::weight / HangingChain::stiffness;
        x(i, 2) = z;
    }
    return x;
}

}  // namespace

TEST_CASE("Newton's method finds the bottom of a bowl in one step") {
    Bowl bowl{cloth_matrix(400, grid_edges(20, 20)), random_positions(400, 1)};
    Positions x = random_positions(400, 2);
    const NewtonMinimiserReport report = minimise_newton(bowl, x);
    CHECK(report.converged());
    CHECK(report.iterations == 1);
    CHECK((x - bowl.center).norm() < 1e-12 * bowl.center.norm());
}

TEST_CASE("Newton's method has nothing to do where the gradient is zero or all rounding") {
    Bowl bowl{cloth_matrix(9, grid_edges(3, 3)), random_positions(9, 1)};
    Positions x = bowl.center;
    CHECK(minimise_newton(bowl, x).converged());
    CHECK(x == bowl.center);
    x.array() += 1e-9;
    const NewtonMinimiserReport report = minimise_newton(bowl, x, {.rounding = 1e-6});
    CHECK(report.converged());
    CHECK(report.iterations == 0);
}

TEST_CASE("Newton's method finds the end of a bent valley") {
    Valley valley;
    VectorX x = Eigen::Vector2d(-1.2, 1);
    const NewtonMinimiserReport report = minimise_newton(valley, x, {.tolerance = 1e-14});
    CHECK(report.converged());
    CHECK(report.iterations < 30);
    CHECK((x - VectorX::Ones(2)).norm() < 1e-12);
}

TEST_CASE("Newton's method lets a tangled chain of springs hang as its weights say") {
    HangingChain chain;
    const Positions expected = hanging_at_rest(40);
    Positions x = expected + 0.3 * random_positions(40, 4);
    CHECK(minimise_newton(chain, x, {.tolerance = 1e-12}).converged());
    CHECK((x - expected).cwiseAbs().maxCoeff() < 1e-9);
}

TEST_CASE("Newton's method squares the residual with every step near the minimum") {
    HangingChain chain;
    Positions x = hanging_at_rest(40) + 0.01 * random_positions(40, 4);
    const NewtonMinimiserReport report = minimise_newton(chain, x, {.tolerance = 1e-12});
    std::vector<double>& r = chain.residuals;
    r.push_back(report.residual);
    CHECK(r.size() >= 5);
    for (size_t k = 1; k + 1 < r.size(); ++k) CHECK(r[k + 1] < 20 * r[k] * r[k]);
}

TEST_CASE("Newton's method stops after its last iteration and reports the residual there") {
    Valley valley;
    VectorX x = Eigen::Vector2d(-1.2, 1);
    const double start = valley.gradient(x).norm();
    const NewtonMinimiserReport report = minimise_newton(valley, x, {.max_iterations = 3});
    CHECK(report.outcome == NewtonOutcome::OutOfIterations);
    CHECK(report.iterations == 3);
    CHECK(report.residual == doctest::Approx(valley.gradient(x).norm() / start));
}

TEST_CASE("Newton's method goes no step along a direction that leads uphill or is not a number") {
    const VectorX start = Eigen::Vector2d(-1.2, 1);
    for (const double factor : {1.0, 0.0, std::numeric_limits<double>::quiet_NaN()}) {
        AlongGradient wrong{.factor = factor};
        VectorX x = start;
        const NewtonMinimiserReport report = minimise_newton(wrong, x);
        CHECK(report.outcome == NewtonOutcome::NotDescending);
        CHECK(!report.converged());
        CHECK(report.iterations == 0);
        CHECK(x == start);
    }
    Valley valley;
    VectorX nowhere = Eigen::Vector2d(std::numeric_limits<double>::quiet_NaN(), 0);
    CHECK(minimise_newton(valley, nowhere).outcome == NewtonOutcome::NotDescending);
}

TEST_CASE("Newton's method says so when no step lowers the value") {
    struct : Valley {
        double value(const VectorX& x) const { return -Valley::value(x); }  // at odds with the gradient
    } wrong;
    VectorX x = Eigen::Vector2d(-1.2, 1);
    const NewtonMinimiserReport report = minimise_newton(wrong, x);
    CHECK(report.outcome == NewtonOutcome::NoDecrease);
    CHECK(x == VectorX(Eigen::Vector2d(-1.2, 1)));
}

TEST_CASE("Every step of Newton's method lowers the value, even where the start is far") {
    AlongGradient steepest;
    VectorX x = Eigen::Vector2d(-1.2, 1);
    double before = steepest.value(x);
    for (int k = 0; k < 50; ++k) {
        static_cast<void>(minimise_newton(steepest, x, {.max_iterations = 1}));
        CHECK(steepest.value(x) < before);
        before = steepest.value(x);
    }
}

// SPDX-License-Identifier: Apache-2.0
#include "tulle/numerics/quadratic_program.h"

#include "tulle/core/random.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::numerics;

namespace {

// A random one that has a solution: zero keeps all constraints.
QuadraticProgram random_program(std::uint64_t seed, int n, int m) {
    Random random(seed);
    const auto fill = [&](long rows, long columns) {
        return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return random.uniform(-1, 1); }).eval();
    };
    const Eigen::MatrixXd root = fill(n, n);
    return {.quadratic = root * root.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n),
            .linear = fill(n, 1),
            .constraints = fill(m, n),
            .limits = fill(m, 1).cwiseAbs()};
}

}  // namespace

TEST_CASE("A quadratic program without binding constraints is a linear system") {
    QuadraticProgram program = random_program(1, 6, 30);
    program.limits.setConstant(1e3);
    const QuadraticProgramResult result = solve_quadratic_program(program);
    CHECK(result.converged);
    CHECK((program.quadratic * result.x + program.linear).norm() < 1e-8);
}

TEST_CASE("The solution of a quadratic program keeps the conditions of Karush, Kuhn and Tucker") {
    int binding = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const QuadraticProgram program = random_program(seed, 5, 40);
        const QuadraticProgramResult result = solve_quadratic_program(program);
        REQUIRE(result.converged);
        const VectorX slacks = program.limits - program.constraints * result.x;
        CHECK(slacks.minCoeff() > -1e-9);
        CHECK(result.multipliers.minCoeff() >= 0);
        CHECK(slacks.cwiseProduct(result.multipliers).cwiseAbs().maxCoeff() < 1e-8);
        CHECK((program.quadratic * result.x + program.linear + program.constraints.transpose() * result.multipliers)
                  .cwiseAbs()
                  .maxCoeff() < 1e-8);
        binding += static_cast<int>((result.multipliers.array() > 1e-6).count());
    }
    CHECK(binding > 10);  // else nothing was tested
}

TEST_CASE("A quadratic program whose constraints contradict each other does not converge") {
    QuadraticProgram program = random_program(1, 2, 2);
    program.constraints << 1, 0, -1, 0;
    program.limits << -1, -1;  // x ≤ −1 and x ≥ 1
    CHECK_FALSE(solve_quadratic_program(program).converged);
}

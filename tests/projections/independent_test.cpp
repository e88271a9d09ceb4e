// SPDX-License-Identifier: Apache-2.0
#include "tests/projections/support.h"
#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

#include <fmt/format.h>

#include <fstream>
#include <string>

using namespace tulle;
using namespace tulle::projections;
using namespace tulle::projections::test;

namespace {

// The cone program as plain numbers; the Python script says in which order.
void write_program(const std::filesystem::path& path, const Inextensibility& projection, const Cloth& cloth,
                   const Positions& positions, double stretch) {
    std::ofstream file(path);
    file << positions.rows() << " " << projection.edges().rows() << "\n";
    const VectorX masses = relative_masses(cloth);
    const std::vector<bool> fixed = fixed_flags(cloth);
    for (long v = 0; v < positions.rows(); ++v)
        file << fmt::format("{} {} {} {} {}\n", masses(v), int{fixed[static_cast<size_t>(v)]}, positions(v, 0),
                            positions(v, 1), positions(v, 2));
    for (long e = 0; e < projection.edges().rows(); ++e)
        file << fmt::format("{} {} {}\n", projection.edges()(e, 0), projection.edges()(e, 1),
                            (1 + stretch) * projection.rest_lengths()(e));
}

void compare(const Cloth& cloth, const Positions& positions) {
    const tulle::test::TemporaryFolder folder;
    const Inextensibility projection(cloth, {.stretch = 0.01, .tolerance = 1e-8});
    const Projected projected = projection.apply(positions);
    REQUIRE(projected.report.solved);
    write_program(folder / "program.txt", projection, cloth, positions, 0.01);
    const tulle::test::Outcome outcome =
        tulle::test::run_python("projections/solve_with_cvxopt.py", (folder / "program.txt").string());
    CAPTURE(outcome.output);
    REQUIRE(outcome.exit_code == 0);
    const double expected = std::stod(outcome.output);
    CHECK(projected.report.objective == doctest::Approx(expected).epsilon(1e-6));
}

}  // namespace

TEST_CASE("CVXOPT finds the same objective of the cone program") {
    const Tube tube = make_tube(14, 9);
    for (const std::uint64_t seed : {1, 2, 3})
        compare(tube_cloth(tube), deform(tube, {.shrink = 1, .waves = 0.01, .noise = 0.1}, seed));
}

TEST_CASE("CVXOPT finds the same objective with fixed vertices") {
    const Tube tube = make_tube(14, 9);
    const Positions positions = deform(tube, {.shrink = 1.05, .waves = 0.005, .noise = 0.05});
    compare(tube_cloth(tube, {0, 5, 80}), positions);
}

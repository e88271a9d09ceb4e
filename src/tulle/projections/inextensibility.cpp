// SPDX-License-Identifier: Apache-2.0
#include "tulle/projections/inextensibility.h"

#include "tulle/core/error.h"
#include "tulle/projections/edge_limits.h"

#include <algorithm>
#include <cmath>

namespace tulle::projections {

namespace {

// Shorter edges than this, relative to the mean, are measured by it: nothing could say how long one of no length is.
constexpr double shortest_measure = 1e-3;
// Multipliers below this, relative to the largest, count as none: their edges are about to let go.
constexpr double smallest_multiplier = 1e-9;
constexpr int most_turns = 20;  // of the planes that hold edges apart

VectorX lengths_of(const Edges& edges, const Positions& positions) {
    VectorX lengths(edges.rows());
    for (long e = 0; e < edges.rows(); ++e)
        lengths(e) = (positions.row(edges(e, 0)) - positions.row(edges(e, 1))).norm();
    return lengths;
}

std::vector<int> edges_with_a_free_end(const Edges& edges, const std::vector<bool>& fixed) {
    std::vector<int> found;
    for (int e = 0; e < edges.rows(); ++e)
        if (!fixed[static_cast<size_t>(edges(e, 0))] || !fixed[static_cast<size_t>(edges(e, 1))]) found.push_back(e);
    return found;
}

VectorX mobilities(const Cloth& cloth) {
    VectorX mobility = relative_masses(cloth).cwiseInverse();
    for (const int v : cloth.fixed) mobility(v) = 0;
    return mobility;
}

void check(const InextensibilitySettings& settings) {
    if (!(settings.stretch >= 0) || !std::isfinite(settings.stretch))
        throw Error("the stretch that is allowed is {}; it must not be negative", settings.stretch);
    if (settings.compression && !(*settings.compression >= 0 && *settings.compression <= 1))
        throw Error("the compression that is allowed is {}; it must be from 0 to 1", *settings.compression);
    if (!(settings.tolerance > 0) || settings.max_iterations < 0)
        throw Error("a tolerance must be positive and a number of iterations not negative");
}

// The checked cloth, so that nothing is made of one that is not sound.
const Cloth& checked(const Cloth& cloth, const InextensibilitySettings& settings) {
    check(cloth);
    check(settings);
    return cloth;
}

}  // namespace

struct Inextensibility::Solved : EdgeLimitSolution {};

Inextensibility::Inextensibility(const Cloth& cloth, const InextensibilitySettings& settings)
    : cloth_(checked(cloth, settings)),
      settings_(settings),
      edges_(edges_of(cloth.triangles)),
      rest_lengths_(lengths_of(edges_, cloth.rest_positions)),
      free_edges_(edges_with_a_free_end(edges_, fixed_flags(cloth))),
      free_ends_(edges_(free_edges_, Eigen::all)),
      free_lengths_(rest_lengths_(free_edges_)),
      mean_length_(rest_lengths_.size() > 0 && rest_lengths_.mean() > 0 ? rest_lengths_.mean() : 1),
      mobility_(mobilities(cloth)),
      reach_(free_ends_, free_lengths_, fixed_flags(cloth)),
      system_(edges_, relative_masses(cloth), fixed_flags(cloth)) {
    measures_ = free_lengths_.cwiseMax(shortest_measure * mean_length_);
}

VectorX Inextensibility::limits(const Positions& positions, double& pin_stretch) const {
    const double allowed = 1 + settings_.stretch;
    VectorX limits = allowed * free_lengths_;
    if (cloth_.fixed.size() < 2) return limits;
    const VectorX needed = reach_.needed_stretch(positions);
    for (long e = 0; e < limits.size(); ++e) {
        // A little more than the pins ask for, because cloth that is taut everywhere takes for ever to find.
        const double raised = needed(e) * (1 + settings_.stretch / 4);
        if (needed(e) <= 1 || raised <= allowed) continue;
        limits(e) = raised * free_lengths_(e);
        pin_stretch = std::max(pin_stretch, raised / allowed);
    }
    return limits;
}

Inextensibility::Solved Inextensibility::solve(const Positions& targets, const VectorX& limits,
                                               const ApplyOptions& options) const {
    Rows<double, 3> start = Rows<double, 3>::Zero(free_ends_.rows() + static_cast<long>(options.planes.size()), 3);
    if (options.previous && options.previous->multipliers.rows() >= free_ends_.rows())
        start.topRows(free_ends_.rows()) = options.previous->multipliers.topRows(free_ends_.rows());
    return {solve_edge_limits(
        {.edges = free_ends_,
         .mobility = mobility_,
         .targets = targets,
         .limits = limits,
         .lengths = measures_,
         .planes = options.planes,
         .plane_length = mean_length_,
         .start = &start},
        {.gap = settings_.tolerance, .violation = settings_.tolerance, .max_iterations = settings_.max_iterations})};
}

// Sequential convex programming: |d| ≥ b is replaced by n·d ≥ b with the direction n that the edge last had. What keeps
// to the plane keeps to the sphere, so every solution is admissible, and each is as near to r̂ as the one before.
Inextensibility::Solved Inextensibility::solve_between(const Positions& targets, const VectorX& limits,
                                                       const ApplyOptions& options) const {
    Solved solved;
    LowerLimits lower{Positions(free_ends_.rows(), 3), (1 - *settings_.compression) * free_lengths_};
    Positions before = targets;
    Rows<double, 3> start = Rows<double, 3>::Zero(free_ends_.rows() + static_cast<long>(options.planes.size()), 3);
    int iterations = 0;
    for (int turn = 0; turn < most_turns; ++turn) {
        for (long e = 0; e < free_ends_.rows(); ++e) {
            Vector3 d = before.row(free_ends_(e, 0)) - before.row(free_ends_(e, 1));
            if (d.norm() == 0)
                d = cloth_.rest_positions.row(free_ends_(e, 0)) - cloth_.rest_positions.row(free_ends_(e, 1));
            lower.directions.row(e) = d.norm() > 0 ? Vector3(d.normalized()) : Vector3::UnitX();
        }
        solved = {solve_edge_limits({.edges = free_ends_,
                                     .mobility = mobility_,
                                     .targets = targets,
                                     .limits = limits,
                                     .lengths = measures_,
                                     .planes = options.planes,
                                     .plane_length = mean_length_,
                                     .lower = &lower,
                                     .start = &start},
                                    {.gap = settings_.tolerance,
                                     .violation = settings_.tolerance,
                                     .max_iterations = settings_.max_iterations})};
        iterations += solved.iterations;
        const double moved = (solved.positions - before).cwiseAbs().maxCoeff();
        if (!solved.converged || moved <= settings_.tolerance * mean_length_) break;
        before = solved.positions;
        start = solved.multipliers;
    }
    solved.iterations = iterations;
    return solved;
}

Projected Inextensibility::apply(const Positions& positions, const ApplyOptions& options) const {
    check_positions(cloth_, positions);
    Projected projected{.input = positions};
    projected.planes.assign(options.planes.begin(), options.planes.end());
    // Near the origin numbers are finer.
    const Eigen::RowVector3d center = positions.colwise().mean();
    ApplyOptions centered = options;
    std::vector<ContactPlane> planes = projected.planes;
    for (ContactPlane& plane : planes) plane.offset -= plane.normal.dot(center.transpose());
    centered.planes = planes;
    const Positions targets = positions.rowwise() - center;
    const VectorX limits = this->limits(positions, projected.report.pin_stretch);
    Solved solved = settings_.compression ? solve_between(targets, limits, centered) : solve(targets, limits, centered);
    ProjectionReport& report = projected.report;
    report.solved = solved.converged;
    report.iterations = solved.iterations;
    report.gap = solved.gap;
    report.violation = solved.violation;
    report.objective = solved.objective;
    if (!solved.positions.allFinite() || !solved.multipliers.allFinite()) {
        solved.positions = targets;
        solved.multipliers.setZero();
        report.solved = false;
        report.problem = "the numbers left what can be computed with; the positions are as they were";
    } else if (!report.solved) {
        report.problem =
            fmt::format("not within tolerance after {} iterations: duality gap {:.1e}, an edge {:.1e} too long",
                        report.iterations, report.gap, report.violation);
    }
    // What did not move keeps its bits.
    projected.positions = positions;
    for (long v = 0; v < positions.rows(); ++v)
        if (solved.positions.row(v) != targets.row(v)) projected.positions.row(v) = solved.positions.row(v) + center;
    projected.multipliers = std::move(solved.multipliers);
    return projected;
}

Gradients Inextensibility::adjoint(const Projected& projected, const Positions& gradient) const {
    check_positions(cloth_, gradient);
    std::vector<ActiveConstraint> active;
    double smallest = 0;
    for (const auto row : projected.multipliers.rowwise())
        smallest = std::max(smallest, smallest_multiplier * row.norm());
    const auto multiplier = [&](long row) { return Vector3(projected.multipliers.row(row)); };
    for (long e = 0; e < free_ends_.rows(); ++e) {
        const int a = free_ends_(e, 0), b = free_ends_(e, 1);
        const Vector3 d = projected.positions.row(a) - projected.positions.row(b);
        const double length = d.norm();
        if (!(multiplier(e).norm() > smallest)) continue;
        if (free_lengths_(e) == 0) {  // both ends are in one place, in every direction
            for (int c = 0; c < 3; ++c) active.push_back({a, b, Vector3::Unit(c), multiplier(e)(c), 0});
            continue;
        }
        if (length == 0) continue;
        active.push_back({a, b, d / length, multiplier(e).dot(d) / length, length});
    }
    for (size_t p = 0; p < projected.planes.size(); ++p) {
        const ContactPlane& plane = projected.planes[p];
        const double pull = multiplier(free_ends_.rows() + static_cast<long>(p)).norm();
        if (pull > smallest) active.push_back({plane.vertex, -1, -plane.normal, pull, 0});
    }
    Gradients gradients;
    gradients.report.active = static_cast<int>(active.size());
    Saddle saddle;
    try {
        saddle = system_.solve(active, gradient, gradients.report.singular);
    } catch (const Error&) {
        // Only lower limits push, and only what pushes can make the matrix indefinite.
        for (ActiveConstraint& one : active) one.multiplier = std::max(0.0, one.multiplier);
        gradients.report.definite = false;
        saddle = system_.solve(active, gradient, gradients.report.singular);
    }
    gradients.report.residual = saddle.residual;
    gradients.report.solved = saddle.residual < 1e-8;
    gradients.positions = relative_masses(cloth_).asDiagonal() * saddle.motion;
    // A fixed vertex is where it is put, and pulls on the others.
    const Positions forces = system_.forces_on_fixed(active, saddle);
    for (const int v : cloth_.fixed) gradients.positions.row(v) = gradient.row(v) - forces.row(v);
    return gradients;
}

}  // namespace tulle::projections

// SPDX-License-Identifier: Apache-2.0
#include "tulle/projections/edge_limits.h"

#include <algorithm>
#include <cmath>

namespace tulle::projections {

namespace {

// How near to its limit, relative to it, an edge takes part: less and less as the rounds go on.
constexpr double first_margin = 0.02, last_margin = 5e-3;
constexpr int round_iterations = 32;
constexpr int all_after = 5000;  // iterations after which all edges take part, lest they come and go for ever

// Part of a problem, with its own numbers of vertices.
struct WorkingSet {
    std::vector<int> edges;     // of the whole problem
    std::vector<int> vertices;  // likewise
    Edges ends;
    VectorX mobility, limits, lengths;
    Positions targets;
    std::vector<ContactPlane> planes;  // all of them
    LowerLimits lower;
    AscentLayout layout;
};

bool takes_part(const EdgeLimitProblem& problem, const EdgeLimitSolution& solution, double margin, long e) {
    if (solution.multipliers.row(e).squaredNorm() > 0) return true;
    const Vector3 d = solution.positions.row(problem.edges(e, 0)) - solution.positions.row(problem.edges(e, 1));
    const double near = (1 - margin) * problem.limits(e);
    if (d.squaredNorm() >= near * near) return true;
    return problem.lower &&
           problem.lower->directions.row(e).dot(d) <= problem.lower->lengths(e) + margin * problem.limits(e);
}

void number_vertices(const EdgeLimitProblem& problem, WorkingSet& set) {
    std::vector<int> numbers(static_cast<size_t>(problem.mobility.size()), -1);
    for (const int e : set.edges)
        for (const int k : {0, 1}) numbers[static_cast<size_t>(problem.edges(e, k))] = 0;
    for (const ContactPlane& plane : problem.planes) numbers[static_cast<size_t>(plane.vertex)] = 0;
    for (size_t v = 0; v < numbers.size(); ++v) {
        if (numbers[v] < 0) continue;
        numbers[v] = static_cast<int>(set.vertices.size());
        set.vertices.push_back(static_cast<int>(v));
    }
    set.ends.resize(static_cast<long>(set.edges.size()), 2);
    for (size_t i = 0; i < set.edges.size(); ++i)
        for (const int k : {0, 1})
            set.ends(static_cast<long>(i), k) = numbers[static_cast<size_t>(problem.edges(set.edges[i], k))];
    for (const ContactPlane& plane : problem.planes)
        set.planes.push_back({numbers[static_cast<size_t>(plane.vertex)], plane.normal, plane.offset});
}

// Edges within `margin` of their limits.
WorkingSet choose(const EdgeLimitProblem& problem, const EdgeLimitSolution& solution, double margin) {
    WorkingSet set;
    for (int e = 0; e < problem.edges.rows(); ++e)
        if (takes_part(problem, solution, margin, e)) set.edges.push_back(e);
    number_vertices(problem, set);
    set.mobility = problem.mobility(set.vertices);
    set.targets = problem.targets(set.vertices, Eigen::all);
    set.limits = problem.limits(set.edges);
    set.lengths = problem.lengths(set.edges);
    if (problem.lower)
        set.lower = {problem.lower->directions(set.edges, Eigen::all), problem.lower->lengths(set.edges)};
    set.layout = make_layout(set.ends, set.mobility, set.planes);
    return set;
}

Multipliers gather(const WorkingSet& set, const Rows<double, 3>& whole) {
    Multipliers rows = Multipliers::Zero(set.layout.rows(), 4);
    for (size_t i = 0; i < set.edges.size(); ++i) rows.row(static_cast<long>(i)).head<3>() = whole.row(set.edges[i]);
    rows.bottomLeftCorner(set.layout.planes, 3) = whole.bottomRows(set.layout.planes);
    return rows;
}

void scatter(const WorkingSet& set, const Multipliers& rows, Rows<double, 3>& whole) {
    for (size_t i = 0; i < set.edges.size(); ++i) whole.row(set.edges[i]) = rows.row(static_cast<long>(i)).head<3>();
    whole.bottomRows(set.layout.planes) = rows.bottomLeftCorner(set.layout.planes, 3);
}

void take(const WorkingSet& set, const AscentSolution& part, EdgeLimitSolution& whole) {
    scatter(set, part.state.multipliers, whole.multipliers);
    for (size_t i = 0; i < set.vertices.size(); ++i)
        whole.positions.row(set.vertices[i]) = part.positions.row(static_cast<long>(i));
    whole.iterations += part.iterations;
    whole.objective = part.objective;
    whole.gap = part.gap;
}

AscentProblem part_of(const EdgeLimitProblem& problem, const WorkingSet& set, const AscentState& state) {
    return {.targets = set.targets,
            .limits = set.limits,
            .lengths = set.lengths,
            .planes = set.planes,
            .plane_length = problem.plane_length,
            .lower = problem.lower ? &set.lower : nullptr,
            .start = &state};
}

// Whether an edge outside has come near to its limit, or the set is far larger than it need be.
bool is_outgrown(const EdgeLimitProblem& problem, const EdgeLimitSolution& solution, double margin,
                 const WorkingSet& set) {
    size_t needed = 0;
    auto member = set.edges.begin();
    for (int e = 0; e < problem.edges.rows(); ++e) {
        const bool inside = member != set.edges.end() && *member == e;
        if (inside) ++member;
        if (takes_part(problem, solution, inside ? margin : margin / 2, e)) {
            if (!inside) return true;
            ++needed;
        }
    }
    return needed + needed / 4 < set.edges.size();
}

// Of all edges, those that took no part included.
double worst_violation(const EdgeLimitProblem& problem, const Positions& positions, double of_part) {
    double worst = of_part;
    for (long e = 0; e < problem.edges.rows(); ++e) {
        const Vector3 d = positions.row(problem.edges(e, 0)) - positions.row(problem.edges(e, 1));
        double excess = d.norm() - problem.limits(e);
        if (problem.lower)
            excess = std::max(excess, problem.lower->lengths(e) - problem.lower->directions.row(e).dot(d));
        worst = std::max(worst, excess / problem.lengths(e));
    }
    return worst;
}

}  // namespace

EdgeLimitSolution solve_edge_limits(const EdgeLimitProblem& problem, const AscentSettings& settings) {
    EdgeLimitSolution solution;
    solution.positions = problem.targets;
    const long rows = problem.edges.rows() + static_cast<long>(problem.planes.size());
    solution.multipliers = problem.start ? *problem.start : Rows<double, 3>(Rows<double, 3>::Zero(rows, 3));
    Rows<double, 3> leads = solution.multipliers;
    AscentSettings round = settings;
    AscentState state;
    double margin = first_margin;
    WorkingSet set = choose(problem, solution, margin);
    while (true) {
        state.multipliers = gather(set, solution.multipliers);
        state.leads = gather(set, leads);
        round.max_iterations = std::min(settings.max_iterations - solution.iterations, round_iterations);
        AscentSolution part = ascend_dual(set.layout, part_of(problem, set, state), round);
        take(set, part, solution);
        scatter(set, part.state.leads, leads);
        state = std::move(part.state);
        solution.violation = worst_violation(problem, solution.positions, part.violation);
        solution.converged = part.converged && solution.violation <= settings.violation;
        if (solution.converged || solution.iterations >= settings.max_iterations || !std::isfinite(part.objective))
            return solution;
        margin = solution.iterations > all_after ? 1 : std::max(last_margin, margin / 2);
        if (is_outgrown(problem, solution, margin, set)) set = choose(problem, solution, margin);
    }
}

}  // namespace tulle::projections

// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/xpbd.h"

#include "tulle/core/parallel.h"
#include "tulle/physics/damped_springs.h"

#include <algorithm>

namespace tulle::physics {

namespace {

// Greedy colouring in order: elements of one colour share no vertex.
template <int Corners>
std::vector<std::vector<int>> color(const Rows<int, Corners>& elements, int vertex_count) {
    std::vector<std::vector<int>> colors;
    std::vector<std::vector<bool>> taken;  // by colour, by vertex
    for (int e = 0; e < elements.rows(); ++e) {
        const auto vertices = elements.row(e);
        const auto fits = [&](const std::vector<bool>& used) {
            return std::none_of(vertices.begin(), vertices.end(), [&](int v) { return used[static_cast<size_t>(v)]; });
        };
        const auto free = std::find_if(taken.begin(), taken.end(), fits);
        const auto chosen = static_cast<size_t>(free - taken.begin());
        if (chosen == taken.size()) {
            taken.emplace_back(static_cast<size_t>(vertex_count), false);
            colors.emplace_back();
        }
        for (const int v : vertices) taken[chosen][static_cast<size_t>(v)] = true;
        colors[chosen].push_back(e);
    }
    return colors;
}

template <typename Solve>
void solve_by_color(const std::vector<std::vector<int>>& colors, const Solve& solve) {
    for (const std::vector<int>& elements : colors)
        parallel_for(static_cast<long>(elements.size()), [&](long i) { solve(elements[static_cast<size_t>(i)]); });
}

}  // namespace

Xpbd::Xpbd(const ClothModel& model, const World& world, ForceList forces, const XpbdSettings& settings)
    : Solver(model, world, std::move(forces)),
      settings_(settings),
      spring_colors_(color(model.springs.edges, model.vertex_count())),
      hinge_colors_(color(model.hinges.vertices, model.vertex_count())) {}

void Xpbd::step(ClothState& state, double dt, StepReport& report) {
    Stopwatch watch;
    Positions positions = inertial_positions(state, dt);
    report.stages["forces"] += watch.lap();
    rest_lengths_ = effective_rest_lengths(model_.springs, state.positions, dt);
    stiffness_ = effective_stiffness(model_.springs, dt);
    spring_multipliers_ = VectorX::Zero(model_.springs.count());
    hinge_multipliers_ = Positions::Zero(model_.hinges.count(), 3);
    for (report.iterations = 0; report.iterations < settings_.iterations; ++report.iterations) {
        solve_by_color(spring_colors_, [&](int e) { solve_spring(e, positions, dt); });
        solve_by_color(hinge_colors_, [&](int h) { solve_hinge(h, positions, dt); });
    }
    report.stages["constraints"] += watch.lap();
    complete(state, std::move(positions), dt, report);
}

// Macklin et al. 2016, equation 18: Δλ = (−C − α̃λ) / (Σ wᵢ|∇ᵢC|² + α̃) with α̃ = 1/(kΔt²), then xᵢ += wᵢ ∇ᵢC Δλ.
void Xpbd::solve_spring(int spring, Positions& positions, double dt) {
    const int a = model_.springs.edges(spring, 0), b = model_.springs.edges(spring, 1);
    const Vector3 d = positions.row(a) - positions.row(b);
    const double length = d.norm();
    const double mobility = inverse_masses_(a) + inverse_masses_(b);
    if (length == 0 || mobility == 0) return;
    const double compliance = 1 / (stiffness_(spring) * dt * dt);
    double& multiplier = spring_multipliers_(spring);
    const double change = (rest_lengths_(spring) - length - compliance * multiplier) / (mobility + compliance);
    multiplier += change;
    positions.row(a) += inverse_masses_(a) * change / length * d;
    positions.row(b) -= inverse_masses_(b) * change / length * d;
}

// The same for the three constraints Σ wᵢ xᵢ = 0 of a hinge, whose gradients are the constant weights.
void Xpbd::solve_hinge(int hinge, Positions& positions, double dt) {
    const auto vertices = model_.hinges.vertices.row(hinge);
    const auto weights = model_.hinges.weights.row(hinge);
    Vector3 curvature = Vector3::Zero();
    double mobility = 0;
    for (int i = 0; i < 4; ++i) {
        curvature += weights(i) * positions.row(vertices(i));
        mobility += weights(i) * weights(i) * inverse_masses_(vertices(i));
    }
    const double compliance = 1 / (model_.hinges.stiffness(hinge) * dt * dt);
    const Vector3 multiplier = hinge_multipliers_.row(hinge);
    const Vector3 change = (-curvature - compliance * multiplier) / (mobility + compliance);
    hinge_multipliers_.row(hinge) += change;
    for (int i = 0; i < 4; ++i) positions.row(vertices(i)) += inverse_masses_(vertices(i)) * weights(i) * change;
}

}  // namespace tulle::physics

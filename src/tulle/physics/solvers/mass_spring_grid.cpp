// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/mass_spring_grid.h"

#include "tulle/core/parallel.h"
#include "tulle/physics/solvers/mass_spring.h"
#include "tulle/physics/solvers/mass_spring_reference.h"

#include <algorithm>
#include <cmath>

namespace tulle::physics {

using mass_spring::lanes;
using mass_spring::margin;

namespace {

int stride_of(const geometry::GridSize& size) { return (size.columns + lanes - 1) / lanes * lanes + 2 * margin; }

}  // namespace

std::optional<Directions> uniform_directions(const ClothModel& model) {
    const std::optional<StencilMaterial> material = uniform_material(model);
    if (!material || model.grid->columns > mass_spring::most_columns) return std::nullopt;
    Directions directions{};
    for (size_t i = 0; i < directions.size(); ++i)
        directions[i] = {.rows = stencil_offsets[i][0],
                         .columns = stencil_offsets[i][1],
                         .stiffness = static_cast<float>(material->stiffness[i]),
                         .pull = static_cast<float>(material->stiffness[i] * material->rest_lengths[i]),
                         .damping = static_cast<float>(material->damping[i]),
                         .softening = no_softening};
    return directions;
}

std::optional<KernelForces> kernel_forces(const ClothModel& model, const ForceList& forces) {
    KernelForces known;
    const auto take = [](const auto*& place, const Force* force) {
        if (place) return false;
        place = dynamic_cast<std::remove_reference_t<decltype(place)>>(force);
        return place != nullptr;
    };
    for (const auto& force : forces)
        if (!take(known.gravity, force.get()) && !take(known.wind, force.get()) && !take(known.pressure, force.get()) &&
            !take(known.grabs, force.get()))
            return std::nullopt;
    if ((known.wind || known.pressure) && has_holes(model)) return std::nullopt;
    return known;
}

MassSpringGrid::MassSpringGrid(const ClothModel& model, const World& world, ForceList forces,
                               const Directions& directions, mass_spring::Kernel kernel, std::string note)
    : Solver(model, world, std::move(forces)),
      note_(std::move(note)),
      kernel_forces_(kernel_forces(model, force_list()).value()),
      kernel_(kernel),
      size_(*model.grid),
      array_size_(static_cast<size_t>(size_.rows + 2) * static_cast<size_t>(stride_of(size_))),
      inverse_mass_array_(array_size_),
      buffers_{numerics::AlignedArray<double>(6 * array_size_), numerics::AlignedArray<double>(6 * array_size_)},
      grid_{size_.rows, size_.columns, stride_of(size_), {}, inverse_mass_array_.data(), {}, {}} {
    std::copy(directions.begin(), directions.end(), grid_.directions);
    for (int v = 0; v < model.vertex_count(); ++v)
        inverse_mass_array_.data()[place(v)] = static_cast<float>(inverse_masses_(v));
    for (int shift = -1; shift <= 2; ++shift) {
        auto& exists = column_exists_[static_cast<size_t>(shift + 1)];
        exists = numerics::AlignedArray<float>(static_cast<size_t>(grid_.stride));
        for (int c = std::max(0, -shift); c < std::min(size_.columns, size_.columns - shift); ++c)
            exists.data()[margin + c] = 1;
        grid_.column_exists[shift + 1] = exists.data();
    }
    if (has_holes(model)) mark_neighbours(*stencil_neighbours(model));
    for (int g = 0; g < static_cast<int>(model.pins.size()); ++g)
        for (const int v : model.pins[static_cast<size_t>(g)].vertices) pins_.push_back({v, g});
    std::sort(pins_.begin(), pins_.end(), [](const Pin& a, const Pin& b) { return a.vertex < b.vertex; });
}

void MassSpringGrid::mark_neighbours(const std::vector<Neighbours>& neighbours) {
    for (size_t i = 0; i < stencil_directions; ++i) {
        neighbour_exists_[i] = numerics::AlignedArray<float>(array_size_);
        for (size_t v = 0; v < neighbours.size(); ++v)
            if (neighbours[v][2 * i] >= 0) neighbour_exists_[i].data()[place(static_cast<int>(v))] = 1;
        grid_.neighbour_exists[i] = neighbour_exists_[i].data();
    }
}

StepReport MassSpringGrid::advance(ClothState& state, double dt, int steps) {
    if (needs_contacts()) return Solver::advance(state, dt, steps);
    StepReport report;
    const Stopwatch watch;
    for (int done = 0; is_held() && done < steps; ++done) {
        run_held(state, dt);
    }
    if (!is_held()) run(state, dt, steps);
    report.stages["steps"] = watch.milliseconds();
    require_finite(state);
    return report;
}

void MassSpringGrid::step(ClothState& state, double dt, StepReport& report) {
    const Stopwatch watch;
    ClothState next = state;
    if (is_held())
        run_held(next, dt);
    else
        run(next, dt, 1);
    report.stages["steps"] += watch.milliseconds();
    complete(state, std::move(next.positions), dt, report);
}

bool MassSpringGrid::is_held() const { return kernel_forces_.grabs && !world_.interaction->grabs.empty(); }

// The forces of a step add up, so these may come after the others if they are taken at the start as those are.
void MassSpringGrid::run_held(ClothState& state, double dt) {
    Forces pull = Forces::Zero(state.positions.rows(), 3);
    kernel_forces_.grabs->add_to(pull, state);
    run(state, dt, 1);
    const Velocities change = dt * std::exp(-world_.drag_rate * dt) * inverse_masses_.asDiagonal() * pull;
    state.velocities += change;
    state.positions += dt * change;
}

void MassSpringGrid::run(ClothState& state, double dt, int steps) {
    load(state);
    const int threads = std::min(thread_count(), size_.rows);
#pragma omp parallel num_threads(threads)
    {
        const int team = omp_get_num_threads(), thread = omp_get_thread_num();
        run_rows(size_.rows * thread / team, size_.rows * (thread + 1) / team, state.time, dt, steps);
    }
    for (int i = 0; i < steps; ++i) state.time += dt;
    unload(state, buffer(last_buffer(steps)));
}

// A vertex depends only on the old buffer, so the split into rows does not change a bit.
void MassSpringGrid::run_rows(int begin, int end, double time, double dt, int steps) {
    numerics::AlignedArray<float> scratch(mass_spring::scratch_rows * static_cast<size_t>(grid_.stride));
    for (int i = 0; i < steps; ++i, time += dt) {
        const mass_spring::State now = buffer((i + 1) % 2);
        kernel_(grid_, air_at(time, dt), dt, buffer(i % 2), now, scratch.data(), begin, end);
        place_pins_of_rows(begin, end, time + dt, dt, now);
        barrier_.wait();
    }
}

void MassSpringGrid::place_pins_of_rows(int begin, int end, double time, double dt,
                                        const mass_spring::State& now) const {
    const auto before = [](const Pin& pin, int vertex) { return pin.vertex < vertex; };
    const auto first = std::lower_bound(pins_.begin(), pins_.end(), begin * size_.columns, before);
    const auto last = std::lower_bound(pins_.begin(), pins_.end(), end * size_.columns, before);
    std::vector<Eigen::Isometry3d> transforms;
    if (first != last)
        for (const PinGroup& group : model_.pins) transforms.push_back(group.motion.at(time));
    for (auto pin = first; pin != last; ++pin) {
        const Vector3 target =
            transforms[static_cast<size_t>(pin->group)] * Vector3(model_.start_positions.row(pin->vertex));
        const size_t at = place(pin->vertex);
        for (int i = 0; i < 3; ++i) {
            now.velocities[i][at] = (target[i] - now.positions[i][at]) / dt;
            now.positions[i][at] = target[i];
        }
    }
}

mass_spring::Air MassSpringGrid::air_at(double time, double dt) const {
    mass_spring::Air air{};
    const auto& [gravity, wind, pressure, grabs] = kernel_forces_;
    for (int i = 0; gravity && i < 3; ++i) air.gravity[i] = static_cast<float>(gravity->acceleration()[i]);
    if (pressure) air.pressure = static_cast<float>(pressure->pressure());
    air.drag_factor = std::exp(-world_.drag_rate * dt);
    air.blows = wind != nullptr;
    if (wind) {
        const Vector3 velocity = wind->velocity_at(time);
        for (int i = 0; i < 3; ++i) air.wind[i] = static_cast<float>(velocity[i]);
        air.normal = static_cast<float>(wind->settings().normal);
        air.tangential = static_cast<float>(wind->settings().tangential);
    }
    return air;
}

mass_spring::State MassSpringGrid::buffer(int index) {
    mass_spring::State state{};
    double* data = buffers_[static_cast<size_t>(index)].data();
    for (size_t i = 0; i < 3; ++i) {
        state.positions[i] = data + i * array_size_;
        state.velocities[i] = data + (3 + i) * array_size_;
    }
    return state;
}

size_t MassSpringGrid::place(int vertex) const {
    return static_cast<size_t>(vertex / size_.columns) * static_cast<size_t>(grid_.stride) +
           static_cast<size_t>(margin + vertex % size_.columns);
}

void MassSpringGrid::load(const ClothState& state) {
    const mass_spring::State first = buffer(0);
    parallel_for(size_.rows, [&](long row) {
        long v = row * size_.columns;
        const size_t begin = place(static_cast<int>(v));
        for (size_t at = begin; at < begin + static_cast<size_t>(size_.columns); ++at, ++v)
            for (int i = 0; i < 3; ++i) {
                first.positions[i][at] = state.positions(v, i);
                first.velocities[i][at] = state.velocities(v, i);
            }
    });
}

void MassSpringGrid::unload(ClothState& state, const mass_spring::State& buffer) const {
    parallel_for(size_.rows, [&](long row) {
        long v = row * size_.columns;
        const size_t begin = place(static_cast<int>(v));
        for (size_t at = begin; at < begin + static_cast<size_t>(size_.columns); ++at, ++v)
            for (int i = 0; i < 3; ++i) {
                state.positions(v, i) = buffer.positions[i][at];
                state.velocities(v, i) = buffer.velocities[i][at];
            }
    });
}

std::unique_ptr<Stepper> make_mass_spring(const ClothModel& model, const World& world, ForceList forces,
                                          const MassSpringSettings& settings) {
    const auto directions = uniform_directions(model);
    if (!directions || settings.reference)
        return std::make_unique<MassSpringReference>(model, world, std::move(forces));
    if (!kernel_forces(model, forces))
        return std::make_unique<MassSpringReference>(
            model, world, std::move(forces),
            "a force acts that the fast mass_spring does not know here, so its plain twin runs, which is slower");
    return std::make_unique<MassSpringGrid>(model, world, std::move(forces), *directions, mass_spring::best_kernel());
}

// Semi-implicit Euler is stable for Δt ≤ 2/ω; with dashpots the damping ratio ζ shortens that to
// 2/ω (√(1 + ζ²) − ζ). ω² and 2ζω are bounded by Gershgorin's circles: twice what is attached, per mass.
double stable_explicit_step(const ClothModel& model) {
    VectorX stiffness = VectorX::Zero(model.vertex_count());
    VectorX damping = VectorX::Zero(model.vertex_count());
    for (long e = 0; e < model.springs.count(); ++e) {
        for (const int v : model.springs.edges.row(e)) {
            stiffness(v) += 2 * model.springs.stiffness(e);
            damping(v) += 2 * model.springs.damping(e);
        }
    }
    for (long h = 0; h < model.hinges.count(); ++h) {
        const double total = model.hinges.weights.row(h).cwiseAbs().sum();
        for (int i = 0; i < 4; ++i)
            stiffness(model.hinges.vertices(h, i)) +=
                model.hinges.stiffness(h) * std::abs(model.hinges.weights(h, i)) * total;
    }
    const double omega_squared = stiffness.cwiseQuotient(model.masses).maxCoeff();
    const double decay = damping.cwiseQuotient(model.masses).maxCoeff();  // 2ζω
    constexpr double safety = 0.9;
    // 2/ω (√(1 + ζ²) − ζ) = 4 / (√(4ω² + (2ζω)²) + 2ζω), which also holds without springs or without dashpots
    return safety * 4 / std::max(std::sqrt(4 * omega_squared + decay * decay) + decay, 1e-9);
}

}  // namespace tulle::physics

// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/collider_pressure.h"

#include "tulle/core/error.h"

#include <cstring>

namespace tulle::physics {

namespace {

// New contacts are looked for at the first correction and then at every fourth; the others follow those there are.
constexpr int corrections_per_search = 4;

}  // namespace

ColliderPressure::ColliderPressure(const ClothModel& model, const World& world, const VectorX& inverse_masses)
    : world_(world),
      inverse_masses_(inverse_masses),
      forces_(model.mesh.positions, model.mesh.triangles, inverse_masses),
      stiffness_(model, inverse_masses) {}

void ColliderPressure::begin(const ClothState& state, double dt) {
    if (state.time != time_) forces_.clear();  // not the state that the last step left behind
    forces_.let_go();
    colliders_.emplace(*world_.colliders, state.time, dt);
    stiffness_.look(state.positions, dt);
    start_ = state.positions;
    corrections_ = 0;
}

Positions ColliderPressure::pushed(const Positions& inertial) const {
    return inertial + colliders_->dt() * colliders_->dt() * (inverse_masses_.asDiagonal() * forces_.forces());
}

Positions ColliderPressure::correct(const Positions& positions) {
    if (corrections_++ % corrections_per_search == 0) forces_.find(*colliders_, start_, positions);
    const auto give = [&](int v, const Vector3& direction, const Positions& pressed) {
        return stiffness_.give(v, direction, pressed);
    };
    return forces_.correct(*colliders_, start_, positions, give);
}

// The time, then the forces, as plain numbers.
std::vector<std::byte> ColliderPressure::memory() const {
    std::vector<double> numbers = forces_.to_numbers();
    numbers.insert(numbers.begin(), time_);
    std::vector<std::byte> bytes(sizeof(double) * numbers.size());
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

void ColliderPressure::set_memory(std::span<const std::byte> memory) {
    forces_.clear();
    if (memory.empty()) return;
    std::vector<double> numbers(memory.size() / sizeof(double));
    std::memcpy(numbers.data(), memory.data(), sizeof(double) * numbers.size());
    if (memory.size() % sizeof(double) != 0 || numbers.empty())
        throw Error("the cache holds contacts that cannot be; start again without --resume");
    time_ = numbers.front();
    forces_.from_numbers(std::span(numbers).subspan(1), world_.colliders->size());
}

}  // namespace tulle::physics

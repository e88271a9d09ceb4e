// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/numerics/sparse_cholesky.h"
#include "tulle/physics/incidence.h"
#include "tulle/physics/solvers/solver.h"

namespace tulle::physics {

// The definition of a correct `mass_spring` step, for any cloth.
class MassSpringReference final : public Solver {
public:
    // `note`: why it runs, where a user should know.
    MassSpringReference(const ClothModel& model, const World& world, ForceList forces, std::string note = {});

    std::string note() const override { return note_; }

private:
    void step(ClothState& state, double dt, StepReport& report) override;
    Forces inner_forces(const ClothState& state) const;

    std::string note_;
    Incidence springs_around_;
    numerics::SparseMatrix bending_;  // |V|×|V| [N/m]
};

}  // namespace tulle::physics

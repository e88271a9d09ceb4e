// SPDX-License-Identifier: Apache-2.0
// The rest state of a cloth of springs that zero-length springs hold near given positions
// [Geng, Johnson, Fedkiw 2020, sections 5 and 6]: neither stretched nor compressed much, and buckled where it must be.
// The energy has many minima; this goes downhill from the given positions, or from where the frame before ended.
#pragma once

#include "tulle/projections/projection.h"
#include "tulle/projections/quasistatic_energy.h"

namespace tulle::projections {

struct QuasistaticsSettings {
    double mu = 0.1;  // stiffness of the zero-length springs, relative to that of edges, of a vertex of mean mass
    QuasistaticMaterial material;
    double tolerance = 1e-6;  // ‖∇E‖ relative to that at the given positions
    int max_iterations = 300;
    Curvature adjoint = Curvature::Exact;  // the paper's is definite
    double adjoint_tolerance = 1e-8;       // of its linear system, ‖r‖ / ‖b‖
};

class Quasistatics final : public Projection {
public:
    // Throws an Error if the cloth or the settings are not sound.
    Quasistatics(const Cloth& cloth, const QuasistaticsSettings& settings = {});

    Projected apply(const Positions& positions, const ApplyOptions& options = {}) const override;
    Gradients adjoint(const Projected& projected, const Positions& gradient) const override;

    const QuasistaticEnergy& energy() const { return energy_; }

private:
    Positions solve(const BlockMatrix& matrix, const Positions& right, AdjointReport& report) const;

    Cloth cloth_;
    QuasistaticsSettings settings_;
    QuasistaticEnergy energy_;
    mutable FactorPool factors_;  // for matrices that conjugate gradients cannot take
};

}  // namespace tulle::projections

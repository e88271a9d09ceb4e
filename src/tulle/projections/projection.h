// SPDX-License-Identifier: Apache-2.0
// A projection takes positions of a cloth that stretch or crumple to near ones that do not, and carries gradients back:
//
//     const Inextensibility projection(cloth, {.stretch = 0.01});
//     const Projected mended = projection.apply(positions);
//     const Gradients gradients = projection.adjoint(mended, loss_by_mended_positions);
//
// Projections are constant after construction and may be used by several threads at once, each on its own positions.
#pragma once

#include "tulle/projections/ascent_layout.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tulle::projections {

struct [[nodiscard]] ProjectionReport {
    bool solved = true;   // to the tolerance
    std::string problem;  // one sentence if not
    int iterations = 0;
    double gap = 0;        // of inextensibility: duality gap relative to the objective
    double violation = 0;  // of inextensibility: largest excess over a limit, relative to the rest length
    double gradient = 0;   // of quasistatics: ‖∇E‖ relative to the start
    double objective =
        0;  // what was minimised: ½‖r − r̂‖² with relative masses, or the energy over the edge stiffness [m²]
    double pin_stretch = 1;  // limits were multiplied by this, because fixed vertices are too far apart for less
};

// What came out, and all that the adjoint and a warm start of the next frame need.
struct [[nodiscard]] Projected {
    Positions input;                   // |V|×3 r̂ [m]
    Positions positions;               // |V|×3 r [m]
    Rows<double, 3> multipliers;       // of inextensibility: for each edge, then each plane [m]
    std::vector<ContactPlane> planes;  // of inextensibility
    VectorX mu;                        // of quasistatics: |V| μᵢ
    std::vector<Projected> stages;     // of a chain: one for each projection
    ProjectionReport report;
};

// What may be said of one set of positions.
struct ApplyOptions {
    const Projected* previous = nullptr;        // the frame before, to start from
    std::span<const ContactPlane> planes = {};  // inextensibility keeps to them
    const VectorX* mu = nullptr;                // |V| μᵢ of quasistatics, in place of its settings'
};

struct [[nodiscard]] AdjointReport {
    bool solved = true;     // to the tolerance
    bool singular = false;  // constraints depend on each other: forces among them are chosen by least squares
    bool definite = true;   // the exact Hessian was positive definite; if not, its definite part was taken
    int active = 0;         // constraints that hold
    double residual = 0;    // of the linear system, relative
};

struct [[nodiscard]] Gradients {
    Positions positions;  // |V|×3 by r̂
    double mu = 0;        // by a common μ
    VectorX vertex_mu;    // |V| by each μᵢ; empty where there is none
    AdjointReport report;
};

class Projection {
public:
    virtual ~Projection() = default;

    // Throws an Error if a position is not finite or there is not one for every vertex.
    virtual Projected apply(const Positions& positions, const ApplyOptions& options = {}) const = 0;
    // From the gradient of something by the projected positions to its gradients by what was projected.
    virtual Gradients adjoint(const Projected& projected, const Positions& gradient) const = 0;
};

// One after the other.
class ProjectionChain final : public Projection {
public:
    explicit ProjectionChain(std::vector<std::unique_ptr<const Projection>> projections)
        : projections_(std::move(projections)) {}
    Projected apply(const Positions& positions, const ApplyOptions& options = {}) const override;
    Gradients adjoint(const Projected& projected, const Positions& gradient) const override;

private:
    std::vector<std::unique_ptr<const Projection>> projections_;
};

}  // namespace tulle::projections

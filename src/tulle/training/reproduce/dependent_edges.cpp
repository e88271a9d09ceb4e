// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/reproduce/dependent_edges.h"

#include "tulle/projections/inextensibility.h"

#include <fmt/format.h>

namespace tulle::training {

namespace {

using projections::Inextensibility;

constexpr double step =
    1e-3;  // of finite differences; long, since the long edge hardly lets go of a nearly straight chain

double loss(const Inextensibility& projection, const Positions& positions, const Positions& weights) {
    return projection.apply(positions).positions.cwiseProduct(weights).sum();
}

Positions finite_differences(const Inextensibility& projection, const Positions& positions, const Positions& weights) {
    Positions gradient(positions.rows(), 3);
    for (long v = 0; v < positions.rows(); ++v)
        for (int c = 0; c < 3; ++c) {
            Positions up = positions, down = positions;
            up(v, c) += step;
            down(v, c) -= step;
            gradient(v, c) = (loss(projection, up, weights) - loss(projection, down, weights)) / (2 * step);
        }
    return gradient;
}

}  // namespace

void dependent_edges(Page& page) {
    // Three points on a line, pulled apart at both ends.
    projections::Cloth cloth{Positions::Zero(3, 3), Triangles::Zero(1, 3), VectorX::Ones(3), {}};
    cloth.rest_positions << 0, 0, 0, 1, 0, 0, 2, 0, 0;
    cloth.triangles << 0, 1, 2;
    Positions pulled(3, 3), weights(3, 3);
    pulled << -0.5, 0, 0, 1, 0, 0, 2.5, 0, 0;
    weights << 0.3, -0.7, 0.2, 0.9, 0.4, -0.5, -0.6, 0.8, 1;
    const Inextensibility projection(cloth, {.stretch = 0, .tolerance = 1e-11, .max_iterations = 1'000'000});
    const projections::Projected projected = projection.apply(pulled);
    const projections::Gradients gradients = projection.adjoint(projected, weights);
    const double apart = (gradients.positions - finite_differences(projection, pulled, weights)).cwiseAbs().maxCoeff();
    page.heading("Figure 11: edges whose forces are not unique");
    page.text(fmt::format(
        "Three points on a line, at x = {:.6f}, {:.6f} and {:.6f} where rest lengths of 1, 1 and 2 hold them although "
        "the "
        "ends are pulled to -0.5 and 2.5: the long edge may take over any part of what both short ones carry, so the "
        "linear system of the gradient is singular. The adjoint {} so, and its gradient of a weighted sum of all "
        "coordinates is at most {:.1e} from finite differences; the largest of its numbers is {:.2f}.",
        projected.positions(0, 0), projected.positions(1, 0), projected.positions(2, 0),
        gradients.report.singular ? "says" : "does not say", apart, gradients.positions.cwiseAbs().maxCoeff()));
}

}  // namespace tulle::training

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"

#include <vector>

namespace tulle::methods {

// S y = (n y − Σ y_neighbour) / 31.25 on a grid cloth, over the n neighbours that a vertex has in the box of 5×5 around
// it. It is zero where a vertex is pinned, and so should y be. S is symmetric, its eigenvalues are in [0, 1], and it
// reaches further than the springs do at the same cost, so that polynomials of low degree are long filters.
class BoxLaplacian {
public:
    static constexpr int reach = 2;
    static constexpr double largest = 31.25;  // eigenvalue of the sum on an endless grid: 25 + 5 · 1.25

    // Throws an Error unless the cloth is a grid of the stencil's springs.
    explicit BoxLaplacian(const physics::ClothModel& model);

    const std::vector<int>& degrees() const { return degrees_; }        // |V|: n, zero where pinned
    const std::vector<unsigned char>& moves() const { return moves_; }  // |V|: neither pinned nor cut out of the cloth

    // Each column of y alone, |V|×n.
    void apply(const Eigen::MatrixXd& y, Eigen::MatrixXd& result) const;
    // Σ cⱼ Tⱼ(1 − 2S) y
    Eigen::MatrixXd polynomial(const VectorX& coefficients, const Eigen::MatrixXd& y) const;

    // The eigenvalue of the wave that turns by `a` from row to row and by `b` from column to column [rad].
    static double of_wave(double a, double b);

private:
    geometry::GridSize grid_;
    std::vector<int> degrees_;
    std::vector<unsigned char> moves_;
};

}  // namespace tulle::methods

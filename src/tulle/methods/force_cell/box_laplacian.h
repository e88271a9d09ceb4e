// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"

#include <vector>

namespace tulle::methods {

// A Laplacian of a grid cloth over boxes of 5×5: (S y)ᵢ = Σ fᵢ fⱼ (yᵢ − yⱼ) / 32 over the up to 24 others j in the box
// around i that exist. It is zero where a vertex is pinned, and so should y be. S is symmetric and its eigenvalues are
// in [0, 1]. It reaches further than the springs do at the same cost, so that polynomials of low degree are long
// filters.
//
// The scales f are 1 but near borders, where they make up for neighbours that are missing: with them a box weighs about
// 24 everywhere. Without them a polynomial of S would filter too little there, and free borders would blow up.
class BoxLaplacian {
public:
    static constexpr int reach = 2, others = 24;
    static constexpr double unit = 32;  // somewhat more than 25 + 5 · 1.25, the largest sum on an endless grid

    // Throws an Error unless the cloth is a grid of the stencil's springs.
    explicit BoxLaplacian(const physics::ClothModel& model);

    const VectorX& scales() const { return scales_; }                   // |V|: f, zero where cut out of the cloth
    const VectorX& weights() const { return weights_; }                 // |V|: Σ fᵢ fⱼ of the others in the box
    const std::vector<unsigned char>& moves() const { return moves_; }  // |V|: neither pinned nor cut out of the cloth

    bool is_held() const { return is_held_; }  // some vertex is pinned

    // Each column of y alone, |V|×n.
    void apply(const Eigen::MatrixXd& y, Eigen::MatrixXd& result) const;
    // Σ cⱼ Tⱼ(1 − 2S) y
    Eigen::MatrixXd polynomial(const VectorX& coefficients, const Eigen::MatrixXd& y) const;

    // The eigenvalue of the wave that turns by `a` from row to row and by `b` from column to column [rad].
    static double of_wave(double a, double b);

private:
    void weigh();

    geometry::GridSize grid_;
    VectorX scales_, weights_;
    std::vector<unsigned char> moves_;
    bool is_held_ = false;
};

}  // namespace tulle::methods

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/physics/stencil.h"

#include <vector>

namespace tulle::methods {

// L y = M⁻¹ Σ k (y − y_neighbour) over the stencil of a grid cloth, as if its springs pulled alike in all directions
// [1/s²]. It is zero where a vertex is pinned, and so should y be; neighbours that do not exist are left out. All
// vertices that move must be of one mass, which makes it symmetric.
class StencilLaplacian {
public:
    // Throws an Error unless the cloth is a uniform grid of one mass with diagonal springs that are alike.
    explicit StencilLaplacian(const physics::ClothModel& model);

    struct Weights {
        double row, column, diagonal, far_row, far_column;  // [1/s²]: neighbours in the same row, in the same column …
    };

    const Weights& weights() const { return weights_; }
    const std::vector<double>& degrees() const { return degrees_; }     // |V| [1/s²], zero where pinned
    const std::vector<unsigned char>& moves() const { return moves_; }  // |V|: neither pinned nor left out of the cloth
    geometry::GridSize grid() const { return grid_; }

    // At least as large as every eigenvalue, whatever is pinned or missing [1/s²].
    double largest_eigenvalue() const;

    // Each column of y alone, |V|×n.
    void apply(const Eigen::MatrixXd& y, Eigen::MatrixXd& result) const;

    // Σ cⱼ Tⱼ(1 − 2s) of y with s = scale · L.
    Eigen::MatrixXd polynomial(const VectorX& coefficients, double scale, const Eigen::MatrixXd& y) const;

private:
    geometry::GridSize grid_;
    Weights weights_{};
    std::vector<double> degrees_;
    std::vector<unsigned char> moves_;
};

}  // namespace tulle::methods

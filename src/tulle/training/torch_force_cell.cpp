// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/torch_force_cell.h"

#include "tulle/core/parallel.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

namespace tulle::training {

using methods::CellActivation;
using physics::stencil_channels;

namespace {

// One image for each component: 3×1×R×C.
at::Tensor image_of(const Rows<double, 3>& values, const geometry::GridSize& size, at::ScalarType type) {
    const Rows<double, 3>& rows = values;
    const at::Tensor flat = at::from_blob(const_cast<double*>(rows.data()), {rows.rows(), 3},  // NOLINT: no const view
                                          at::kDouble);
    return flat.t().reshape({3, 1, size.rows, size.columns}).to(type).contiguous().clone();
}

Rows<double, 3> rows_of(const at::Tensor& image) {
    const at::Tensor flat = image.detach().reshape({3, -1}).t().to(at::kDouble).contiguous();
    return Eigen::Map<const Rows<double, 3>>(flat.data_ptr<double>(), flat.size(0), 3);
}

// The network: its filters and masks, fixed, for one grid.
class TorchCell {
public:
    TorchCell(const methods::ForceCell& cell, const geometry::GridSize& size, const methods::CellGrid& grid,
              at::ScalarType type)
        : activation_(cell.activation), softening_(cell.softening) {
        filters_ = at::zeros({stencil_channels, 1, 5, 5}, at::kDouble);
        masks_ = at::zeros({stencil_channels, size.rows * size.columns}, at::kDouble);
        inverse_masses_ = at::zeros({size.rows * size.columns}, at::kDouble);
        auto filters = filters_.accessor<double, 4>();
        auto masks = masks_.accessor<double, 2>();
        auto inverse_masses = inverse_masses_.accessor<double, 1>();
        for (int c = 0; c < stencil_channels; ++c) {
            const auto& [rows, columns] = physics::stencil_offsets[static_cast<size_t>(c / 2)];
            const int side = c % 2 == 0 ? 1 : -1;
            filters[c][0][2][2] = -1;
            filters[c][0][2 + side * rows][2 + side * columns] = 1;
            for (int v = 0; v < masks.size(1); ++v)
                masks[c][v] = grid.neighbours[static_cast<size_t>(v)][static_cast<size_t>(c)] >= 0 ? 1 : 0;
        }
        for (int v = 0; v < masks.size(1); ++v) inverse_masses[v] = grid.inverse_masses(v);
        filters_ = filters_.to(type);
        masks_ = masks_.reshape({1, stencil_channels, size.rows, size.columns}).to(type);
        inverse_masses_ = inverse_masses_.reshape({1, 1, size.rows, size.columns}).to(type);
        moves_ = inverse_masses_.gt(0).to(type);
    }

    const at::Tensor& moves() const { return moves_; }

    // Equations 6 and 7; `numbers` are all 51 of the cell.
    at::Tensor accelerations(const at::Tensor& numbers, const at::Tensor& x, const at::Tensor& v) const {
        const auto branch = [&](int first) {
            return numbers.slice(0, first, first + stencil_channels).reshape({1, stencil_channels, 1, 1});
        };
        const at::Tensor phi = branch(0) * masks_ * at::conv2d(x, filters_, {}, 1, 2);
        const at::Tensor xi = branch(0) * masks_ * at::conv2d(v, filters_, {}, 1, 2);
        const at::Tensor sigma = activated(phi);
        const at::Tensor along = (xi * sigma).sum(0, /*keepdim=*/true);
        const at::Tensor force = (branch(methods::first_linear) * phi + branch(methods::first_nonlinear) * sigma +
                                  branch(methods::first_derivative) * along * sigma)
                                     .sum(1, /*keepdim=*/true);
        return inverse_masses_ * force + moves_ * numbers.slice(0, methods::first_bias).reshape({3, 1, 1, 1});
    }

private:
    at::Tensor activated(const at::Tensor& phi) const {
        if (activation_ == CellActivation::Tanh) return phi.tanh();
        if (activation_ == CellActivation::Softsign) return phi / (1 + phi.abs());
        // Where a neighbour is missing φ is zero, and so must be the answer, also without softening.
        return phi / ((phi * phi).sum(0, /*keepdim=*/true) + softening_ + (1 - masks_)).sqrt();
    }

    CellActivation activation_;
    double softening_;
    at::Tensor filters_, masks_, inverse_masses_, moves_;
};

at::Tensor numbers_of(const methods::ForceCell& cell, at::ScalarType type) {
    const methods::CellVector numbers = to_vector(cell);
    at::Tensor tensor = at::empty({methods::cell_numbers}, at::kDouble);
    std::copy(numbers.begin(), numbers.end(), tensor.data_ptr<double>());
    return tensor.to(type);
}

}  // namespace

TorchCellAnswer torch_cell(const methods::ForceCell& cell, const geometry::GridSize& size,
                           const methods::CellGrid& grid, const physics::ClothState& state, const Forces& truth) {
    const TorchCell network(cell, size, grid, at::kDouble);
    const at::Tensor numbers = numbers_of(cell, at::kDouble).requires_grad_();
    const at::Tensor said = network.accelerations(numbers, image_of(state.positions, size, at::kDouble),
                                                  image_of(state.velocities, size, at::kDouble));
    const at::Tensor error = network.moves() * (said - image_of(truth, size, at::kDouble));
    const at::Tensor loss = (error * error).sum() / (3 * network.moves().sum());
    loss.backward();
    TorchCellAnswer answer{.accelerations = rows_of(said), .loss = loss.item<double>(), .gradient = {}};
    const at::Tensor gradient = numbers.grad().contiguous();
    answer.gradient = Eigen::Map<const methods::CellVector>(gradient.data_ptr<double>());
    return answer;
}

void torch_cell_steps(const methods::ForceCell& cell, const geometry::GridSize& size, const methods::CellGrid& grid,
                      double dt, double kept, int steps, physics::ClothState& state) {
    at::set_num_threads(thread_count());
    const TorchCell network(cell, size, grid, at::kFloat);
    const at::Tensor numbers = numbers_of(cell, at::kFloat);
    at::Tensor x = image_of(state.positions, size, at::kFloat), v = image_of(state.velocities, size, at::kFloat);
    for (int i = 0; i < steps; ++i, state.time += dt) {
        v = kept * (v + dt * network.accelerations(numbers, x, v));
        x = x + dt * v;
    }
    state.positions = rows_of(x);
    state.velocities = rows_of(v);
}

}  // namespace tulle::training

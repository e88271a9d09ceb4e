// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/cell_design.h"

#include <algorithm>

namespace tulle::methods {

namespace {

constexpr int channels = physics::stencil_channels;

// Columns for the numbers [first, first + 12): one for all, one for each pair, or one each.
int add_columns(CellParameters& parameters, int next, int first, int alike) {
    for (int c = 0; c < channels; ++c) parameters.matrix(first + c, next + c / alike) = 1;
    return next + channels / alike;
}

}  // namespace

CellDesign paper_design() {
    return {.softening = 1e-9, .learns_scales = true, .one_branch = true, .ties_pairs = false};
}

CellVector to_vector(const ForceCell& cell) {
    CellVector numbers;
    const auto put = [&](int first, const ForceCell::Channels& values) {
        std::copy(values.begin(), values.end(), numbers.data() + first);
    };
    put(0, cell.scales);
    put(first_linear, cell.linear);
    put(first_nonlinear, cell.nonlinear);
    put(first_derivative, cell.derivative);
    numbers.tail<3>() = cell.bias;
    return numbers;
}

ForceCell to_cell(const CellVector& numbers, const CellDesign& design) {
    ForceCell cell;
    cell.activation = design.activation;
    cell.softening = design.softening;
    const auto take = [&](int first, ForceCell::Channels& values) {
        std::copy_n(numbers.data() + first, channels, values.begin());
    };
    take(0, cell.scales);
    take(first_linear, cell.linear);
    take(first_nonlinear, cell.nonlinear);
    take(first_derivative, cell.derivative);
    cell.bias = numbers.tail<3>();
    return cell;
}

CellParameters plain_parameters(const CellDesign& design) {
    const int pairs = design.ties_pairs ? 2 : 1, branch = design.one_branch ? channels : pairs;
    CellParameters parameters;
    parameters.base = CellVector::Zero();
    parameters.matrix.setZero(cell_numbers, cell_numbers);
    int next = 0;
    parameters.base.head<channels>().setConstant(design.scale);
    if (design.learns_scales) next = add_columns(parameters, next, 0, pairs);
    next = add_columns(parameters, next, first_linear, pairs);
    next = add_columns(parameters, next, first_nonlinear, branch);
    next = add_columns(parameters, next, first_derivative, branch);
    for (int i = 0; i < 3; ++i) parameters.matrix(first_bias + i, next++) = 1;
    parameters.matrix.conservativeResize(Eigen::NoChange, next);
    return parameters;
}

}  // namespace tulle::methods

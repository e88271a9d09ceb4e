// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/identification/grid_smoothing.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tulle::methods {

namespace {

// One row for each of `count` values in a line: the weights of all that make up its smoothed one.
Eigen::MatrixXd line_smoother(int count, int reach, int degree) {
    Eigen::MatrixXd smoother = Eigen::MatrixXd::Zero(count, count);
    for (int i = 0; i < count; ++i) {
        const int begin = std::max(0, i - reach), end = std::min(count - 1, i + reach);
        const int used = std::min(degree, end - begin);
        Eigen::MatrixXd powers(end - begin + 1, used + 1);
        VectorX weights(end - begin + 1);
        for (int j = begin; j <= end; ++j) {
            const double u = static_cast<double>(j - i) / (reach + 1);
            weights(j - begin) = std::pow(1 - u * u, 3);
            for (int p = 0; p <= used; ++p) powers(j - begin, p) = std::pow(u, p);
        }
        const Eigen::MatrixXd weighted = weights.asDiagonal() * powers;
        const VectorX at_zero = (powers.transpose() * weighted).ldlt().solve(VectorX::Unit(used + 1, 0));
        smoother.row(i).segment(begin, end - begin + 1) = (weighted * at_zero).transpose();
    }
    return smoother;
}

struct Smoother {
    Eigen::MatrixXd rows, columns;

    Positions operator()(const Positions& values) const {
        Positions result(values.rows(), 3);
        for (int i = 0; i < 3; ++i) {
            // grids are stored row by row
            using Grid = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
            const VectorX column = values.col(i);
            const Eigen::Map<const Grid> grid(column.data(), rows.rows(), columns.rows());
            const Grid smooth = rows * grid * columns.transpose();
            result.col(i) = Eigen::Map<const VectorX>(smooth.data(), values.rows());
        }
        return result;
    }
};

Smoother make_smoother(const geometry::GridSize& size, int reach, int degree) {
    return {line_smoother(size.rows, reach, degree), line_smoother(size.columns, reach, degree)};
}

// Variance of high − low at each vertex, |V|, where the values have variance 1.
VectorX change_gains(const Smoother& low, const Smoother& high) {
    const auto products = [](const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
        return VectorX(a.cwiseProduct(b).rowwise().sum());
    };
    const VectorX rows[3] = {products(high.rows, high.rows), products(high.rows, low.rows),
                             products(low.rows, low.rows)};
    const VectorX columns[3] = {products(high.columns, high.columns), products(high.columns, low.columns),
                                products(low.columns, low.columns)};
    const Eigen::MatrixXd grid =
        columns[0] * rows[0].transpose() - 2 * columns[1] * rows[1].transpose() + columns[2] * rows[2].transpose();
    return Eigen::Map<const VectorX>(grid.data(), grid.size());  // columns of the grid run fastest
}

// The number of the band that each place of a line is in: narrow at both ends, where cloths bend most sharply.
std::vector<int> bands(int count) {
    std::vector<int> result(static_cast<size_t>(count));
    int width = 1, band = 0, left = 1;
    for (int i = 0; i < count; ++i) {
        result[static_cast<size_t>(i)] = band;
        if (--left == 0) {
            ++band;
            width = i < count / 2 ? std::min(2 * width, 8) : std::max(width / 2, 1);
            left = width;
        }
    }
    return result;
}

}  // namespace

Positions smoothed_over_grid(const Positions& values, const geometry::GridSize& size, int reach, int degree) {
    return make_smoother(size, reach, degree)(values);
}

Positions fairly_smoothed_over_grid(const Positions& values, const geometry::GridSize& size, double noise,
                                    const std::vector<bool>& pinned) {
    const std::vector<int> row_bands = bands(size.rows), column_bands = bands(size.columns);
    const int across = column_bands.back() + 1;
    const auto region = [&](int v) {
        return static_cast<size_t>(row_bands[static_cast<size_t>(v / size.columns)] * across +
                                   column_bands[static_cast<size_t>(v % size.columns)]);
    };
    const auto regions = static_cast<size_t>((row_bands.back() + 1) * across);
    std::vector<bool> is_fair(regions, true);
    Positions result = values;
    for (const int reach : {2, 3, 4, 6, 8, 11}) {
        if (2 * reach >= std::min(size.rows, size.columns)) break;
        const Smoother low = make_smoother(size, reach, 3), high = make_smoother(size, reach, 5);
        const Positions smooth = low(values), change = high(values) - smooth;
        const VectorX explained = noise * noise * change_gains(low, high);
        // squares that are there, those that noise explains, and how many
        std::vector<double> found(regions, 0), expected(regions, 0), count(regions, 0);
        for (int v = 0; v < size.vertex_count(); ++v) {
            if (pinned[static_cast<size_t>(v)]) continue;
            found[region(v)] += change.row(v).squaredNorm();
            expected[region(v)] += 3 * explained(v);
            count[region(v)] += 3;
        }
        // a fifth more than noise in amplitude, and what chance adds to a sum of so few squares, half of them dependent
        for (size_t i = 0; i < regions; ++i)
            is_fair[i] = is_fair[i] && found[i] <= expected[i] * (1.44 + 3 * std::sqrt(4 / std::max(count[i], 1.0)));
        for (int v = 0; v < size.vertex_count(); ++v)
            if (is_fair[region(v)]) result.row(v) = smooth.row(v);
    }
    return result;
}

}  // namespace tulle::methods

// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/cloth_parts.h"

#include "tulle/core/parallel.h"

#include <vector>

namespace tulle::collision {

double ClothParts::mean_edge_length() const {
    double sum = 0;
    for (long e = 0; e < edges.rows(); ++e)
        sum += (rest_positions.row(edges(e, 0)) - rest_positions.row(edges(e, 1))).norm();
    return sum / std::max(1.0, static_cast<double>(edges.rows()));
}

Eigen::RowVector3d middle(const Positions& positions) {
    constexpr long block = 512;
    const long count = positions.rows();
    std::vector<Eigen::RowVector3d> sums(static_cast<size_t>((count + block - 1) / block));
    parallel_for(static_cast<long>(sums.size()), [&](long b) {
        const long first = b * block;
        sums[static_cast<size_t>(b)] = positions.middleRows(first, std::min(block, count - first)).colwise().sum();
    });
    Eigen::RowVector3d total = Eigen::RowVector3d::Zero();
    for (const Eigen::RowVector3d& sum : sums) total += sum;
    return total / static_cast<double>(count);
}

}  // namespace tulle::collision

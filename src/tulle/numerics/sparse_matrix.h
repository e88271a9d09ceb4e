// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/SparseCore>

namespace tulle::numerics {

using SparseMatrix = Eigen::SparseMatrix<double>;

}  // namespace tulle::numerics

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

#include <Eigen/SparseCore>

#include <memory>
#include <vector>

namespace tulle::numerics {

using SparseMatrix = Eigen::SparseMatrix<double>;

}  // namespace tulle::numerics

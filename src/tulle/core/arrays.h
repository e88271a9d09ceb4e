// SPDX-License-Identifier: Apache-2.0
// The arrays everything is made of: Eigen, one row per element, row-major so that a row is a point in memory.
#pragma once

#include <Eigen/Core>

namespace tulle {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
using VectorX = Eigen::VectorXd;

template <typename Scalar, int Columns>
using Rows = Eigen::Matrix<Scalar, Eigen::Dynamic, Columns, Eigen::RowMajor>;

using Positions = Rows<double, 3>;   // |V|×3 [m]
using Velocities = Rows<double, 3>;  // |V|×3 [m/s]
using Forces = Rows<double, 3>;      // |V|×3 [N]
using TexCoords = Rows<double, 2>;   // |V|×2
using Triangles = Rows<int, 3>;      // |T|×3 vertex indices, counter-clockwise seen from the front
using Edges = Rows<int, 2>;          // |E|×2 vertex indices
using Quadruples = Rows<int, 4>;     // |H|×4 vertex indices

}  // namespace tulle

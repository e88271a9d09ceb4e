// SPDX-License-Identifier: Apache-2.0
// Other people's sparse Cholesky solvers behind plain pointers; see CMakeLists.txt for why.
#pragma once

#include <memory>
#include <string>

#define TULLE_PEER __attribute__((visibility("default")))

namespace tulle::bench {

// A symmetric matrix, both halves, compressed by columns, already in elimination order.
struct MatrixView {
    int size;
    const int* first;  // size + 1
    const int* rows;
    const double* values;
};

class TULLE_PEER CholeskyPeer {
public:
    virtual ~CholeskyPeer() = default;
    virtual std::string name() const = 0;
    // Both are size × 3, column by column.
    virtual void solve(const double* right_hand_side, double* solution) = 0;
};

TULLE_PEER std::unique_ptr<CholeskyPeer> make_eigen_peer(const MatrixView& matrix);
TULLE_PEER std::unique_ptr<CholeskyPeer> make_cholmod_peer(const MatrixView& matrix, bool supernodal);

}  // namespace tulle::bench

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/numerics/double_cholesky.h"

#include <memory>
#include <mutex>
#include <vector>

namespace tulle::projections {

// Which vertices of a cloth act on each other: where a symmetric 3|V|×3|V| matrix has blocks.
class BlockPattern {
public:
    // `pairs` in any order, repeated or not; the first index of each must not be its second.
    BlockPattern(long vertices, const Edges& pairs);

    long vertices() const { return vertices_; }
    long pairs() const { return pairs_.rows(); }
    const Edges& pair_list() const { return pairs_; }  // each once, the smaller index first, ascending
    long find(int a, int b) const;                     // index of the pair

    // For each vertex its neighbours in ascending order: the blocks of row v are [first(v), first(v + 1)).
    struct Neighbour {
        int vertex = 0;
        int pair = 0;
    };
    const std::vector<int>& first_neighbours() const { return first_; }
    const std::vector<Neighbour>& neighbours() const { return neighbours_; }

private:
    long vertices_;
    Edges pairs_;
    std::vector<int> first_;
    std::vector<Neighbour> neighbours_;
};

// A symmetric matrix of symmetric 3×3 blocks.
struct BlockMatrix {
    std::vector<Matrix3> diagonal;  // |V|
    std::vector<Matrix3> between;   // the block of each pair

    explicit BlockMatrix(const BlockPattern& pattern)
        : diagonal(static_cast<size_t>(pattern.vertices()), Matrix3::Zero()),
          between(static_cast<size_t>(pattern.pairs()), Matrix3::Zero()) {}
};

// The lower half, 3|V|×3|V|. Rows and columns of fixed vertices are those of the identity.
numerics::SparseMatrix lower_half(const BlockPattern& pattern, const BlockMatrix& matrix,
                                  const std::vector<bool>& fixed);

// Factors of matrices with one pattern, for several threads at once: finding an order of elimination takes far longer
// than eliminating, so each is kept for the next matrix. Solving is the same whichever is taken.
class FactorPool {
public:
    class Loan {
    public:
        Loan(FactorPool& pool, std::unique_ptr<numerics::DoubleCholesky> factor)
            : pool_(pool), factor_(std::move(factor)) {}
        ~Loan() {
            if (factor_) pool_.give_back(std::move(factor_));
        }
        Loan(Loan&&) noexcept = default;
        Loan& operator=(Loan&&) = delete;
        const numerics::DoubleCholesky& operator*() const { return *factor_; }

    private:
        FactorPool& pool_;
        std::unique_ptr<numerics::DoubleCholesky> factor_;
    };

    // Throws an Error if the matrix is not positive definite.
    Loan factor(const numerics::SparseMatrix& matrix);

private:
    void give_back(std::unique_ptr<numerics::DoubleCholesky> factor);

    std::mutex mutex_;
    std::vector<std::unique_ptr<numerics::DoubleCholesky>> free_;
};

}  // namespace tulle::projections

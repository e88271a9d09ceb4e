// SPDX-License-Identifier: Apache-2.0
#include "tulle/projections/block_matrix.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tulle::projections {

BlockPattern::BlockPattern(long vertices, const Edges& pairs) : vertices_(vertices) {
    std::vector<std::pair<int, int>> found;
    found.reserve(static_cast<size_t>(pairs.rows()));
    for (long p = 0; p < pairs.rows(); ++p) found.emplace_back(std::minmax(pairs(p, 0), pairs(p, 1)));
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    pairs_.resize(static_cast<long>(found.size()), 2);
    first_.assign(static_cast<size_t>(vertices) + 1, 0);
    for (size_t p = 0; p < found.size(); ++p) {
        const auto [a, b] = found[p];
        pairs_.row(static_cast<long>(p)) << a, b;
        ++first_[static_cast<size_t>(a) + 1];
        ++first_[static_cast<size_t>(b) + 1];
    }
    for (size_t v = 0; v + 1 < first_.size(); ++v) first_[v + 1] += first_[v];
    neighbours_.resize(2 * found.size());
    std::vector<int> next(first_.begin(), first_.end() - 1);
    // Pairs ascend, so the smaller neighbours of a vertex come first if they are listed first.
    for (const bool larger_end : {true, false})
        for (size_t p = 0; p < found.size(); ++p) {
            const int own = larger_end ? found[p].second : found[p].first;
            const int other = larger_end ? found[p].first : found[p].second;
            neighbours_[static_cast<size_t>(next[static_cast<size_t>(own)]++)] = {other, static_cast<int>(p)};
        }
}

long BlockPattern::find(int a, int b) const {
    const auto begin = neighbours_.begin() + first_[static_cast<size_t>(a)];
    const auto end = neighbours_.begin() + first_[static_cast<size_t>(a) + 1];
    const auto found = std::lower_bound(
        begin, end, b, [](const Neighbour& neighbour, int vertex) { return neighbour.vertex < vertex; });
    assert(found != end && found->vertex == b);
    return found->pair;
}

numerics::SparseMatrix lower_half(const BlockPattern& pattern, const BlockMatrix& matrix,
                                  const std::vector<bool>& fixed) {
    const long n = pattern.vertices();
    numerics::SparseMatrix lower(3 * n, 3 * n);
    lower.resizeNonZeros(6 * n + 9 * pattern.pairs());
    int* starts = lower.outerIndexPtr();
    int* rows = lower.innerIndexPtr();
    double* values = lower.valuePtr();
    int count = 0;
    for (int v = 0; v < n; ++v) {
        const bool held = fixed[static_cast<size_t>(v)];
        for (int j = 0; j < 3; ++j) {
            starts[3 * v + j] = count;
            const auto put = [&](int row, double value) {
                rows[count] = row;
                values[count++] = value;
            };
            for (int i = j; i < 3; ++i)
                put(3 * v + i, held ? (i == j ? 1 : 0) : matrix.diagonal[static_cast<size_t>(v)](i, j));
            for (int k = pattern.first_neighbours()[static_cast<size_t>(v)];
                 k < pattern.first_neighbours()[static_cast<size_t>(v) + 1]; ++k) {
                const auto& [other, pair] = pattern.neighbours()[static_cast<size_t>(k)];
                if (other < v) continue;
                const bool cut = held || fixed[static_cast<size_t>(other)];
                for (int i = 0; i < 3; ++i)
                    put(3 * other + i, cut ? 0 : matrix.between[static_cast<size_t>(pair)](j, i));
            }
        }
    }
    starts[3 * n] = count;
    return lower;
}

FactorPool::Loan FactorPool::factor(const numerics::SparseMatrix& matrix) {
    std::unique_ptr<numerics::DoubleCholesky> factor;
    {
        const std::lock_guard lock(mutex_);
        if (!free_.empty()) {
            factor = std::move(free_.back());
            free_.pop_back();
        }
    }
    if (!factor) return {*this, std::make_unique<numerics::DoubleCholesky>(matrix)};
    try {
        factor->refactor(matrix);
    } catch (...) {
        give_back(std::move(factor));
        throw;
    }
    return {*this, std::move(factor)};
}

void FactorPool::give_back(std::unique_ptr<numerics::DoubleCholesky> factor) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(factor));
}

}  // namespace tulle::projections

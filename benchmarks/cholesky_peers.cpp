// SPDX-License-Identifier: Apache-2.0
#include "cholesky_peers.h"

#include <Eigen/SparseCholesky>

#include <cholmod.h>

#include <algorithm>

namespace tulle::bench {

namespace {

class EigenPeer : public CholeskyPeer {
public:
    explicit EigenPeer(const MatrixView& view) : size_(view.size) {
        using Matrix = Eigen::SparseMatrix<double>;
        factor_.compute(
            Eigen::Map<const Matrix>(view.size, view.size, view.first[view.size], view.first, view.rows, view.values));
    }
    std::string name() const override { return "Eigen SimplicialLDLT"; }
    void solve(const double* right_hand_side, double* solution) override {
        Eigen::Map<Eigen::MatrixX3d>(solution, size_, 3) =
            factor_.solve(Eigen::Map<const Eigen::MatrixX3d>(right_hand_side, size_, 3));
    }

private:
    int size_;
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::NaturalOrdering<int>> factor_;
};

class CholmodPeer : public CholeskyPeer {
public:
    CholmodPeer(const MatrixView& view, bool supernodal) : supernodal_(supernodal) {
        cholmod_start(&common_);
        common_.nmethods = 1;
        common_.method[0].ordering = CHOLMOD_NATURAL;
        common_.postorder = 0;
        common_.supernodal = supernodal ? CHOLMOD_SUPERNODAL : CHOLMOD_SIMPLICIAL;
        const size_t size = static_cast<size_t>(view.size);
        cholmod_sparse* matrix = cholmod_allocate_sparse(size, size, static_cast<size_t>(view.first[size]), 1, 1, -1,
                                                         CHOLMOD_REAL, &common_);
        std::copy_n(view.first, size + 1, static_cast<int*>(matrix->p));
        std::copy_n(view.rows, view.first[size], static_cast<int*>(matrix->i));
        std::copy_n(view.values, view.first[size], static_cast<double*>(matrix->x));
        factor_ = cholmod_analyze(matrix, &common_);
        cholmod_factorize(matrix, factor_, &common_);
        cholmod_free_sparse(&matrix, &common_);
        right_hand_side_ = cholmod_allocate_dense(size, 3, size, CHOLMOD_REAL, &common_);
    }
    ~CholmodPeer() override {
        cholmod_free_factor(&factor_, &common_);
        for (cholmod_dense** dense : {&right_hand_side_, &solution_, &y_, &e_}) cholmod_free_dense(dense, &common_);
        cholmod_finish(&common_);
    }
    std::string name() const override { return supernodal_ ? "CHOLMOD supernodal" : "CHOLMOD simplicial"; }
    void solve(const double* right_hand_side, double* solution) override {
        const size_t count = 3 * right_hand_side_->nrow;
        std::copy_n(right_hand_side, count, static_cast<double*>(right_hand_side_->x));
        cholmod_solve2(CHOLMOD_A, factor_, right_hand_side_, nullptr, &solution_, nullptr, &y_, &e_, &common_);
        std::copy_n(static_cast<const double*>(solution_->x), count, solution);
    }

private:
    bool supernodal_;
    cholmod_common common_{};
    cholmod_factor* factor_ = nullptr;
    cholmod_dense *right_hand_side_ = nullptr, *solution_ = nullptr, *y_ = nullptr, *e_ = nullptr;
};

}  // namespace

std::unique_ptr<CholeskyPeer> make_eigen_peer(const MatrixView& matrix) { return std::make_unique<EigenPeer>(matrix); }
std::unique_ptr<CholeskyPeer> make_cholmod_peer(const MatrixView& matrix, bool supernodal) {
    return std::make_unique<CholmodPeer>(matrix, supernodal);
}

}  // namespace tulle::bench

// SPDX-License-Identifier: Apache-2.0
// The iterations of `admm` (methods: Narain, Overby, Brown 2016) in single precision and in one pass over the cache:
// vertices live in elimination order, and each task of the Cholesky factor does its backward sweep, its springs and its
// next forward sweep in one go. Equal to the plain double-precision loop to 1e-5 m; bit-identical at any number of
// threads.
#pragma once

#include "tulle/numerics/sparse_cholesky.h"
#include "tulle/physics/solvers/admm_kernel_layout.h"

#include <vector>

namespace tulle::physics {

// What does not change from step to step.
struct AdmmSystem {
    Edges edges;                    // |E|×2 springs
    VectorX stiffness;              // |E| k [N/m]
    VectorX weights;                // |E| w² [N/m], 0 only where k is; empty: w² = k
    std::vector<bool> pinned;       // |V|
    numerics::SparseMatrix matrix;  // |V|×|V| M + Δt² Σ w² DᵀD, with bending, pinned vertices too [kg]; only M
                                    // resists a translation, that is, the rows of the rest sum to zero
    VectorX masses;                 // |V| [kg]
    double dt = 0;                  // [s]
};

enum class AdmmInstructions { Fastest, Portable };

struct AdmmIterations {
    int most = 20;
    double tolerance = 0;  // stop when the residual is at most this; 0: do them all
};

struct [[nodiscard]] AdmmReport {
    int iterations = 0;
    double residual = 0;  // ‖x − previous x‖ / ‖x − x at the start of the step‖
};

class AdmmKernel {
public:
    explicit AdmmKernel(const AdmmSystem& system, AdmmInstructions instructions = AdmmInstructions::Fastest);

    const std::vector<int>& order() const { return order_; }  // order()[place] = vertex; free vertices only

    // Minimises the step's energy from x = x̃, u = 0. `inertial` is x̃ with pinned vertices where they end up;
    // `positions` comes in as the start of the step and goes out as its end. Rest lengths are those of this step.
    AdmmReport minimise(const Positions& inertial, const VectorX& rest_lengths, const AdmmIterations& iterations,
                        Positions& positions);
    // The same from any x and from the u of tensions along it. For a system with weights.
    struct WarmStart {
        const Positions& guess;  // |V|×3 [m]; where vertices are pinned it is not read
        VectorX& tensions;       // |E| [N] go out as those of the end
    };
    AdmmReport minimise(const Positions& inertial, const VectorX& rest_lengths, const AdmmIterations& iterations,
                        Positions& positions, const WarmStart& start);

private:
    struct Job;

    void split(const AdmmSystem& system);
    void load_springs(const AdmmSystem& system);
    void prepare_workspaces();

    struct Outcome {
        int iterations;
        int side;  // where the positions are
    };

    // An item is a task of the factor, or the top after them.
    void iterate(Job& job);
    Outcome iterate_fused(const numerics::CholeskyShare& share, Job& job);
    Outcome iterate_to_tolerance(const numerics::CholeskyShare& share, Job& job);
    void start(int item, const Job& job);
    AdmmReport run(Job& job, const VectorX& rest_lengths);
    void load_rest_lengths(const SpringItem& item);
    void load_tensions(const SpringItem& item, const VectorX* tensions);
    void store_tensions(const SpringItem& item, VectorX& tensions) const;
    void project_locally(int item, int from, bool first);
    void measure(int item, int side, Job& job);
    void finish(int item, int side, Job& job);
    numerics::RowRange rows_of(int item) const;
    int top() const { return cholesky_->task_count(); }
    float* row(int side, int index) { return workspaces_[side].rows() + 4 * static_cast<long>(index); }

    // The free rows of the matrix, and what joins them to the pins.
    std::vector<int> order_;  // place → vertex
    std::vector<int> pins_;   // vertices
    std::unique_ptr<numerics::SparseCholesky> cholesky_;
    std::vector<int> first_coupling_;                // by place, into:
    std::vector<std::pair<int, double>> couplings_;  // pin, entry of the matrix
    std::vector<double> masses_;                     // by place

    SpringKernel kernel_;
    SpringLayout layout_;
    VectorX rest_lengths_;  // of the last step; most cloths never change them
    VectorX weights_;       // |E| w² [N/m]; empty: k
    numerics::AlignedFloats rest_, stiffness_, multipliers_;
    numerics::AlignedFloats shares_, pulls_;  // as in SpringArrays; empty without weights
    numerics::AlignedFloats constant_;        // M x̃ − A_fp x_p, by place; rows of four [kg m]

    // Positions on one side, the right-hand side that becomes the next positions on the other.
    std::vector<numerics::CholeskyWorkspace> workspaces_;
    int workspace_threads_ = 0;
};

}  // namespace tulle::physics

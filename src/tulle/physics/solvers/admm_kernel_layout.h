// SPDX-License-Identifier: Apache-2.0
// Which spring is worked on where: by the task of the Cholesky factor that holds one of its ends, in blocks of four
// vertices. Springs between two top vertices form one more item.
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/numerics/sparse_cholesky.h"
#include "tulle/physics/solvers/admm_kernel_springs.h"

#include <vector>

namespace tulle::physics {

struct SpringItem {
    int first_block, last_block;
    long first_group, last_group;
};

struct SpringLayout {
    std::vector<SpringItem> items;  // one per task, then the top's
    std::vector<SpringBlock> blocks;
    std::vector<unsigned> read, write;  // 8 per group, as in SpringArrays
    std::vector<int> springs;           // 8 per group: which spring of the cloth, or -1
};

struct SpringEnds {
    Edges edges;              // |E|×2 vertices
    std::vector<bool> skip;   // |E| without stiffness, or between two pins
    std::vector<int> places;  // |V| place in elimination order of a free vertex; of a pinned one -1 - its number
};

SpringLayout lay_out_springs(const numerics::SparseCholesky& cholesky, const SpringEnds& ends);

// Rows of the workspace that the layout uses beyond those of the factor: one per pin, and one per item where what
// would go to a pin is thrown away.
int own_rows(const numerics::SparseCholesky& cholesky, int pins);

}  // namespace tulle::physics

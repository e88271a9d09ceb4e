// SPDX-License-Identifier: Apache-2.0
// Projections as layers of a network: tensors go in and out, and gradients go back through the adjoints.
#pragma once

#include "tulle/projections/projection.h"

#include <vector>

namespace at {
class Tensor;
}

namespace tulle::training {

struct LayerReport {
    int unsolved = 0;  // examples of the batch that were not within their tolerance
    int examples = 0;
};

// Projects a batch×|V|×3 tensor of positions [m], single or double precision, one example on each thread. The gradient
// comes back in the same shape. The projection must live until it does. An example that is not solved counts in the
// report, if there is one, and goes on as it is. Throws an Error if shapes do not fit or a position is not finite.
at::Tensor project(const projections::Projection& projection, const at::Tensor& positions,
                   LayerReport* report = nullptr);

// The same with μ of quasistatics as a tensor that can be learnt: one number for all vertices, or |V| of them.
at::Tensor project(const projections::Projection& projection, const at::Tensor& positions, const at::Tensor& mu,
                   LayerReport* report = nullptr);

}  // namespace tulle::training

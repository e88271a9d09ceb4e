// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/neural/network.h"
#include "tulle/neural/weights_file.h"

#include <string>

namespace tulle::neural {

// Takes tensors of type F32 out of a weights file one by one, so that what nobody asked for is left over. Throws an
// Error that names the file for one that is missing or of another shape or type, or empty.
class TensorTaker {
public:
    explicit TensorTaker(WeightsFile file) : file_(std::move(file)) {}

    bool has(const std::string& name) const { return file_.tensors.contains(name); }

    Tensor take(const std::string& name, size_t dimensions);
    Weights take_matrix(const std::string& name);
    Eigen::VectorXf take_vector(const std::string& name);

    void check_nothing_is_left() const;

private:
    WeightsFile file_;
};

Tensor tensor_of(const Weights& weights);
Tensor tensor_of(const Eigen::VectorXf& values);

}  // namespace tulle::neural

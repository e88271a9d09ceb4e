// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/tensor_taker.h"

#include "tulle/core/error.h"
#include "tulle/neural/strict_json.h"

namespace tulle::neural {

Tensor TensorTaker::take(const std::string& name, size_t dimensions) {
    const auto found = file_.tensors.find(name);
    if (found == file_.tensors.end()) throw Error("{}: tensor '{}' is missing", file_.source, shown(name));
    if (found->second.shape.size() != dimensions)
        throw Error("{}: tensor '{}' has {} dimensions, not {}", file_.source, shown(name), found->second.shape.size(),
                    dimensions);
    Tensor tensor = std::move(found->second);
    file_.tensors.erase(found);
    if (!tensor.doubles.empty())
        throw Error("{}: tensor '{}' is of type F64, but those of a network are F32", file_.source, shown(name));
    // An empty tensor may have any other size, which no array could hold.
    if (tensor.values.empty()) throw Error("{}: tensor '{}' is empty", file_.source, shown(name));
    return tensor;
}

Weights TensorTaker::take_matrix(const std::string& name) {
    const Tensor tensor = take(name, 2);
    return Eigen::Map<const Weights>(tensor.values.data(), tensor.shape[0], tensor.shape[1]);
}

Eigen::VectorXf TensorTaker::take_vector(const std::string& name) {
    const Tensor tensor = take(name, 1);
    return Eigen::Map<const Eigen::VectorXf>(tensor.values.data(), tensor.shape[0]);
}

void TensorTaker::check_nothing_is_left() const {
    if (!file_.tensors.empty())
        throw Error("{}: tensor '{}' belongs to no network", file_.source, shown(file_.tensors.begin()->first));
}

Tensor tensor_of(const Weights& weights) {
    return {{weights.rows(), weights.cols()}, {weights.data(), weights.data() + weights.size()}};
}

Tensor tensor_of(const Eigen::VectorXf& values) {
    return {{values.size()}, {values.data(), values.data() + values.size()}};
}

}  // namespace tulle::neural

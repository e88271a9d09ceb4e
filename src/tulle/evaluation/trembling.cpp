// SPDX-License-Identifier: Apache-2.0
#include "tulle/evaluation/trembling.h"

#include <cmath>

namespace tulle::evaluation {

void Trembling::add(const Positions& positions) {
    if (last_.size() == 4) {
        squares_ +=
            ((last_[0] - 4 * last_[1] + 6 * last_[2] - 4 * last_[3] + positions) / 4).rowwise().squaredNorm().sum();
        count_ += positions.rows();
        last_.pop_front();
    }
    last_.push_back(positions);
}

std::optional<double> Trembling::root_mean_square() const {
    if (count_ == 0) return {};
    return std::sqrt(squares_ / static_cast<double>(count_));
}

}  // namespace tulle::evaluation

// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/character_parameters.h"

namespace tulle::training {

namespace {

using neural::CharacterBasis;
using neural::Weights;

// Calls body(block of the matrix) for each character.
template <typename Body>
void for_blocks(const CharacterBasis& below, const CharacterBasis& above, Weights& weights, const Body& body) {
    for (size_t k = 0; k + 1 < below.begins.size(); ++k)
        body(weights.block(above.begins[k], below.begins[k], above.begins[k + 1] - above.begins[k],
                           below.begins[k + 1] - below.begins[k]));
}

}  // namespace

CharacterParameters::CharacterParameters(const neural::Symmetry& symmetry, std::span<const int> sizes)
    : bases_(character_bases(symmetry, sizes)) {
    for (const CharacterBasis& basis : bases_) begins_.insert(begins_.end(), basis.begins.begin(), basis.begins.end());
    for (size_t l = 0; l + 1 < bases_.size(); ++l) {
        Weights weights(sizes[l + 1], sizes[l]);
        for_blocks(bases_[l], bases_[l + 1], weights, [&](const auto& block) { count_ += block.size(); });
        count_ += sizes[l + 1];
    }
}

void CharacterParameters::to_blocks(std::span<const float> parameters, std::span<float> blocks) const {
    const float* next = parameters.data();
    float* to = blocks.data();
    for (size_t l = 0; l + 1 < bases_.size(); ++l) {
        const CharacterBasis &below = bases_[l], &above = bases_[l + 1];
        Weights weights = to_coefficients(Eigen::Map<const Weights>(next, above.width(), below.width()), below, above);
        next += weights.size();
        for_blocks(below, above, weights, [&](const auto& block) {
            Eigen::Map<Weights>(to, block.rows(), block.cols()) = block;
            to += block.size();
        });
        above.to_coefficients(next, to);
        next += above.width();
        to += above.width();
    }
}

void CharacterParameters::from_blocks(std::span<const float> blocks, std::span<float> parameters) const {
    const float* from = blocks.data();
    float* next = parameters.data();
    for (size_t l = 0; l + 1 < bases_.size(); ++l) {
        const CharacterBasis &below = bases_[l], &above = bases_[l + 1];
        Weights weights = Weights::Zero(above.width(), below.width());
        for_blocks(below, above, weights, [&](auto block) {
            block = Eigen::Map<const Weights>(from, block.rows(), block.cols());
            from += block.size();
        });
        Eigen::Map<Weights>(next, above.width(), below.width()) = to_numbers(weights, below, above);
        next += weights.size();
        above.to_numbers(from, next);
        from += above.width();
        next += above.width();
    }
}

}  // namespace tulle::training

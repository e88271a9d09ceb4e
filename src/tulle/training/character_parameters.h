// SPDX-License-Identifier: Apache-2.0
// The parameters of a symmetric network (parameters.h) in the order of the kernel, where each layer is one block for
// each character, and back.
#pragma once

#include "tulle/neural/character_basis.h"

#include <span>
#include <vector>

namespace tulle::training {

class CharacterParameters {
public:
    CharacterParameters(const neural::Symmetry& symmetry, std::span<const int> sizes);

    long count() const { return count_; }
    int characters() const { return bases_.front().characters(); }
    const std::vector<int>& begins() const { return begins_; }  // of all bases, as the kernel wants them
    const neural::CharacterBasis& inputs() const { return bases_.front(); }
    const neural::CharacterBasis& outputs() const { return bases_.back(); }

    // What the blocks leave out is zero if the parameters have the symmetry.
    void to_blocks(std::span<const float> parameters, std::span<float> blocks) const;
    // Of a gradient: it comes back with the symmetry of the mirrors.
    void from_blocks(std::span<const float> blocks, std::span<float> parameters) const;

private:
    std::vector<neural::CharacterBasis> bases_;
    std::vector<int> begins_;
    long count_ = 0;
};

}  // namespace tulle::training

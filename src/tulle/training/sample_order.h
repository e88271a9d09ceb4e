// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/random.h"

#include <array>
#include <bit>
#include <cstdint>

namespace tulle::training {

// A pseudo-random order of `count` samples that needs no memory: odd multiplications and xor-shifts are one-to-one on
// the numbers below a power of two, and walking on from an image outside [0, count) ends inside it.
class SampleOrder {
public:
    SampleOrder(long count, std::uint64_t seed)
        : count_(static_cast<std::uint64_t>(count)),
          bits_(static_cast<int>(std::bit_width((count_ - 1) | 3))),
          mask_((std::uint64_t{1} << bits_) - 1) {
        Random random(seed);
        for (Round& round : rounds_) round = {random.bits() | 1, random.bits()};
    }

    // The sample that comes at place `index`.
    long operator[](long index) const {
        auto x = static_cast<std::uint64_t>(index);
        do x = shuffle(x);
        while (x >= count_);
        return static_cast<long>(x);
    }

private:
    struct Round {
        std::uint64_t factor, offset;
    };

    std::uint64_t shuffle(std::uint64_t x) const {
        for (const Round& round : rounds_) {
            x = (x * round.factor + round.offset) & mask_;
            x ^= x >> ((bits_ + 1) / 2);
        }
        return x;
    }

    std::uint64_t count_;
    int bits_;
    std::uint64_t mask_;
    std::array<Round, 4> rounds_;
};

// The samples of a whole training: one pass over all of them after the other, each in its own order.
class SampleStream {
public:
    SampleStream(long count, std::uint64_t seed) : count_(count), seed_(seed), order_(count, seed) {}

    // The sample at a place of the stream. Consecutive places are cheap.
    long operator[](long place) {
        if (place / count_ != pass_) {
            pass_ = place / count_;
            order_ = SampleOrder(count_, mix(seed_) + static_cast<std::uint64_t>(pass_));
        }
        return order_[place % count_];
    }

private:
    long count_;
    std::uint64_t seed_;
    long pass_ = -1;
    SampleOrder order_;
};

}  // namespace tulle::training

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tulle {

// splitmix64: a counter through a mixing function. The same seed gives the same numbers everywhere.
inline std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(mix(seed)) {}

    std::uint64_t bits() { return mix(state_++); }
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // [0, 1)
    double uniform(double low, double high) { return low + (high - low) * uniform(); }

private:
    std::uint64_t state_;
};

}  // namespace tulle

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/parallel.h"
#include "tulle/neural/fused_network.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace tulle::methods {

inline constexpr int largest_input = 64, largest_output = 80;  // of the networks for pieces of cloth

// Sends pieces [0, count) through the network, a tile at a time on all threads: write(piece, inputs) fills one row,
// take(piece, outputs) uses the answer while both are in the cache.
template <typename Write, typename Take>
void for_each_piece(const neural::FusedNetwork& network, long count, const Write& write, const Take& take) {
    constexpr int tile = neural::FusedNetwork::tile;
    const int inputs = network.input_size(), outputs = network.output_size();
    assert(inputs <= largest_input && outputs <= largest_output);
    const long tiles = (count + tile - 1) / tile;
#pragma omp parallel for schedule(static) if (tiles >= 8 && thread_count() > 1)
    for (long t = 0; t < tiles; ++t) {
        alignas(64) std::array<float, tile * largest_input> in;
        alignas(64) std::array<float, tile * largest_output> out;
        const long first = t * tile;
        const int size = static_cast<int>(std::min<long>(tile, count - first));
        for (int i = 0; i < size; ++i) write(first + i, in.data() + static_cast<long>(i) * inputs);
        network.evaluate_tile(in.data(), out.data(), size);
        for (int i = 0; i < size; ++i) take(first + i, out.data() + static_cast<long>(i) * outputs);
    }
}

}  // namespace tulle::methods

// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/fused_network.h"

#include "tulle/core/parallel.h"
#include "tulle/neural/packed_weights.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <vector>

namespace tulle::neural {

static_assert(FusedNetwork::tile == tile_samples);

namespace {

// A tile's activations: on the stack for any network that is likely, else on the heap.
class Scratch {
public:
    explicit Scratch(size_t floats) {
        if (floats <= small_.size()) return;
        large_.resize(floats + 16);
        data_ = large_.data();
        while (reinterpret_cast<std::uintptr_t>(data_) % 64 != 0) ++data_;
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    float* data() { return data_; }

private:
    alignas(64) std::array<float, 3 * 256 * tile_samples> small_;  // up to 256 wide, 74 kB
    std::vector<float> large_;
    float* data_ = small_.data();
};

// Waking another thread costs some microseconds: about this many multiplications.
constexpr long worth_a_thread = 200'000;

}  // namespace

struct FusedNetwork::Packed {
    PackedWeights weights;
    const NetworkKernels& kernels;
};

FusedNetwork::FusedNetwork(const Network& network) : packed_(new Packed{PackedWeights(network), network_kernels()}) {}
FusedNetwork::FusedNetwork(const Network& network, const Symmetry& symmetry)
    : packed_(new Packed{PackedWeights(network, symmetry), network_kernels()}) {}
FusedNetwork::~FusedNetwork() = default;
FusedNetwork::FusedNetwork(FusedNetwork&&) noexcept = default;
FusedNetwork& FusedNetwork::operator=(FusedNetwork&&) noexcept = default;

int FusedNetwork::input_size() const { return packed_->weights.input_size(); }
int FusedNetwork::output_size() const { return packed_->weights.output_size(); }

void FusedNetwork::evaluate_tile(const float* inputs, float* outputs, int count) const {
    assert(count >= 0 && count <= tile);
    Scratch scratch(packed_->weights.scratch_floats());
    packed_->kernels.evaluate(packed_->weights.view(), inputs, outputs, count, scratch.data());
}

void FusedNetwork::evaluate_lanes(const float* inputs, float* outputs) const {
    Scratch scratch(packed_->weights.scratch_floats());
    packed_->kernels.evaluate_lanes(packed_->weights.view(), inputs, outputs, scratch.data());
}

void FusedNetwork::evaluate(std::span<const float> inputs, std::span<float> outputs) const {
    const long samples = static_cast<long>(inputs.size()) / input_size();
    assert(static_cast<long>(inputs.size()) == samples * input_size());
    assert(static_cast<long>(outputs.size()) == samples * output_size());
    const auto run = [&](long begin, long end) {
        Scratch scratch(packed_->weights.scratch_floats());
        packed_->kernels.evaluate(packed_->weights.view(), inputs.data() + begin * input_size(),
                                  outputs.data() + begin * output_size(), end - begin, scratch.data());
    };
    const long tiles = (samples + tile - 1) / tile;
    if (samples * packed_->weights.multiplications() < worth_a_thread) {
        if (samples > 0) run(0, samples);
        return;
    }
    parallel_ranges(
        tiles, [&](long begin, long end) { run(begin * tile, std::min(end * tile, samples)); }, /*grain=*/2);
}

}  // namespace tulle::neural

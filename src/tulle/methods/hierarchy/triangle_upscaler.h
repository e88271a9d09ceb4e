// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/hierarchy/triangle_elements.h"
#include "tulle/methods/upscaler.h"
#include "tulle/neural/fused_network.h"

#include <array>
#include <vector>

namespace tulle::methods {

// One level of the hierarchy method: the network is asked once per triangle; coarse vertices stay where they are.
class TriangleUpscaler final : public Upscaler {
public:
    // Throws an Error if the network has other inputs or outputs than the features.
    TriangleUpscaler(const geometry::Subdivision& subdivision, const Positions& fine_rest,
                     const neural::Network& network, Features features);

    int coarse_count() const override { return static_cast<int>(fine_of_vertex_.size()); }
    int fine_count() const override { return static_cast<int>(fine_of_vertex_.size() + fine_of_edge_.size()); }
    UpscaleReport upscale(std::span<const Positions> frames, Positions& fine) const override;

private:
    TriangleElements elements_;
    neural::FusedNetwork network_;
    std::vector<int> fine_of_vertex_, fine_of_edge_;
    std::vector<std::array<long, 2>> answers_of_edge_;  // rows 3·triangle + midpoint; -1 where there is no second
};

}  // namespace tulle::methods

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/upscaling/upscaling_kind.h"

namespace tulle::methods {

// `miniature`: every s-th vertex is simulated, and one network makes (s+1)×(s+1) vertices of the corners of each cell.
class MiniatureKind final : public UpscalingKind {
public:
    std::string name() const override { return "miniature"; }
    std::unique_ptr<Upscaler> make_upscaler(const FineCloth& fine, int factor,
                                            const UpscalingModel* model) const override;
    bool is_learned() const override { return true; }
    bool corrects_coarse() const override { return true; }
    int largest_factor() const override { return 4; }  // a larger patch is a cascade of smaller ones
    std::vector<int> usual_hidden_layers() const override { return {64, 64, 64}; }
    std::vector<std::string> network_names(int) const override { return {"patch"}; }
    neural::Symmetry symmetry(int factor, Features features) const override;
    std::unique_ptr<datasets::SampleSource> cut(const datasets::Sequence& sequence, const FineCloth& fine,
                                                const Cut& cut) const override;
};

}  // namespace tulle::methods

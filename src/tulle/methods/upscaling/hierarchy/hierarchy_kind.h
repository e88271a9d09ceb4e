// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/hierarchy.h"
#include "tulle/methods/upscaling/upscaling_kind.h"

namespace tulle::methods {

// `hierarchy`: a coarse triangle mesh is simulated, and one network for each level finds the midpoints of its edges.
class HierarchyKind final : public UpscalingKind {
public:
    std::string name() const override { return "hierarchy"; }
    int usual_factor() const override { return 4; }
    std::unique_ptr<Upscaler> make_upscaler(const FineCloth& fine, int factor,
                                            const UpscalingModel* model) const override;
    bool paper_thins_air() const override { return false; }
    bool is_learned() const override { return true; }
    bool fits_any_factor() const override { return true; }
    std::vector<int> usual_hidden_layers() const override { return {32, 32}; }
    std::vector<std::string> network_names(int factor) const override;
    neural::Symmetry symmetry(int factor, Features features) const override;
    std::unique_ptr<datasets::SampleSource> cut(const datasets::Sequence& sequence, const FineCloth& fine,
                                                const Cut& cut) const override;
};

// `butterfly`: the same levels without networks, by a subdivision scheme.
class ButterflyKind final : public UpscalingKind {
public:
    std::string name() const override { return "butterfly"; }
    int usual_factor() const override { return 4; }
    std::unique_ptr<Upscaler> make_upscaler(const FineCloth& fine, int factor,
                                            const UpscalingModel* model) const override;
};

// The networks are counted from the finest level, whose size they were trained at. A hierarchy of more levels than the
// model has uses the network of the coarsest, "level.1", for all that are coarser; only canonical features allow that.
std::unique_ptr<Upscaler> make_hierarchy_upscaler(const UpscalingModel& model, const geometry::Hierarchy& hierarchy,
                                                  const FineCloth& fine);

}  // namespace tulle::methods

// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/error.h"
#include "tulle/methods/upscaling/hierarchy/hierarchy_kind.h"
#include "tulle/methods/upscaling/interpolation_upscaler.h"
#include "tulle/methods/upscaling/miniature/miniature_kind.h"

#include <utility>

namespace tulle::methods {

namespace {

class InterpolationKind final : public UpscalingKind {
public:
    InterpolationKind(std::string name, geometry::Interpolation interpolation)
        : name_(std::move(name)), interpolation_(interpolation) {}

    std::string name() const override { return name_; }
    std::unique_ptr<Upscaler> make_upscaler(const FineCloth& fine, int factor, const UpscalingModel*) const override {
        if (!fine.grid) throw Error("a cloth that is no grid can only be upscaled by hierarchy or butterfly");
        return std::make_unique<InterpolationUpscaler>(geometry::make_miniature(*fine.grid, factor), interpolation_);
    }

private:
    std::string name_;
    geometry::Interpolation interpolation_;
};

std::vector<std::unique_ptr<const UpscalingKind>> make_kinds() {
    using geometry::Interpolation;
    std::vector<std::unique_ptr<const UpscalingKind>> kinds;
    kinds.push_back(std::make_unique<MiniatureKind>());
    kinds.push_back(std::make_unique<HierarchyKind>());
    kinds.push_back(std::make_unique<InterpolationKind>("bilinear", Interpolation::Bilinear));
    kinds.push_back(std::make_unique<InterpolationKind>("biquadratic", Interpolation::Biquadratic));
    kinds.push_back(std::make_unique<InterpolationKind>("bicubic", Interpolation::Bicubic));
    kinds.push_back(std::make_unique<ButterflyKind>());
    return kinds;
}

}  // namespace

PieceSettings settings_of(const UpscalingModel& model, const FineCloth& fine, const std::string& network) {
    const auto trust = model.part.trust.find(network);
    return {.features = model.part.features,
            .frame_time = fine.frame_time,
            .stiffness = fine.stiffness,
            .trust = trust == model.part.trust.end() ? Trust{} : trust->second,
            .corrects_coarse = model.part.corrects_coarse};
}

neural::Symmetry UpscalingKind::symmetry(int, Features) const { throw Error("{} has no networks to train", name()); }

std::unique_ptr<datasets::SampleSource> UpscalingKind::cut(const datasets::Sequence&, const FineCloth&,
                                                           const Cut&) const {
    throw Error("{} has no networks to train", name());
}

const std::vector<std::unique_ptr<const UpscalingKind>>& upscaling_kinds() {
    static const std::vector<std::unique_ptr<const UpscalingKind>> kinds = make_kinds();
    return kinds;
}

const UpscalingKind& upscaling_kind(const std::string& name) {
    for (const auto& kind : upscaling_kinds())
        if (kind->name() == name) return *kind;
    throw Error("there is no upscaling called '{}'", name);
}

}  // namespace tulle::methods

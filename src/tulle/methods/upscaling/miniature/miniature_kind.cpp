// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/miniature/miniature_kind.h"

#include "tulle/core/error.h"
#include "tulle/methods/upscaling/miniature/patch_samples.h"
#include "tulle/methods/upscaling/miniature/patch_upscaler.h"

namespace tulle::methods {

std::unique_ptr<Upscaler> MiniatureKind::make_upscaler(const FineCloth& fine, int factor,
                                                       const UpscalingModel* model) const {
    if (!fine.grid) throw Error("a cloth that is no grid can only be upscaled by hierarchy or butterfly");
    return std::make_unique<PatchUpscaler>(geometry::make_miniature(*fine.grid, factor), fine.mesh.positions,
                                           network_of(*model, "patch"), settings_of(*model, fine, "patch"));
}

neural::Symmetry MiniatureKind::symmetry(int factor, Features features) const {
    return patch_symmetry({factor, features});
}

std::unique_ptr<datasets::SampleSource> MiniatureKind::cut(const datasets::Sequence& sequence, const FineCloth& fine,
                                                           const Cut& cut) const {
    if (!fine.grid) throw Error("'{}' is no grid, and a miniature learns from grids only", sequence.name);
    return std::make_unique<PatchSamples>(sequence, PatchShape{cut.factor, cut.features}, fine.stiffness, cut.coarse);
}

}  // namespace tulle::methods

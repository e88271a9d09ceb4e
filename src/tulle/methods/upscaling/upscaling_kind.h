// SPDX-License-Identifier: Apache-2.0
// What the members of the upscaling family differ in: one class each, one line each in upscaling_kinds().
#pragma once

#include "tulle/datasets/sample_source.h"
#include "tulle/datasets/sequence.h"
#include "tulle/methods/upscaling/piece_settings.h"
#include "tulle/methods/upscaling/upscaler.h"
#include "tulle/methods/upscaling/upscaling_model.h"
#include "tulle/neural/symmetry.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tulle::methods {

// What an upscaler needs to know of the cloth that it makes.
struct FineCloth {
    geometry::TriangleMesh mesh;  // rest shape
    std::optional<geometry::GridSize> grid;
    double frame_time = 0.04;         // [s]
    geometry::TriangleMesh coarsest;  // of a mesh that is no grid: before all subdivisions
    Stiffness stiffness = {};
};

// How a network of the model is to be used on such a cloth.
PieceSettings settings_of(const UpscalingModel& model, const FineCloth& fine, const std::string& network);

// What a network of a learned kind is cut for.
struct Cut {
    int factor = 2;
    Features features = Features::Canonical;
    std::string network;  // one of network_names()
    // The coarse cloth simulated beside the sequence, which a network sees in its place; null: the sequence's own.
    const datasets::Sequence* coarse = nullptr;
};

class UpscalingKind {
public:
    virtual ~UpscalingKind() = default;

    virtual std::string name() const = 0;  // on the command line
    virtual int usual_factor() const { return 2; }
    // `model`: null for a kind that is not learned. Throws an Error if the cloth cannot be made by such a factor.
    virtual std::unique_ptr<Upscaler> make_upscaler(const FineCloth& fine, int factor,
                                                    const UpscalingModel* model) const = 0;
    // Whether its paper's coarse cloth feels a wind of thinner air; see CoarseningLaw.
    virtual bool paper_thins_air() const { return true; }

    // Of the learned kinds.
    virtual bool is_learned() const { return false; }
    virtual bool corrects_coarse() const { return false; }  // its networks can move vertices of the coarse cloth
    virtual bool fits_any_factor() const { return false; }  // with canonical features
    virtual int largest_factor() const { return 64; }
    virtual std::vector<int> usual_hidden_layers() const { return {}; }
    virtual std::vector<std::string> network_names(int /*factor*/) const { return {}; }
    // Of its networks with canonical features; the width of their hidden layers is a multiple of its order.
    virtual neural::Symmetry symmetry(int factor, Features features) const;
    // Samples for one network, out of a sequence of the fine cloth; both must outlive them.
    virtual std::unique_ptr<datasets::SampleSource> cut(const datasets::Sequence& sequence, const FineCloth& fine,
                                                        const Cut& cut) const;
};

const std::vector<std::unique_ptr<const UpscalingKind>>& upscaling_kinds();
const UpscalingKind& upscaling_kind(const std::string& name);  // throws an Error if there is none

}  // namespace tulle::methods

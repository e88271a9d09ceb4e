// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/neural/image_kernel.h"
#include "tulle/neural/image_network.h"

#include <memory>
#include <span>
#include <vector>

namespace tulle::neural {

// The same function as evaluate_reference, to 1e-5, at speed and on all threads, with the same bits on any number of
// them.
class FusedImageNetwork {
public:
    explicit FusedImageNetwork(const ImageNetwork& network, const ImageKernels& kernels = image_kernels());

    int input_size() const { return input_size_; }
    int channels() const { return layers_.back().outputs; }
    int height() const { return 2 * layers_.back().from.height; }
    int width() const { return 2 * layers_.back().from.width; }
    long output_size() const { return static_cast<long>(channels()) * height() * width(); }

    // An image, channels×height×width. Several threads may ask at once.
    void evaluate(std::span<const float> input, std::span<float> image) const;

private:
    std::vector<float> first_image(std::span<const float> input) const;  // padded

    const ImageKernels& kernels_;
    int input_size_;
    std::vector<float> dense_;               // eights of outputs, see ImageKernels::dense
    std::unique_ptr<float[]> convolutions_;  // a pointer, so that it may be moved while layers_ point into it
    std::vector<PackedConvolution> layers_;
};

}  // namespace tulle::neural

// SPDX-License-Identifier: Apache-2.0
// The image network (neural/image_network.h) on libtorch, for gradients.
#pragma once

#include "tulle/methods/garment/pattern_image.h"
#include "tulle/neural/image_parameters.h"

namespace at {
class Tensor;
}

namespace tulle::training {

// Images, batch×channels×height×width, of normalised inputs, batch×inputs. `parameters`: a vector that begins as that
// of neural/image_parameters.h. Convolutions are written such that Debian's libtorch computes them in oneDNN: its own
// transposed convolutions fall back to reference BLAS and are many times slower.
at::Tensor torch_images(const neural::ImageNetworkSizes& sizes, const at::Tensor& parameters, const at::Tensor& inputs);

// What each vertex reads in the images, batch×|V|×3. `image` must live until the gradient comes back.
at::Tensor torch_read(const methods::PatternImage& image, const at::Tensor& images);

}  // namespace tulle::training

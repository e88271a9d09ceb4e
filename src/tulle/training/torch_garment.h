// SPDX-License-Identifier: Apache-2.0
// A garment's lesson on libtorch: from the parameters of its network to the loss of examples, with gradients through
// the projection.
#pragma once

#include "tulle/methods/garment/garment_lesson.h"
#include "tulle/neural/image_parameters.h"
#include "tulle/projections/projection.h"

#include <memory>
#include <span>

namespace at {
class Tensor;
}

namespace tulle::training {

enum class Precision { Single, Double };  // the first is fast, the second for tests

class TorchGarment {
public:
    // The lesson must outlive this.
    explicit TorchGarment(const methods::GarmentLesson& lesson, Precision precision = Precision::Single);

    // Of each example [mm²]: the mean square distance of vertices and what the lesson's loss adds to it. `parameters`
    // as methods::parameters_of(lesson).
    at::Tensor losses(const at::Tensor& parameters, std::span<const methods::GarmentExample* const> examples) const;
    // Where the garments are, batch×|V|×3 [m].
    at::Tensor positions(const at::Tensor& parameters, std::span<const methods::GarmentExample* const> examples) const;

private:
    at::Tensor images(const at::Tensor& parameters, std::span<const methods::GarmentExample* const> examples) const;
    at::Tensor positions_of(const at::Tensor& images, const at::Tensor& parameters,
                            std::span<const methods::GarmentExample* const> examples) const;
    at::Tensor image_losses(const at::Tensor& images, std::span<const methods::GarmentExample* const> examples) const;

    const methods::GarmentLesson& lesson_;
    Precision precision_;
    neural::ImageNetworkSizes sizes_;
    std::unique_ptr<const projections::Projection> projection_;  // null: none
};

}  // namespace tulle::training

// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/torch_image_network.h"

#include "tulle/core/parallel.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>

namespace tulle::training {

namespace {

using neural::TransposedConvolution;

// Takes tensors off the front of a vector.
class Parts {
public:
    explicit Parts(const at::Tensor& parameters) : parameters_(parameters) {}

    at::Tensor next(at::IntArrayRef shape) {
        int64_t count = 1;
        for (const int64_t size : shape) count *= size;
        begin_ += count;
        return parameters_.narrow(0, begin_ - count, count).reshape(shape);
    }

private:
    const at::Tensor& parameters_;
    int64_t begin_ = 0;
};

// A transposed convolution of kernel 4 and stride 2 is four of kernel 2 and stride 1, one for each parity of row and
// column. In one dimension, with p counted from the border of zeros:
//
//   output 2y     = w₃ in(y − 1) + w₁ in(y)         at p = y
//   output 2y + 1 = w₂ in(y)     + w₀ in(y + 1)     at p = y + 1
at::Tensor doubled(const at::Tensor& images, const at::Tensor& weights, const at::Tensor& bias) {
    const int64_t batch = images.size(0), inputs = images.size(1), height = images.size(2), width = images.size(3);
    const int64_t outputs = weights.size(1);
    const at::Tensor order = at::tensor({3, 1, 2, 0}, at::kLong);
    const at::Tensor kernels = weights.index_select(2, order)
                                   .index_select(3, order)
                                   .reshape({inputs, outputs, 2, 2, 2, 2})
                                   .permute({2, 4, 1, 0, 3, 5})
                                   .reshape({4 * outputs, inputs, 2, 2});
    const at::Tensor all = at::conv2d(images, kernels, bias.repeat({4}), /*stride=*/1, /*padding=*/1)
                               .reshape({batch, 2, 2, outputs, height + 1, width + 1});
    const auto parity = [&](int64_t row, int64_t column) {
        return all.select(1, row).select(1, column).narrow(2, row, height).narrow(3, column, width);
    };
    const auto rows = [&](int64_t row) {
        return at::stack({parity(row, 0), parity(row, 1)}, -1).reshape({batch, outputs, height, 2 * width});
    };
    return at::stack({rows(0), rows(1)}, 3).reshape({batch, outputs, 2 * height, 2 * width});
}

template <typename Scalar>
void read(const methods::PatternImage& image, const Scalar* pixels, Scalar* vectors) {
    const long channel = static_cast<long>(image.height()) * image.width();
    for (long v = 0; v < image.vertex_count(); ++v)
        for (int k = 0; k < 3; ++k) {
            Scalar sum = 0;
            for (const auto& tap : image.taps(v))
                sum += static_cast<Scalar>(tap.weight) * pixels[tap.pixel + k * channel];
            vectors[3 * v + k] = sum;
        }
}

template <typename Scalar>
void read_back(const methods::PatternImage& image, const Scalar* by_vectors, Scalar* by_pixels) {
    const long channel = static_cast<long>(image.height()) * image.width();
    for (long v = 0; v < image.vertex_count(); ++v)
        for (int k = 0; k < 3; ++k)
            for (const auto& tap : image.taps(v))
                by_pixels[tap.pixel + k * channel] += static_cast<Scalar>(tap.weight) * by_vectors[3 * v + k];
}

struct ReadBackward : torch::autograd::Node {
    const methods::PatternImage* image = nullptr;

    torch::autograd::variable_list apply(torch::autograd::variable_list&& gradients) override {
        const at::Tensor given = gradients[0].contiguous();
        at::Tensor result = at::zeros({given.size(0), methods::PatternImage::channels, image->height(), image->width()},
                                      given.options());
        AT_DISPATCH_FLOATING_TYPES(given.scalar_type(), "read_back", [&] {
            parallel_tasks(given.size(0), [&](long e) {
                read_back(*image, given.data_ptr<scalar_t>() + e * 3 * image->vertex_count(),
                          result.data_ptr<scalar_t>() + e * image->size());
            });
        });
        return {result};
    }
};

}  // namespace

at::Tensor torch_images(const neural::ImageNetworkSizes& sizes, const at::Tensor& parameters,
                        const at::Tensor& inputs) {
    constexpr int kernel = TransposedConvolution::kernel;
    const int64_t batch = inputs.size(0);
    const int64_t first = static_cast<int64_t>(sizes.channels.front()) * sizes.first_height * sizes.first_width;
    Parts parts(parameters);
    // A dense layer is a convolution of one pixel, for the same reason.
    const at::Tensor weights = parts.next({first, sizes.inputs, 1, 1});
    at::Tensor images = at::conv2d(inputs.reshape({batch, sizes.inputs, 1, 1}), weights, parts.next({first}))
                            .reshape({batch, sizes.channels.front(), sizes.first_height, sizes.first_width});
    for (size_t i = 0; i + 1 < sizes.channels.size(); ++i) {
        const int64_t from = sizes.channels[i], to = sizes.channels[i + 1];
        const at::Tensor kernels = parts.next({from, to, kernel, kernel});
        images = doubled(at::relu(images), kernels, parts.next({to}));
    }
    return images;
}

at::Tensor torch_read(const methods::PatternImage& image, const at::Tensor& images) {
    const at::Tensor given = images.detach().contiguous();
    at::Tensor result = at::empty({given.size(0), image.vertex_count(), 3}, given.options());
    AT_DISPATCH_FLOATING_TYPES(given.scalar_type(), "read", [&] {
        parallel_tasks(given.size(0), [&](long e) {
            read(image, given.data_ptr<scalar_t>() + e * image.size(),
                 result.data_ptr<scalar_t>() + e * 3 * image.vertex_count());
        });
    });
    if (!images.requires_grad()) return result;
    const std::shared_ptr<ReadBackward> back(new ReadBackward, torch::autograd::deleteNode);
    back->image = &image;
    back->set_next_edges(torch::autograd::collect_next_edges(images));
    torch::autograd::set_history(result, back);
    return result;
}

}  // namespace tulle::training

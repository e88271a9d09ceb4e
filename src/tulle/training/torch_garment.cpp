// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/torch_garment.h"

#include "tulle/projections/make_projection.h"
#include "tulle/training/projection_layer.h"
#include "tulle/training/torch_image_network.h"

#include <ATen/ATen.h>

namespace tulle::training {

using methods::GarmentExample;
using Batch = std::span<const GarmentExample* const>;

namespace {

constexpr double square_millimetres = 1e6;  // of a square metre

// One array of every example, batch×shape.
template <typename Array>
at::Tensor gather(Batch examples, Array GarmentExample::*array, at::IntArrayRef shape, at::ScalarType type) {
    const long size = (examples.front()->*array).size();
    at::Tensor result = at::empty({static_cast<int64_t>(examples.size()), size}, at::kFloat);
    for (size_t i = 0; i < examples.size(); ++i)
        std::copy_n((examples[i]->*array).data(), size, result.data_ptr<float>() + static_cast<long>(i) * size);
    std::vector<int64_t> sizes = {static_cast<int64_t>(examples.size())};
    sizes.insert(sizes.end(), shape.begin(), shape.end());
    return result.reshape(sizes).to(type);
}

// A copy as a tensor of doubles or floats.
template <typename Array>
at::Tensor tensor_of(const Array& array, at::IntArrayRef shape, at::ScalarType type) {
    using Scalar = typename Array::Scalar;
    const at::ScalarType from = std::is_same_v<Scalar, double> ? at::kDouble : at::kFloat;
    return at::from_blob(const_cast<Scalar*>(array.data()), shape, from).to(type, false, /*copy=*/true);  // NOLINT
}

// Unit normals of all triangles, batch×|T|×3.
at::Tensor normals_of(const at::Tensor& positions, const Triangles& triangles) {
    const auto corner = [&](int k) {
        at::Tensor indices = at::empty({triangles.rows()}, at::kLong);
        for (long t = 0; t < triangles.rows(); ++t) indices.data_ptr<int64_t>()[t] = triangles(t, k);
        return positions.index_select(1, indices);
    };
    const at::Tensor first = corner(0);
    const at::Tensor normals = at::cross(corner(1) - first, corner(2) - first, 2);
    return normals / normals.norm(2, 2, /*keepdim=*/true).clamp_min(1e-12);
}

at::Tensor mean_square_distances(const at::Tensor& positions, const at::Tensor& truth) {
    return square_millimetres * (positions - truth).square().sum(2).mean(1);
}

at::ScalarType type_of(Precision precision) { return precision == Precision::Single ? at::kFloat : at::kDouble; }

}  // namespace

TorchGarment::TorchGarment(const methods::GarmentLesson& lesson, Precision precision)
    : lesson_(lesson),
      precision_(precision),
      sizes_(neural::sizes_of(lesson.start.network)),
      projection_(projections::make_projection(lesson.cloth, lesson.start.projection)) {}

at::Tensor TorchGarment::images(const at::Tensor& parameters, Batch examples) const {
    const at::ScalarType type = type_of(precision_);
    const neural::ImageNetwork& network = lesson_.start.network;
    const at::Tensor inputs = gather(examples, &GarmentExample::inputs, {sizes_.inputs}, type);
    return torch_images(sizes_, parameters,
                        (inputs - tensor_of(network.input_mean, {1, sizes_.inputs}, type)) /
                            tensor_of(network.input_scale, {1, sizes_.inputs}, type));
}

at::Tensor TorchGarment::positions_of(const at::Tensor& images, const at::Tensor& parameters, Batch examples) const {
    const at::ScalarType type = type_of(precision_);
    const int64_t vertices = lesson_.image.vertex_count();
    const at::Tensor mean = tensor_of(lesson_.start.mean_offsets, {1, vertices, 3}, type);
    const at::Tensor offsets = mean + lesson_.start.offset_scale * torch_read(lesson_.image, images);
    const at::Tensor frames = gather(examples, &GarmentExample::frames, {vertices, 3, 3}, type);
    const at::Tensor places = gather(examples, &GarmentExample::places, {vertices, 3}, type);
    const at::Tensor inferred = places + (frames * offsets.unsqueeze(2)).sum(3);
    if (!projection_) return inferred;
    if (lesson_.learnt_mu != methods::LearntMu::No) {
        const int64_t weights = neural::parameter_count(lesson_.start.network);
        return project(*projection_, inferred, (lesson_.mu_rate * parameters.slice(0, weights)).exp());
    }
    if (lesson_.start.mu.size() > 0)
        return project(*projection_, inferred, tensor_of(lesson_.start.mu, {vertices}, type));
    return project(*projection_, inferred);
}

at::Tensor TorchGarment::image_losses(const at::Tensor& images, Batch examples) const {
    const auto& pixels = lesson_.pixels;
    const int64_t channel = static_cast<int64_t>(lesson_.image.height()) * lesson_.image.width();
    const auto count = static_cast<int64_t>(pixels.size());
    at::Tensor places = at::empty({count, 3}, at::kLong);
    at::Tensor truth = at::empty({static_cast<int64_t>(examples.size()), count, 3}, at::kDouble);
    for (int64_t i = 0; i < count; ++i)
        for (int64_t k = 0; k < 3; ++k)
            places.data_ptr<int64_t>()[3 * i + k] = pixels[static_cast<size_t>(i)].pixel + k * channel;
    auto* target = truth.data_ptr<double>();
    for (const GarmentExample* example : examples) {
        const Positions offsets = offsets_of(*example) - lesson_.start.mean_offsets;
        for (const methods::PatternPixel& pixel : pixels) {
            Vector3 sum = Vector3::Zero();
            for (size_t k = 0; k < 3; ++k)
                sum += static_cast<double>(pixel.weights[k]) * offsets.row(pixel.vertices[k]).transpose();
            target = std::copy_n(sum.data(), 3, target);
        }
    }
    const at::Tensor said =
        images.reshape({images.size(0), -1}).index_select(1, places.reshape({-1})).reshape({images.size(0), count, 3});
    return mean_square_distances(lesson_.start.offset_scale * said, truth.to(type_of(precision_)));
}

at::Tensor TorchGarment::positions(const at::Tensor& parameters, Batch examples) const {
    return positions_of(images(parameters, examples), parameters, examples);
}

at::Tensor TorchGarment::losses(const at::Tensor& parameters, Batch examples) const {
    const at::Tensor shown = images(parameters, examples);
    const at::Tensor positions = positions_of(shown, parameters, examples);
    const at::Tensor truth =
        gather(examples, &GarmentExample::positions, {lesson_.image.vertex_count(), 3}, type_of(precision_));
    at::Tensor losses = mean_square_distances(positions, truth);
    if (lesson_.loss.image > 0) losses = losses + lesson_.loss.image * image_losses(shown, examples);
    if (lesson_.loss.normals > 0) {
        const Triangles& triangles = lesson_.cloth.triangles;
        const at::Tensor cosines = (normals_of(positions, triangles) * normals_of(truth, triangles)).sum(2);
        losses = losses + lesson_.loss.normals * (1 - cosines).mean(1);
    }
    return losses;
}

}  // namespace tulle::training

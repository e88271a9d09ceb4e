// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/garment_lesson.h"

#include "tulle/neural/image_parameters.h"

#include <cassert>
#include <cmath>

namespace tulle::methods {

namespace {

constexpr float least_scale = 1e-3f;  // of an input: what a joint that hardly moves does is not blown up

Eigen::Map<const Eigen::Matrix<float, 3, 3, Eigen::RowMajor>> frame_of(const GarmentExample& example, long vertex) {
    return Eigen::Map<const Eigen::Matrix<float, 3, 3, Eigen::RowMajor>>(example.frames.row(vertex).data());
}

void measure_inputs(const GarmentExamples& examples, GarmentModel& model) {
    const long size = examples.front().inputs.size();
    VectorX sum = VectorX::Zero(size), squares = VectorX::Zero(size);
    model.input_low = model.input_high = examples.front().inputs;
    for (const GarmentExample& example : examples) {
        model.input_low = model.input_low.cwiseMin(example.inputs);
        model.input_high = model.input_high.cwiseMax(example.inputs);
        sum += example.inputs.cast<double>();
        squares += example.inputs.cast<double>().cwiseAbs2();
    }
    const auto count = static_cast<double>(examples.size());
    const VectorX mean = sum / count;
    const VectorX variance = (squares / count - mean.cwiseAbs2()).cwiseMax(0);
    model.network.input_mean = mean.cast<float>();
    model.network.input_scale = variance.cwiseSqrt().cast<float>().cwiseMax(least_scale);
}

void measure_offsets(const GarmentExamples& examples, GarmentModel& model) {
    Positions sum = Positions::Zero(examples.front().positions.rows(), 3);
    double squares = 0;
    for (const GarmentExample& example : examples) {
        const Positions offsets = offsets_of(example);
        sum += offsets;
        squares += offsets.squaredNorm();
    }
    const auto count = static_cast<double>(examples.size());
    model.mean_offsets = sum / count;
    const double variance = squares / count - model.mean_offsets.squaredNorm();
    model.offset_scale = std::max(1e-6, std::sqrt(std::max(0.0, variance) / static_cast<double>(sum.size())));
}

}  // namespace

Positions offsets_of(const GarmentExample& example) {
    Positions offsets(example.positions.rows(), 3);
    for (long v = 0; v < offsets.rows(); ++v)
        offsets.row(v) = ((example.positions.row(v) - example.places.row(v)) * frame_of(example, v)).cast<double>();
    return offsets;
}

Positions positions_at(const GarmentExample& example, const Positions& offsets) {
    Positions positions = example.places.cast<double>();
    for (long v = 0; v < positions.rows(); ++v)
        positions.row(v) += offsets.row(v) * frame_of(example, v).cast<double>().transpose();
    return positions;
}

void measure_normalisation(const GarmentExamples& training, GarmentModel& model) {
    assert(!training.empty());
    measure_inputs(training, model);
    measure_offsets(training, model);
}

std::vector<float> parameters_of(const GarmentLesson& lesson) {
    std::vector<float> parameters = neural::parameters_of(lesson.start.network);
    if (lesson.learnt_mu == LearntMu::No) return parameters;
    const long vertices = lesson.image.vertex_count();
    const double common = lesson.start.projection.quasistatics->mu;
    const VectorX start =
        lesson.start.mu.size() == vertices ? lesson.start.mu : VectorX(VectorX::Constant(vertices, common));
    const long count = lesson.learnt_mu == LearntMu::Global ? 1 : vertices;
    for (long i = 0; i < count; ++i) parameters.push_back(static_cast<float>(std::log(start(i)) / lesson.mu_rate));
    return parameters;
}

GarmentModel model_with(const GarmentLesson& lesson, std::span<const float> parameters) {
    GarmentModel model = lesson.start;
    const auto weights = static_cast<size_t>(neural::parameter_count(model.network));
    neural::set_parameters(parameters.first(weights), model.network);
    const std::span<const float> logarithms = parameters.subspan(weights);
    const auto mu = [&](float logarithm) { return std::exp(lesson.mu_rate * static_cast<double>(logarithm)); };
    if (lesson.learnt_mu == LearntMu::Global) {
        model.projection.quasistatics->mu = mu(logarithms.front());
        model.mu.resize(0);
    } else if (lesson.learnt_mu == LearntMu::Vertex) {
        model.mu.resize(static_cast<long>(logarithms.size()));
        for (size_t v = 0; v < logarithms.size(); ++v) model.mu(static_cast<long>(v)) = mu(logarithms[v]);
    }
    return model;
}

}  // namespace tulle::methods

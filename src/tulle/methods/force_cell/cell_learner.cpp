// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/cell_learner.h"

#include "tulle/core/parallel.h"
#include "tulle/core/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tulle::methods {

namespace {

constexpr long block = 64;  // samples whose gradients are added up together, whatever the number of threads

struct BlockSum {
    CellVector gradient = CellVector::Zero();
    double loss = 0;
    long bad_sample = -1;
};

}  // namespace

CellLearner::CellLearner(std::shared_ptr<const CellSamples> training, std::shared_ptr<const CellSamples> validation,
                         CellLearnerSettings settings)
    : training_(std::move(training)), validation_(std::move(validation)), settings_(std::move(settings)) {
    const long stride = std::max(1L, training_->count() / 10'000);
    const long count = (training_->count() + stride - 1) / stride;
    unit_ = parallel_sum(count, [&](long i) {
        const auto [state, vertex] = training_->at(i * stride);
        return loss_weight(state, settings_.physics_share) / 3 * state.accelerations.row(vertex).squaredNorm();
    });
    unit_ = std::max(settings_.unit * settings_.unit * unit_ / static_cast<double>(count), 1e-300);
}

std::vector<float> CellLearner::initial_parameters() const {
    const Eigen::VectorXf start = settings_.start.cast<float>();
    return {start.data(), start.data() + start.size()};
}

ForceCell CellLearner::cell(std::span<const float> parameters) const {
    const VectorX learnt =
        Eigen::Map<const Eigen::VectorXf>(parameters.data(), static_cast<long>(parameters.size())).cast<double>();
    return to_cell(settings_.parameters.numbers(learnt), settings_.design);
}

datasets::BatchLoss CellLearner::gradient(std::span<const long> batch, std::span<const float> parameters,
                                          std::span<float> gradient) {
    const ForceCell now = cell(parameters);
    const auto count = static_cast<long>(batch.size());
    std::vector<BlockSum> sums(static_cast<size_t>((count + block - 1) / block));
    parallel_ranges(
        static_cast<long>(sums.size()),
        [&](long begin, long end) {
            CellGradient change;
            for (long b = begin; b < end; ++b)
                for (long i = b * block; i < std::min(count, (b + 1) * block); ++i) {
                    const auto [state, vertex] = training_->at(batch[static_cast<size_t>(i)]);
                    const Vector3 error =
                        cell_gradient(now, state, vertex, change) - Vector3(state.accelerations.row(vertex));
                    const double weight = loss_weight(state, settings_.physics_share) / 3;
                    BlockSum& sum = sums[static_cast<size_t>(b)];
                    sum.loss += weight * error.squaredNorm();
                    sum.gradient += 2 * weight * change.transpose() * error;
                    if (!error.allFinite()) sum.bad_sample = batch[static_cast<size_t>(i)];
                }
        },
        /*grain=*/2);
    BlockSum total;
    for (const BlockSum& sum : sums) {
        total.gradient += sum.gradient;
        total.loss += sum.loss;
        total.bad_sample = std::max(total.bad_sample, sum.bad_sample);
    }
    const VectorX learnt =
        settings_.parameters.matrix.transpose() * total.gradient / (static_cast<double>(count) * unit_);
    Eigen::Map<Eigen::VectorXf>(gradient.data(), static_cast<long>(gradient.size())) = learnt.cast<float>();
    return {.sum = total.loss, .bad_sample = total.bad_sample};
}

double CellLearner::mean_loss(double sum, long samples) const { return sum / static_cast<double>(samples); }

datasets::ValidationErrors CellLearner::validate(std::span<const float> parameters) const {
    const ForceCell now = cell(parameters);
    const long count = std::min(settings_.validation_samples, validation_->count());
    Random random(1);
    std::vector<long> chosen(static_cast<size_t>(count));
    for (long& index : chosen)
        index = static_cast<long>(random.bits() % static_cast<std::uint64_t>(validation_->count()));
    const auto sum_over = [&](const auto& term) {
        return parallel_sum(count, [&](long i) {
            const auto [state, vertex] = validation_->at(chosen[static_cast<size_t>(i)]);
            const Vector3 truth = state.accelerations.row(vertex);
            const Vector3 said = cell_acceleration(now, *state.grid, state.positions, state.velocities, vertex);
            return term(state, Vector3(said - truth), truth);
        });
    };
    const double loss = sum_over([&](const CellState& state, const Vector3& error, const Vector3&) {
        return loss_weight(state, settings_.physics_share) / 3 * error.squaredNorm();
    });
    const double wrong =
        sum_over([](const CellState&, const Vector3& error, const Vector3&) { return error.squaredNorm(); });
    const double all =
        sum_over([](const CellState&, const Vector3&, const Vector3& truth) { return truth.squaredNorm(); });
    return {.loss = loss / static_cast<double>(count), .relative_error = std::sqrt(wrong / all), .samples = count};
}

std::map<std::string, std::string> CellLearner::identity() const {
    const CellDesign& design = settings_.design;
    return {{"learner", "force_cell"},
            {"activation", to_string(design.activation)},
            {"softening", fmt::format("{}", design.softening)},
            {"parameters", fmt::format("{}", settings_.parameters.count())},
            {"units", fmt::format("{}", settings_.parameters.matrix.squaredNorm())},
            {"physics_share", fmt::format("{}", settings_.physics_share)},
            {"samples", fmt::format("{} {}", training_->count(), validation_->count())}};
}

}  // namespace tulle::methods

// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/parallel.h"
#include "tulle/training/character_parameters.h"
#include "tulle/training/dense_kernel.h"
#include "tulle/training/flush_denormals.h"
#include "tulle/training/gradient_engine.h"
#include "tulle/training/parameters.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tulle::training {

namespace {

constexpr int chunk_size = 128;   // samples that pass the network together: few enough for the L2 cache
constexpr long group_count = 16;  // of chunks with a gradient of their own, so that bits depend on no thread

struct Group {
    std::vector<float> gradient;
    DenseLoss loss;
    long bad_sample = -1;
};

struct Workspace {
    std::vector<float> inputs, targets, kernel;
};

class FusedEngine : public GradientEngine {
public:
    explicit FusedEngine(const EngineSettings& settings)
        : settings_(settings),
          inverse_input_scale_(settings.normalisation.input_scale.cwiseInverse()),
          inverse_output_scale_(settings.normalisation.output_scale.cwiseInverse()),
          groups_(group_count) {
        assert(!settings.symmetry || settings.loss == Loss::Relative);  // which coefficients have as numbers do
        if (settings.symmetry) characters_.emplace(*settings.symmetry, settings.sizes);
        const long count = characters_ ? characters_->count() : parameter_count(settings_.sizes);
        for (Group& group : groups_) group.gradient.resize(static_cast<size_t>(count));
        if (characters_) {
            blocks_.resize(static_cast<size_t>(count));
            gradient_of_blocks_.resize(static_cast<size_t>(count));
        }
    }

    BatchLoss gradient(const SampleSet& samples, std::span<const long> batch, std::span<const float> parameters,
                       std::span<float> gradient) override {
        if (!characters_) return gradient_of(samples, batch, parameters, gradient);
        characters_->to_blocks(parameters, blocks_);
        const BatchLoss loss = gradient_of(samples, batch, blocks_, gradient_of_blocks_);
        characters_->from_blocks(gradient_of_blocks_, gradient);
        return loss;
    }

private:
    BatchLoss gradient_of(const SampleSet& samples, std::span<const long> batch, std::span<const float> parameters,
                          std::span<float> gradient) {
        workspaces_.resize(static_cast<size_t>(thread_count()));
        const long chunks = (static_cast<long>(batch.size()) + chunk_size - 1) / chunk_size;
        const long used = std::min(group_count, chunks);
        std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic)
        for (long g = 0; g < used; ++g) {
            const FlushDenormals flush;
            try {
                work_on_group(groups_[static_cast<size_t>(g)], samples, batch, chunks * g / used * chunk_size,
                              chunks * (g + 1) / used * chunk_size, parameters);
            } catch (...) {
#pragma omp critical
                failure = std::current_exception();
            }
        }
        if (failure) std::rethrow_exception(failure);
        return add_up(used, static_cast<long>(batch.size()), gradient);
    }

    void work_on_group(Group& group, const SampleSet& samples, std::span<const long> batch, long begin, long end,
                       std::span<const float> parameters) {
        Workspace& space = workspaces_[static_cast<size_t>(omp_get_thread_num())];
        const DenseShape shape = dense_shape();
        space.inputs.resize(chunk_size * static_cast<size_t>(settings_.sizes.front()));
        space.targets.resize(chunk_size * static_cast<size_t>(settings_.sizes.back()));
        space.kernel.resize(static_cast<size_t>(workspace_size(shape, chunk_size)));
        std::fill(group.gradient.begin(), group.gradient.end(), 0.0f);
        group.loss = {};
        group.bad_sample = -1;
        const float numbers = static_cast<float>(batch.size()) * static_cast<float>(settings_.sizes.back());
        end = std::min(end, static_cast<long>(batch.size()));
        for (long first = begin; first < end; first += chunk_size) {
            const long count = std::min<long>(chunk_size, end - first);
            const auto chosen = batch.subspan(static_cast<size_t>(first), static_cast<size_t>(count));
            if (!cut_chunk(samples, chosen, space)) group.bad_sample = find_bad_sample(samples, chosen, space);
            const DenseChunk chunk{.inputs = space.inputs.data(),
                                   .targets = space.targets.data(),
                                   .output_scales = settings_.normalisation.output_scale.data(),
                                   .count = static_cast<int>(count),
                                   .factor = 1 / numbers};
            const DenseLoss loss =
                kernel_.gradient(shape, parameters.data(), chunk, space.kernel.data(), group.gradient.data());
            group.loss.minimised += loss.minimised;
            group.loss.reported += loss.reported;
        }
    }

    // Returns whether all numbers are finite.
    bool cut_chunk(const SampleSet& samples, std::span<const long> chosen, Workspace& space) const {
        const auto inputs = static_cast<size_t>(settings_.sizes.front());
        const auto outputs = static_cast<size_t>(settings_.sizes.back());
        for (size_t i = 0; i < chosen.size(); ++i)
            samples.cut(chosen[i], {&space.inputs[i * inputs], inputs}, {&space.targets[i * outputs], outputs});
        const neural::Normalisation& normal = settings_.normalisation;
        const auto rows = static_cast<int>(chosen.size());
        const bool finite = kernel_.normalise(normal.input_mean.data(), inverse_input_scale_.data(),
                                              settings_.sizes.front(), rows, space.inputs.data()) &&
                            kernel_.normalise(normal.output_mean.data(), inverse_output_scale_.data(),
                                              settings_.sizes.back(), rows, space.targets.data());
        if (characters_) {
            to_coefficients(characters_->inputs(), rows, space.inputs);
            to_coefficients(characters_->outputs(), rows, space.targets);
        }
        return finite;
    }

    static void to_coefficients(const neural::CharacterBasis& basis, int rows, std::vector<float>& numbers) {
        const auto width = static_cast<size_t>(basis.width());
        std::vector<float> row(width);
        for (size_t i = 0; i < static_cast<size_t>(rows); ++i) {
            std::copy_n(&numbers[i * width], width, row.data());
            basis.to_coefficients(row.data(), &numbers[i * width]);
        }
    }

    long find_bad_sample(const SampleSet& samples, std::span<const long> chosen, Workspace& space) const {
        for (const long& sample : chosen)
            if (!cut_chunk(samples, {&sample, 1}, space)) return sample;
        return chosen.front();
    }

    BatchLoss add_up(long used, long batch, std::span<float> gradient) const {
        BatchLoss result;
        const auto count = static_cast<long>(gradient.size());
        double minimised = 0;
        for (long g = 0; g < used; ++g) {
            const Group& group = groups_[static_cast<size_t>(g)];
            minimised += group.loss.minimised;
            result.sum += group.loss.reported;
            if (group.bad_sample >= 0) result.bad_sample = group.bad_sample;
        }
        // d√m = dm / 2√m, where m is the mean square.
        const double mean = minimised / (static_cast<double>(batch) * settings_.sizes.back());
        const float factor =
            settings_.loss == Loss::Rmse ? static_cast<float>(0.5 / std::sqrt(std::max(mean, 1e-30))) : 1.0f;
        // On one thread: waiting for the others once more would take longer.
        std::fill(gradient.begin(), gradient.end(), 0.0f);
        for (long g = 0; g < used; ++g)
            kernel_.add(groups_[static_cast<size_t>(g)].gradient.data(), gradient.data(), count);
        if (factor != 1.0f)
            for (float& number : gradient) number *= factor;
        return result;
    }

    DenseShape dense_shape() const {
        return {.sizes = settings_.sizes.data(),
                .layer_count = static_cast<int>(settings_.sizes.size()) - 1,
                .leak = settings_.activation == neural::Activation::LeakyRelu ? 0.01f : 0.0f,
                .error = settings_.loss == Loss::Huber      ? DenseError::Huber
                         : settings_.loss == Loss::Relative ? DenseError::Relative
                                                            : DenseError::Squares,
                .characters = characters_ ? characters_->characters() : 1,
                .begins = characters_ ? characters_->begins().data() : nullptr};
    }

    EngineSettings settings_;
    std::optional<CharacterParameters> characters_;  // if there is a symmetry
    std::vector<float> blocks_, gradient_of_blocks_;
    Eigen::VectorXf inverse_input_scale_, inverse_output_scale_;
    DenseKernel kernel_ = dense_kernel();
    std::vector<Group> groups_;
    std::vector<Workspace> workspaces_;  // one per thread
};

}  // namespace

std::unique_ptr<GradientEngine> make_fused_engine(const EngineSettings& settings) {
    return std::make_unique<FusedEngine>(settings);
}

}  // namespace tulle::training

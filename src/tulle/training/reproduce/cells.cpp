// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/reproduce/cells.h"

#include "tulle/core/error.h"
#include "tulle/core/random.h"
#include "tulle/methods/miniature/patch_samples.h"

#include <algorithm>

namespace tulle::training {

namespace {

constexpr long measured_samples = 200'000;

TrainerSettings settings_of(const Cell& cell) {
    const bool local = cell.pieces.features == methods::Features::Local;
    return {.hidden = cell.hidden,
            .zero_last_layer = local,
            .center_outputs = !local,
            .common_scale = true,
            .loss = cell.loss,
            .learning_rate = 2e-3,
            .batch = 1024,
            .samples_per_epoch = cell.samples_per_epoch,
            .epochs = cell.epochs,
            .minutes = cell.epochs > 0 ? 0 : cell.minutes,
            // Thousands of short epochs would spend their time on validation.
            .validation_samples = cell.epochs > 0 ? 2'000 : 50'000};
}

// [m²] for a squared answer of 1.
double unit_squared(const RecipeData& data, const Pieces& pieces) {
    if (pieces.features != methods::Features::Local) return 1;
    const datasets::Sequence& sequence = data.sequences.front();
    const int levels_above = pieces.method == "hierarchy" ? pieces.level - 1 : 0;
    const double unit = methods::rest_spacing(sequence.grid, sequence.mesh.positions, pieces.factor >> levels_above);
    return unit * unit;
}

}  // namespace

Pieces patches(int factor, methods::Features features) {
    return {.method = "miniature", .factor = factor, .level = 1, .features = features};
}

Pieces triangles(int level, methods::Features features) {
    return {.method = "hierarchy", .factor = 4, .level = level, .features = features};
}

SampleSubset::SampleSubset(const SampleSet& all, long count)
    : inputs_(std::min(count, all.count()), all.input_size()), outputs_(inputs_.rows(), all.output_size()) {
    Random random(1);
    for (long i = 0; i < inputs_.rows(); ++i) {
        const auto chosen = static_cast<long>(random.bits() % static_cast<std::uint64_t>(all.count()));
        all.cut(chosen, {inputs_.row(i).data(), static_cast<size_t>(inputs_.cols())},
                {outputs_.row(i).data(), static_cast<size_t>(outputs_.cols())});
    }
}

void SampleSubset::cut(long index, std::span<float> input, std::span<float> output) const {
    std::copy_n(inputs_.row(index).data(), inputs_.cols(), input.begin());
    std::copy_n(outputs_.row(index).data(), outputs_.cols(), output.begin());
}

CellResult train_cell(const RecipeData& data, const Cell& cell, const CellProgress& on_progress) {
    const CutSamples training(data.sequences, data.split.training, cell.pieces);
    const CutSamples validation(data.sequences, data.split.validation, cell.pieces);
    const CutSamples test(data.sequences, data.split.test, cell.pieces);
    const bool fixed_subset = cell.epochs > 0 && cell.samples_per_epoch > 0;
    const SampleSubset subset(training.set(), fixed_subset ? cell.samples_per_epoch : 1);
    const SampleSet chosen = fixed_subset ? SampleSet({&subset}) : training.set();
    TrainResult result = train(chosen, validation.set(), settings_of(cell), {}, [&](const TrainProgress& progress) {
        return !on_progress || on_progress(progress.fraction);
    });
    if (result.stopped) throw Error("stopped");
    const double squared = unit_squared(data, cell.pieces);
    CellResult done{.network = result.network, .history = std::move(result.history)};
    for (EpochRecord& record : done.history) record.training_loss *= squared;
    done.training_loss = squared * mean_loss(done.network, chosen, Loss::Mse, measured_samples);
    done.test_loss = squared * mean_loss(done.network, test.set(), Loss::Mse, measured_samples);
    done.minutes = done.history.empty() ? 0 : done.history.back().seconds / 60;
    return done;
}

}  // namespace tulle::training

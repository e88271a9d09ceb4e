// SPDX-License-Identifier: Apache-2.0
// libtorch takes long to compile: only this file and torch_force_cell.cpp include it.
#include "tulle/core/parallel.h"
#include "tulle/training/dense_kernel.h"
#include "tulle/training/gradient_engine.h"
#include "tulle/training/relative_loss.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>

namespace tulle::training {

namespace {

at::Tensor view(std::span<const float> numbers, at::IntArrayRef shape) {
    return at::from_blob(const_cast<float*>(numbers.data()), shape, at::kFloat);  // NOLINT: libtorch has no const view
}

class TorchEngine : public GradientEngine {
public:
    explicit TorchEngine(const EngineSettings& settings) : settings_(settings) {}

    BatchLoss gradient(const SampleSet& samples, std::span<const long> batch, std::span<const float> parameters,
                       std::span<float> gradient) override {
        at::set_num_threads(thread_count());
        BatchLoss result{.bad_sample = cut(samples, batch)};
        const auto count = static_cast<long>(batch.size());
        const at::Tensor targets = view(targets_, {count, settings_.sizes.back()});
        at::Tensor flat = view(parameters, {static_cast<long>(parameters.size())}).clone().requires_grad_();
        const at::Tensor predictions = forward(flat, view(inputs_, {count, settings_.sizes.front()}));
        loss(predictions, targets).backward();
        std::copy_n(flat.grad().contiguous().data_ptr<float>(), gradient.size(), gradient.begin());
        result.sum = sum_in_own_units(predictions.detach(), targets);
        return result;
    }

private:
    // Normalised. Returns a sample that is not finite, or -1.
    long cut(const SampleSet& samples, std::span<const long> batch) {
        const auto inputs = static_cast<size_t>(settings_.sizes.front());
        const auto outputs = static_cast<size_t>(settings_.sizes.back());
        inputs_.resize(batch.size() * inputs);
        targets_.resize(batch.size() * outputs);
        const neural::Normalisation& normal = settings_.normalisation;
        std::atomic<long> bad_sample = -1;
        parallel_for(static_cast<long>(batch.size()), [&](long i) {
            const auto row = static_cast<size_t>(i);
            Eigen::Map<Eigen::ArrayXf> x(&inputs_[row * inputs], static_cast<long>(inputs));
            Eigen::Map<Eigen::ArrayXf> y(&targets_[row * outputs], static_cast<long>(outputs));
            samples.cut(batch[row], {x.data(), inputs}, {y.data(), outputs});
            x = (x - normal.input_mean.array()) / normal.input_scale.array();
            y = (y - normal.output_mean.array()) / normal.output_scale.array();
            if (!x.allFinite() || !y.allFinite()) bad_sample = batch[row];
        });
        return bad_sample;
    }

    at::Tensor forward(const at::Tensor& flat, at::Tensor x) const {
        long offset = 0;
        for (size_t layer = 0; layer + 1 < settings_.sizes.size(); ++layer) {
            const long in = settings_.sizes[layer], out = settings_.sizes[layer + 1];
            const at::Tensor weights = flat.narrow(0, offset, in * out).view({out, in});
            const at::Tensor bias = flat.narrow(0, offset + in * out, out);
            offset += (in + 1) * out;
            x = at::addmm(bias, x, weights.t());
            if (layer + 2 < settings_.sizes.size())
                x = settings_.activation == neural::Activation::LeakyRelu ? at::leaky_relu(x, 0.01) : at::relu(x);
        }
        return x;
    }

    at::Tensor loss(const at::Tensor& predictions, const at::Tensor& targets) const {
        switch (settings_.loss) {
            case Loss::Mse:
                return at::mse_loss(predictions, targets);
            case Loss::Rmse:
                return at::mse_loss(predictions, targets).sqrt();
            case Loss::Relative:
                return relative_losses(predictions, targets).mean();
            case Loss::Huber:
                break;
        }
        return at::huber_loss(predictions, targets, at::Reduction::Mean, huber_width);
    }

    // Of each sample; relative_loss.h has the formula.
    static at::Tensor relative_losses(const at::Tensor& predictions, const at::Tensor& targets) {
        const long n = predictions.size(1) - methods::answer_heads;
        const double floor2 = double{relative_floor} * double{relative_floor};
        const at::Tensor t = targets.narrow(1, 0, n), weight = targets.select(1, n);
        const at::Tensor m = predictions.select(1, n), q = predictions.select(1, n + 1);
        const at::Tensor held = m.clamp(methods::least_log_scale, methods::most_log_scale);
        const at::Tensor error2 = (held.exp().unsqueeze(1) * predictions.narrow(1, 0, n) - t).square().sum(1);
        const at::Tensor target2 = t.square().sum(1) + static_cast<double>(n) * floor2;
        const at::Tensor off = m - 0.5 * (target2 / n).log();
        const at::Tensor over = q + held.detach() - 0.5 * (error2.detach() / n + floor2).log();
        const at::Tensor pinball = at::max((1 - relative_quantile) * over, -relative_quantile * over);
        const at::Tensor length = (error2 / target2 + relative_width * relative_width).sqrt();
        return weight * (length - relative_width) + relative_side_weight * (0.5 * off.square() + pinball);
    }

    double sum_in_own_units(const at::Tensor& predictions, const at::Tensor& targets) const {
        if (settings_.loss == Loss::Relative)
            return static_cast<double>(predictions.size(1)) *
                   relative_losses(predictions, targets).sum(at::kDouble).item<double>();
        const Eigen::VectorXf& scale = settings_.normalisation.output_scale;
        const at::Tensor scales = view({scale.data(), static_cast<size_t>(scale.size())}, {scale.size()});
        const at::Tensor sizes = settings_.loss == Loss::Huber
                                     ? at::huber_loss(predictions, targets, at::Reduction::None, huber_width)
                                     : (predictions - targets).square();
        return (sizes * scales.square()).sum(at::kDouble).item<double>();
    }

    EngineSettings settings_;
    std::vector<float> inputs_, targets_;  // normalised, one row per sample
};

}  // namespace

std::unique_ptr<GradientEngine> make_torch_engine(const EngineSettings& settings) {
    return std::make_unique<TorchEngine>(settings);
}

}  // namespace tulle::training

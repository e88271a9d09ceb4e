// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/normalisation.h"

#include "tulle/core/parallel.h"
#include "tulle/training/sample_order.h"

#include <algorithm>
#include <cmath>

namespace tulle::training {

namespace {

using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;  // samples×numbers
using Eigen::VectorXd;
using Eigen::VectorXf;

struct Spread {
    VectorXf mean, scale;
};

Spread measure(const Rows& all, const std::vector<long>& finite, bool centered, bool common_scale) {
    const double count = std::max<double>(1, static_cast<double>(finite.size()));
    VectorXd mean = VectorXd::Zero(all.cols());
    if (centered)
        for (const long row : finite) mean += all.row(row).transpose().cast<double>() / count;
    VectorXd variance = VectorXd::Zero(all.cols());
    for (const long row : finite) variance += (all.row(row).transpose().cast<double>() - mean).cwiseAbs2() / count;
    const double common = std::sqrt(variance.mean());
    // A number that hardly varies here may vary elsewhere: its own tiny scale would then make it huge.
    constexpr double smallest = 1e-3;
    VectorXd scale = variance.cwiseSqrt().cwiseMax(smallest * common);
    if (common_scale) scale.setConstant(common);
    if (!(common > 1e-30)) scale.setOnes();
    return {mean.cast<float>(), scale.cast<float>()};
}

}  // namespace

neural::Normalisation measure_normalisation(const SampleSet& samples, const TrainerSettings& settings) {
    const long count = std::min(samples.count(), settings.normalisation_samples);
    Rows inputs(count, samples.input_size()), outputs(count, samples.output_size());
    const SampleOrder order(samples.count(), mix(settings.seed) ^ 0x6e6f726d);
    parallel_for(count, [&](long i) {
        samples.cut(order[i], {inputs.row(i).data(), static_cast<size_t>(inputs.cols())},
                    {outputs.row(i).data(), static_cast<size_t>(outputs.cols())});
    });
    std::vector<long> finite;
    for (long i = 0; i < count; ++i)
        if (inputs.row(i).allFinite() && outputs.row(i).allFinite()) finite.push_back(i);
    const Spread input = measure(inputs, finite, true, settings.common_scale);
    const Spread output = measure(outputs, finite, settings.center_outputs, settings.common_scale);
    return {input.mean, input.scale, output.mean, output.scale};
}

}  // namespace tulle::training

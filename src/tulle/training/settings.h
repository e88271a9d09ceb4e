// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/neural/network.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tulle::training {

// What is made small, over all samples and output numbers with error e:
//   Mse e², Rmse the root of the mean e² of a batch, Huber ½e² near zero and linear beyond a
//   fiftieth of an output scale: nearly the mean distance, which a few wild folds do not rule. Relative: the error of a
//   sample over the size of what it should say, see relative_loss.h.
enum class Loss { Mse, Rmse, Huber, Relative };
enum class Optimiser { Adam, AdamW, Sgd };  // Sgd has a momentum of 0.9
// Step: three equal factors, at 1/4, 1/2 and 3/4 of the budget. StepCosine: in the first half three equal factors down
// to a tenth, in the second half cosine annealing from there, as in the force-cell paper.
enum class Schedule { Constant, Cosine, Step, StepCosine };
enum class Engine { Fused, Torch };  // our kernel, or libtorch's autograd: the same, ten times slower

std::string to_string(Loss loss);            // "mse", "rmse", "huber", "relative"
std::string to_string(Optimiser optimiser);  // "adam", "adamw", "sgd"
std::string to_string(Schedule schedule);    // "constant", "cosine", "step", "step_cosine"
std::string to_string(Engine engine);        // "fused", "torch"
Loss parse_loss(const std::string& name);
Optimiser parse_optimiser(const std::string& name);
Schedule parse_schedule(const std::string& name);
Engine parse_engine(const std::string& name);

struct TrainerSettings {
    std::vector<int> hidden = {64, 64, 64};
    neural::Activation activation = neural::Activation::Relu;
    bool zero_last_layer = false;  // start as the zero function, before the output normalisation
    bool center_outputs = true;    // false: output_mean stays zero
    bool common_scale = false;     // one scale for all inputs and one for all outputs, not one per number
    bool normalise = true;         // false: samples have about unit size already

    Loss loss = Loss::Mse;
    Optimiser optimiser = Optimiser::Adam;
    double weight_decay = 0;  // Adam and Sgd add it to the gradient, AdamW takes it off the weights
    double learning_rate = 1e-3;
    double final_learning_rate = 0;  // 0: 1 % of learning_rate
    Schedule schedule = Schedule::Cosine;

    int batch = 2048;
    long samples_per_epoch = 0;  // 0: all; fewer make shorter epochs that go on through the samples
    int epochs = 0;              // exactly one of epochs and minutes is the budget
    double minutes = 0;
    long validation_samples = 50'000;     // at most so many, always the same
    long normalisation_samples = 20'000;  // likewise, to measure means and scales

    // Of the validation, before a training that this one goes on from; 0: this one begins anew. A restart shakes good
    // weights for a few steps, which must not be taken for a divergence.
    double untrained_loss = 0;

    std::uint64_t seed = 1;
    int threads = 0;                     // 0: as many as OpenMP gives
    std::function<double()> clock = {};  // [s] since the beginning, for tests; none: the machine's
    Engine engine = Engine::Fused;
};

// Throws an Error for settings that make no sense.
void check(const TrainerSettings& settings);

// After a fraction (0 to 1) of the budget.
double learning_rate_at(const TrainerSettings& settings, double fraction);

}  // namespace tulle::training

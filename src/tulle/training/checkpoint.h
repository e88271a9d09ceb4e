// SPDX-License-Identifier: Apache-2.0
// A checkpoint holds everything that decides how a training goes on:
//
//   "TULLETRN", u64 little-endian N, N bytes of JSON, f32 arrays of P numbers each (parameters, first and second
//   moments, best parameters), u64 FNV-1a hash of all bytes before it.
//
// JSON: format = "tulle-training", version = 1, parameters = P, identity (what must not change when resuming), and the
// plain numbers of TrainingState. A reader refuses anything else: another size, a wrong hash, numbers out of range.
#pragma once

#include "tulle/core/file_format.h"
#include "tulle/training/history.h"
#include "tulle/training/optimiser.h"

#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace tulle::training {

inline constexpr FileFormat checkpoint_format{"a checkpoint of a training", "TULLETRN"};

struct TrainingState {
    int epoch = 0;              // finished ones
    long epoch_samples = 0;     // seen in the epoch that is not finished
    long samples_seen = 0;      // in all
    long step = 0;              // batches in all
    double seconds = 0;         // of training in all
    double epoch_loss_sum = 0;  // over the epoch's samples and output numbers
    double initial_validation_loss = std::numeric_limits<double>::infinity();
    double best_validation_loss = std::numeric_limits<double>::infinity();
    int best_epoch = 0;
    std::vector<EpochRecord> history;

    std::vector<float> parameters;
    Moments moments;
    std::vector<float> best_parameters;
};

// What was trained and on what, as names and values; a budget may grow, so it is not part of it.
using Identity = std::map<std::string, std::string>;

// Under a temporary name first; replaces the older one.
void write_checkpoint(const std::filesystem::path& path, const TrainingState& state, const Identity& identity);

// Throws an Error that names the file unless it is sound, has `parameter_count` parameters and the same identity.
TrainingState read_checkpoint(const std::filesystem::path& path, const Identity& identity, long parameter_count);

}  // namespace tulle::training

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/file_format.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tulle::training {

inline constexpr FileFormat log_format{
    "the log of a training", "epoch,samples,seconds,learning_rate,training_loss,validation_loss,validation_error\n"};

// Losses are in the outputs' own units: squared metres for Mse of positions.
struct EpochRecord {
    int epoch = 0;  // counted from 1
    long samples_seen = 0;
    double seconds = 0;  // of training so far, over all runs that it was resumed in
    double learning_rate = 0;
    double training_loss = 0;     // mean over the epoch, while the network changed
    double validation_loss = 0;   // at its end
    double validation_error = 0;  // relative: 1 is as bad as always answering zero
};

// CSV: one line of names, one line per epoch.
void write_log(const std::filesystem::path& path, const std::vector<EpochRecord>& history);
std::vector<EpochRecord> read_log(const std::filesystem::path& path);
void append_to_log(const std::filesystem::path& path, const EpochRecord& record);

}  // namespace tulle::training

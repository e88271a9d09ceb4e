// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/history.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"

#include <fmt/format.h>

#include <fstream>

namespace tulle::training {

namespace {

std::string line_of(const EpochRecord& record) {
    return fmt::format("{},{},{:.3f},{:.9g},{:.9g},{:.9g},{:.9g}\n", record.epoch, record.samples_seen, record.seconds,
                       record.learning_rate, record.training_loss, record.validation_loss, record.validation_error);
}

}  // namespace

void write_log(const std::filesystem::path& path, const std::vector<EpochRecord>& history) {
    std::string text(log_format.beginning);
    for (const EpochRecord& record : history) text += line_of(record);
    write_file(path, text, log_format);
}

void append_to_log(const std::filesystem::path& path, const EpochRecord& record) {
    std::ofstream file(path, std::ios::app);
    file << line_of(record);
    file.flush();
    if (!file) throw Error("cannot write the training log '{}'; is the disk full?", path.string());
}

}  // namespace tulle::training

// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/history.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

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

std::vector<EpochRecord> read_log(const std::filesystem::path& path) {
    std::istringstream text(read_file(path, 1 << 28));
    std::string line;
    std::vector<EpochRecord> history;
    std::getline(text, line);
    if (line + "\n" != log_format.beginning) throw Error("'{}' is not the log of a training", path.string());
    while (std::getline(text, line)) {
        EpochRecord r;
        char comma = 0;
        std::istringstream numbers(line);
        numbers >> r.epoch >> comma >> r.samples_seen >> comma >> r.seconds >> comma >> r.learning_rate >> comma >>
            r.training_loss >> comma >> r.validation_loss >> comma >> r.validation_error;
        if (!numbers) throw Error("'{}' has a line that is no epoch: '{}'", path.string(), line);
        history.push_back(r);
    }
    return history;
}

void append_to_log(const std::filesystem::path& path, const EpochRecord& record) {
    std::ofstream file(path, std::ios::app);
    file << line_of(record);
    file.flush();
    if (!file) throw Error("cannot write the training log '{}'; is the disk full?", path.string());
}

}  // namespace tulle::training

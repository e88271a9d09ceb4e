// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/io/line_plot.h"
#include "tulle/training/history.h"
#include "tulle/training/settings.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tulle::training {

// Training and validation loss by epoch, on a logarithmic axis, with the best epoch marked.
io::LinePlot curves_of(const std::vector<EpochRecord>& history, const std::string& title, Loss loss);

void write_curves(const std::filesystem::path& path, const std::vector<EpochRecord>& history, const std::string& title,
                  Loss loss);

}  // namespace tulle::training

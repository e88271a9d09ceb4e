// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/curves.h"

#include <fmt/format.h>

#include <algorithm>

namespace tulle::training {

io::LinePlot curves_of(const std::vector<EpochRecord>& history, const std::string& title, Loss loss) {
    io::PlotSeries training{.name = "training", .x = {}, .y = {}};
    io::PlotSeries validation{.name = "validation", .x = {}, .y = {}};
    io::PlotSeries best{.name = "best", .x = {}, .y = {}, .style = io::SeriesStyle::Points};
    for (const EpochRecord& record : history) {
        training.x.push_back(record.epoch);
        training.y.push_back(record.training_loss);
        validation.x.push_back(record.epoch);
        validation.y.push_back(record.validation_loss);
    }
    const auto smaller = [](const EpochRecord& a, const EpochRecord& b) {
        return a.validation_loss < b.validation_loss;
    };
    const auto found = std::min_element(history.begin(), history.end(), smaller);
    if (found != history.end()) {
        best.x.push_back(found->epoch);
        best.y.push_back(found->validation_loss);
        best.labels.push_back(fmt::format("{:.3g}", found->validation_loss));
    }
    return {
        .title = title,
        .x_label = "epoch",
        .y_label = fmt::format("{}, in the outputs' {}units", to_string(loss), loss == Loss::Rmse ? "" : "squared "),
        .log_y = true,
        .series = {std::move(training), std::move(validation), std::move(best)}};
}

void write_curves(const std::filesystem::path& path, const std::vector<EpochRecord>& history, const std::string& title,
                  Loss loss) {
    io::write_svg(path, curves_of(history, title, loss));
}

}  // namespace tulle::training

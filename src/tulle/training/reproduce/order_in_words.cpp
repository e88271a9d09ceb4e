// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/reproduce/order_in_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tulle::training {

namespace {

std::vector<std::string> sorted_names(std::vector<RankedRow> rows, double RankedRow::*by) {
    std::stable_sort(rows.begin(), rows.end(), [&](const RankedRow& a, const RankedRow& b) { return a.*by < b.*by; });
    std::vector<std::string> names;
    for (const RankedRow& row : rows) names.push_back(row.name);
    return names;
}

}  // namespace

std::string order_in_words(const std::string& what, const std::vector<RankedRow>& rows) {
    const std::vector<std::string> paper = sorted_names(rows, &RankedRow::paper);
    const std::vector<std::string> ours = sorted_names(rows, &RankedRow::ours);
    if (paper == ours) return fmt::format("{}: the order is the paper's; best first, {}.", what, fmt::join(ours, ", "));
    std::vector<std::string> moved;
    for (size_t i = 0; i < ours.size(); ++i) {
        const auto there = static_cast<size_t>(std::find(paper.begin(), paper.end(), ours[i]) - paper.begin());
        if (there != i) moved.push_back(fmt::format("{} {}→{}", ours[i], there + 1, i + 1));
    }
    return fmt::format("{}: best first, the paper has {}; we have {} (places there → here: {}).", what,
                       fmt::join(paper, ", "), fmt::join(ours, ", "), fmt::join(moved, ", "));
}

std::string cell_text(const std::string& figure, const TrialResult& trial) {
    return figure + (trial.is_flat ? " flat" : fmt::format(" ↓{:.0f} %", 100 * trial.last_gain));
}

std::string plateau_in_words(const std::vector<NamedTrial>& cells) {
    const auto by_gain = [](const NamedTrial& a, const NamedTrial& b) {
        return a.trial->last_gain < b.trial->last_gain;
    };
    const auto [least, most] = std::minmax_element(cells.begin(), cells.end(), by_gain);
    const auto flat = std::count_if(cells.begin(), cells.end(), [](const NamedTrial& c) { return c.trial->is_flat; });
    if (flat == static_cast<long>(cells.size()))
        return fmt::format("All {} cells were flat, so time is not what orders them.", flat);
    return fmt::format(
        "{} of these {} cells were flat and {} were stopped by the budget: the last round gained between {:.0f} % ({}) "
        "and {:.0f} % ({}). Their order is that after this time, not the final one.",
        flat, cells.size(), static_cast<long>(cells.size()) - flat, 100 * least->trial->last_gain, least->name,
        100 * most->trial->last_gain, most->name);
}

std::string budget_in_words(double minutes) {
    return fmt::format(
        "A cell of a table that trains a network does so in up to four rounds, each twice as long as the one before. "
        "It is *flat* when a round of at least {:g} minute lowers the validation loss (a mean square) by less than "
        "{:.0f} %; a shorter one says little. Otherwise the budget of {:.2g} minutes of processor time stops it, and "
        "↓12 % says what its last round, of more than half of the time, still gained.",
        least_flat_round, 100 * flat_gain, minutes);
}

}  // namespace tulle::training

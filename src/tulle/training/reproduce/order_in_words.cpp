// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/reproduce/order_in_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tulle::training {

namespace {

std::vector<std::string> sorted_names(std::vector<RankedRow> rows, double RankedRow::* by) {
    std::stable_sort(rows.begin(), rows.end(), [&](const RankedRow& a, const RankedRow& b) { return a.*by < b.*by; });
    std::vector<std::string> names;
    for (const RankedRow& row : rows) names.push_back(row.name);
    return names;
}

std::string place(size_t index) {
    constexpr const char* words[] = {"first", "second", "third", "fourth", "fifth", "sixth", "seventh"};
    return words[index];
}

}  // namespace

std::string order_in_words(const std::string& what, const std::vector<RankedRow>& rows) {
    const std::vector<std::string> paper = sorted_names(rows, &RankedRow::paper);
    const std::vector<std::string> ours = sorted_names(rows, &RankedRow::ours);
    if (paper == ours)
        return fmt::format("{}: the order is the paper's; best first, {}.", what, fmt::join(ours, ", "));
    std::vector<std::string> moved;
    for (size_t i = 0; i < ours.size(); ++i) {
        const auto there = static_cast<size_t>(std::find(paper.begin(), paper.end(), ours[i]) - paper.begin());
        if (there != i) moved.push_back(fmt::format("{} is {} here, {} there", ours[i], place(i), place(there)));
    }
    return fmt::format("{}: best first, the paper has {}; we have {}. {}.", what, fmt::join(paper, ", "),
                       fmt::join(ours, ", "), fmt::join(moved, "; "));
}

std::string cell_text(const std::string& figure, const TrialResult& trial) {
    return figure + (trial.is_flat ? " flat" : fmt::format(" ↓{:.0f} %", 100 * trial.last_gain));
}

std::string plateau_in_words(const std::vector<NamedTrial>& cells, double minutes) {
    const auto by_gain = [](const NamedTrial& a, const NamedTrial& b) { return a.trial->last_gain < b.trial->last_gain; };
    const auto [least, most] = std::minmax_element(cells.begin(), cells.end(), by_gain);
    const auto flat = std::count_if(cells.begin(), cells.end(), [](const NamedTrial& c) { return c.trial->is_flat; });
    std::string text = fmt::format(
        "A cell trains in up to four rounds, each twice as long as the one before; it is flat when a round lowers the "
        "validation loss by less than {:.0f} %, and else the budget of {:.2g} minutes ends it (↓: what its last round, "
        "of more than half of all the time, still gained). {} of these {} cells were flat",
        100 * flat_gain, minutes, flat, cells.size());
    if (flat == static_cast<long>(cells.size())) return text + ", so time is not what orders them.";
    return text + fmt::format(
                      ", and {} were stopped by the budget: the last round gained between {:.0f} % ({}) and {:.0f} % "
                      "({}). Their order is that after this time, not the final one.",
                      static_cast<long>(cells.size()) - flat, 100 * least->trial->last_gain, least->name,
                      100 * most->trial->last_gain, most->name);
}

}  // namespace tulle::training

// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/nearest.h"

#include <fmt/format.h>

#include <algorithm>

namespace tulle::scene {

namespace {

// Someone who writes the beginning of a word is as near as someone who slips once.
int unlikeness(const std::string& word, const std::string& valid) {
    return word.size() >= 3 && valid.starts_with(word) ? 1 : edit_distance(word, valid);
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
    // d[i][j] for the first i letters of a and j of b; only three rows are alive.
    std::vector<int> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
    for (size_t i = 1; i <= a.size(); ++i) {
        row[0] = static_cast<int>(i);
        for (size_t j = 1; j <= b.size(); ++j) {
            const int replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
        before_last.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

std::string suggestion(const std::string& word, const std::vector<std::string>& valid) {
    if (valid.empty()) return "; nothing is expected here";
    const auto nearest = std::min_element(valid.begin(), valid.end(), [&](const auto& a, const auto& b) {
        return unlikeness(word, a) < unlikeness(word, b);
    });
    // Half a word may differ; beyond that a guess only misleads.
    if (2 * unlikeness(word, *nearest) <= static_cast<int>(std::max(word.size(), nearest->size())))
        return fmt::format("; did you mean '{}'?", *nearest);
    if (valid.size() == 1) return fmt::format("; the only valid one is {}", valid.front());
    const std::vector<std::string> all_but_last(valid.begin(), valid.end() - 1);
    return fmt::format("; valid are {} and {}", fmt::join(all_but_last, ", "), valid.back());
}

}  // namespace tulle::scene

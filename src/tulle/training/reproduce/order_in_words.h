// SPDX-License-Identifier: Apache-2.0
// Sentences about tables, made of their figures.
#pragma once

#include "tulle/training/reproduce/trial.h"

#include <string>
#include <vector>

namespace tulle::training {

// A row: what the paper has for it, and what we have; smaller is better.
struct RankedRow {
    std::string name;
    double paper = 0, ours = 0;
};

// "flag: best first, the paper has a, b, c; we have b, a, c (places there → here: b 2→1, a 1→2).", or that they are the
// same.
std::string order_in_words(const std::string& what, const std::vector<RankedRow>& rows);

// "1.234e-03 flat", or "1.234e-03 ↓12 %" for a cell that the budget ended when its last round still gained so much.
std::string cell_text(const std::string& figure, const TrialResult& trial);

// Cells of a table with the names of their rows, to say whether they had enough time.
struct NamedTrial {
    std::string name;
    const TrialResult* trial;
};
std::string plateau_in_words(const std::vector<NamedTrial>& cells);
// How cells are trained, for the beginning of a page.
std::string budget_in_words(double minutes);

}  // namespace tulle::training

// SPDX-License-Identifier: Apache-2.0
// The model card: what a weights file tells about itself, a JSON object as text.
//
//   {"method": "miniature", "scene": "flag", "data": "…", "command": "…", "date": "2026-11-16",
//   "training_minutes": 33.4,
//    "test_error": {"teacher_forced_mean": 1.0e-3, …}, "family": {…}}
//
// These keys every card has; "family" holds what the family of the method reads, and nobody else. Cards of version 1 of
// the weights file had the family's keys beside the others.
#pragma once

#include <map>
#include <string>

namespace tulle::methods {

struct ModelCard {
    std::string method;   // "miniature", "hierarchy", …
    std::string scene;    // it was trained on, or "general"
    std::string data;     // in words: sequences, frames, pairs
    std::string command;  // that made the file
    std::string date;     // of training
    double training_minutes = 0;
    std::map<std::string, double> test_error;  // on sequences it never saw; distances in metres
    std::string family = "{}";                 // a JSON object as text
};

std::string to_json(const ModelCard& card);
// Throws an Error that names `source`.
ModelCard parse_card(const std::string& json, const std::string& source);

// The Error for a card that `source` has and nobody understands.
[[noreturn]] void refuse_card(const std::string& source, const std::string& reason);

}  // namespace tulle::methods

// SPDX-License-Identifier: Apache-2.0
#include "apps/common/print_counters.h"
#include "apps/common/print_text.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace tulle::app {

namespace {

struct Sentence {
    std::string_view counter;
    const char* words;  // after the number; empty: every run has some, and nothing needs to be said
};
constexpr std::array<Sentence, 8> sentences = {
    {{"truncated_vertices", ""},
     {"unresolved_contacts", "contacts were forced through each other by pins or colliders"},
     {"collapsed_pieces", "folded pieces of cloth had no normal and were interpolated"},
     {"pushed_out_vertices", "vertices were pushed out of colliders"},
     {"shown_contacts", ""},
     {"returned_vertices", "inferred vertices were taken back towards the coarse cloth, to keep it out of itself"},
     {"unsolved_projections", "projections were not within their tolerance"},
     {"poses_outside", "poses of the body were far outside of what the network was trained on"}}};

std::string words_for(const std::string& counter) {
    for (const Sentence& sentence : sentences)
        if (sentence.counter == counter) return sentence.words;
    return counter;
}

}  // namespace

void print_counters(const Counters& counters) {
    for (const auto& [what, times] : counters.all())
        if (const std::string words = words_for(what); !words.empty()) print_text("  {} {}\n", times, words);
}

}  // namespace tulle::app

// SPDX-License-Identifier: Apache-2.0
// What a network with canonical features says after its answers.
#pragma once

namespace tulle::methods {

// The logarithm of the answers' scale, and the logarithm, in that scale, of the bound that nine of ten errors keep.
inline constexpr int answer_heads = 2;
inline constexpr float least_log_scale = -12, most_log_scale = 1.5f;

inline float held_log_scale(float said) {
    return said < least_log_scale ? least_log_scale : said > most_log_scale ? most_log_scale : said;
}

// In the answers' scale; more than a hundred times the answer is no bound.
inline float held_log_bound(float said) { return said < least_log_scale ? least_log_scale : said > 5 ? 5 : said; }

}  // namespace tulle::methods

// SPDX-License-Identifier: Apache-2.0
// A network with canonical features says how far off it may be (answer_heads.h). What it says is calibrated on
// sequences that it did not learn from, and a doubtful answer is taken back towards interpolation.
#pragma once

namespace tulle::methods {

struct Trust {
    float bound_factor = 1;  // on what the network says: nine of ten errors keep the bound
    float caution = 0;       // 0: every answer is taken as it is
};

struct WeighedAnswer {
    float share;  // of the answer that is taken, 0 to 1; the rest is interpolation
    float bound;  // that nine of ten errors of that share keep
};

// `answer` and `said_bound`: root mean squares over the numbers of an answer, in the same scale.
inline WeighedAnswer weigh(float answer, float said_bound, const Trust& trust) {
    const float doubt = trust.caution * said_bound, least = 1e-12f;
    const float share = answer * answer / (answer * answer + doubt * doubt + least);
    return {share, trust.bound_factor * (said_bound + (1 - share) * answer)};
}

}  // namespace tulle::methods

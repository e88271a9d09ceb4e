// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/features.h"

#include "tulle/core/error.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace tulle::methods {

namespace {

constexpr std::array<std::pair<Features, const char*>, 5> names = {{{Features::Canonical, "canonical"},
                                                                    {Features::Motion, "motion"},
                                                                    {Features::Paper, "paper"},
                                                                    {Features::PaperPositions, "paper-positions"},
                                                                    {Features::PaperVelocities, "paper-velocities"}}};

}  // namespace

std::string to_string(Features features) { return names[static_cast<size_t>(features)].second; }

Features parse_features(const std::string& name) {
    for (const auto& [features, known] : names)
        if (name == known) return features;
    throw Error("unknown features '{}'; they are {}", name, fmt::join(feature_names(), ", "));
}

std::vector<std::string> feature_names() {
    std::vector<std::string> all;
    all.reserve(names.size());
    for (const auto& [features, name] : names) all.emplace_back(name);
    return all;
}

int frames_seen(Features features) {
    switch (features) {
        case Features::Paper:
            return 3;
        case Features::PaperVelocities:
        case Features::Motion:
            return 2;
        case Features::PaperPositions:
        case Features::Canonical:
            break;
    }
    return 1;
}

}  // namespace tulle::methods

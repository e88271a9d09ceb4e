// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/projections/inextensibility.h"
#include "tulle/projections/quasistatics.h"

#include <memory>
#include <optional>
#include <string>

namespace tulle::projections {

// Which projections a cloth goes through. With both, quasistatics comes first, so that edges keep their limits.
struct ProjectionSettings {
    std::optional<InextensibilitySettings> inextensibility;
    std::optional<QuasistaticsSettings> quasistatics;

    bool is_any() const { return inextensibility || quasistatics; }
    std::string name() const;  // "inextensible", "quasistatic", or both with a plus between
};

// Null if there is none.
std::unique_ptr<const Projection> make_projection(const Cloth& cloth, const ProjectionSettings& settings);

}  // namespace tulle::projections

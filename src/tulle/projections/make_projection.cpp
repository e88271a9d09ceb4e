// SPDX-License-Identifier: Apache-2.0
#include "tulle/projections/make_projection.h"

namespace tulle::projections {

std::string ProjectionSettings::name() const {
    std::string name = quasistatics ? "quasistatic" : "";
    if (inextensibility) name += name.empty() ? "inextensible" : "+inextensible";
    return name;
}

std::unique_ptr<const Projection> make_projection(const Cloth& cloth, const ProjectionSettings& settings) {
    std::vector<std::unique_ptr<const Projection>> projections;
    if (settings.quasistatics) projections.push_back(std::make_unique<Quasistatics>(cloth, *settings.quasistatics));
    if (settings.inextensibility)
        projections.push_back(std::make_unique<Inextensibility>(cloth, *settings.inextensibility));
    if (projections.empty()) return nullptr;
    if (projections.size() == 1) return std::move(projections.front());
    return std::make_unique<ProjectionChain>(std::move(projections));
}

}  // namespace tulle::projections

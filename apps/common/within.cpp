// SPDX-License-Identifier: Apache-2.0
#include "apps/common/within.h"

#include <fmt/format.h>

#include <string>

namespace tulle::app {

CLI::Validator within(double min, double max) {
    const auto check = [min, max](std::string& text) -> std::string {
        double value = 0;
        const bool is_number = CLI::detail::lexical_cast(text, value);
        if (is_number && value >= min && value <= max) return {};
        return fmt::format("'{}' is not a number from {:g} to {:g}", text, min, max);
    };
    return {check, fmt::format("FLOAT in [{:g} - {:g}]", min, max)};
}

}  // namespace tulle::app

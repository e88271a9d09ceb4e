// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace tulle::app {

// An option's number must be within [min, max]. CLI::Range lets nan pass, because it is neither below nor above.
CLI::Validator within(double min, double max);

}  // namespace tulle::app

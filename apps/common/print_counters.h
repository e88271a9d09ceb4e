// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/counters.h"

namespace tulle::app {

// One line for each thing that a user should know of, in words where there are some.
void print_counters(const Counters& counters);

}  // namespace tulle::app

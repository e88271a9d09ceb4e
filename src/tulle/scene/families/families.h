// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/scene/families/family.h"

#include <memory>
#include <string>
#include <vector>

namespace tulle::scene {

// The table of all families, in the order in which their methods are listed.
const std::vector<std::unique_ptr<const Family>>& families();

const Family* find_family(const std::string& method);  // null if no family has such a method
const Family& family_of(const Method& method);

// Of all families: what `tulle train` can train.
std::vector<std::string> trainable_methods();

}  // namespace tulle::scene

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tulle::scene {

// How many letters must be inserted, removed, replaced or swapped with their neighbour to turn one word into the other.
int edit_distance(std::string_view a, std::string_view b);

// "; did you mean 'stiffness'?" if one of the words is close, else "; valid are a, b and c".
std::string suggestion(const std::string& word, const std::vector<std::string>& valid);

}  // namespace tulle::scene

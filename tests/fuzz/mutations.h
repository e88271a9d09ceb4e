// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/random.h"

#include <string>

namespace tulle::fuzz {

// A safetensors file with one to four damages: bytes, numbers and tokens of its header, entries of it, its length.
std::string damaged(const std::string& file, Random& random);

}  // namespace tulle::fuzz

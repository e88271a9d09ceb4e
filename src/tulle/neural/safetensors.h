// SPDX-License-Identifier: Apache-2.0
// The safetensors format (see weights_file.h), of which we use tensors of types F32 and F64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tulle::neural {

// Row-major. One of the two is empty.
struct Tensor {
    std::vector<std::int64_t> shape;
    std::vector<float> values;         // F32
    std::vector<double> doubles = {};  // F64
};

struct TensorFile {
    std::map<std::string, std::string> metadata;
    std::map<std::string, Tensor> tensors;
};

// Throws an Error that names `source` unless every byte of the file belongs to exactly one tensor of its shape and
// every number is finite.
TensorFile parse_safetensors(std::span<const std::byte> bytes, const std::string& source);

std::string format_safetensors(const TensorFile& file);

}  // namespace tulle::neural

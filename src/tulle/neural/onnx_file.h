// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/neural/image_network.h"
#include "tulle/neural/network.h"

#include <filesystem>
#include <string>

namespace tulle::neural {

// Writes the network as ONNX (opset 13, IR 7): input "x" and output "y", batch×size, with Gemm, Relu and elementwise
// operators only. `description` goes into the file's doc string.
void write_onnx(const std::filesystem::path& path, const Network& network, const std::string& description);

// The same for an image network, whose output "y" is batch×channels×height×width, with Reshape and ConvTranspose too.
void write_onnx(const std::filesystem::path& path, const ImageNetwork& network, const std::string& description);

}  // namespace tulle::neural

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/file_format.h"
#include "tulle/io/cache.h"

#include <filesystem>
#include <vector>

namespace tulle::io {

// Every one of ours begins so.
inline constexpr FileFormat own_xdmf_format{"what Tulle writes beside a cache (XDMF)",
                                            "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n"};

std::filesystem::path xmf_path(const std::filesystem::path& cache);  // X.h5 → X.xmf

// Writes X.xdmf and X.xmf beside the cache X.h5, so that ParaView and VisIt open the cloth as a mesh over time with its
// rest positions, texture coordinates and velocities. They say the same; what takes a frame out of a dataset is written
// as a HyperSlab in X.xdmf, for ParaView's "XDMF Reader" and VisIt, and within the reference in X.xmf, for ParaView's
// "Xdmf3 Reader", which its scripts choose by themselves. `times` has one entry per frame [s].
void write_xdmf(const std::filesystem::path& cache, const CacheHeader& header, const std::vector<double>& times);

}  // namespace tulle::io

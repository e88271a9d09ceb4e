// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/workflows/generate_poses.h"

namespace tulle::workflows {

// Throws an Error if the cache would lie among the poses, to be told before they are made.
void require_apart(const GeneratePosesSettings& made, const std::filesystem::path& cache);

// The poses of `made.folder`, up to `made.poses`, as one sequence cache: a pose in each frame, two a second, with the
// body in it. To look at them, and for other programs. Throws an Error if one is missing or of another garment.
void write_poses_as_cache(const GeneratePosesSettings& made, const std::filesystem::path& cache);

}  // namespace tulle::workflows

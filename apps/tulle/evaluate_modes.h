// SPDX-License-Identifier: Apache-2.0
// What `tulle evaluate` does besides comparing runs of one scene.
#pragma once

#include "tulle/workflows/ensemble.h"
#include "tulle/workflows/evaluate_sequences.h"

#include <filesystem>

namespace tulle::app {

enum class Print { Table, Json };

[[noreturn]] void stop_without_report();

void run_ensemble(const scene::Scene& scene, workflows::EnsembleSettings settings, const std::filesystem::path& folder,
                  Print print);
void run_sequences(const scene::Scene& scene, workflows::SequencesSettings settings, Print print);

}  // namespace tulle::app

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tulle::methods {

// How the coarse cloth that is simulated follows from the fine one that is shown. docs/miniature.md derives the laws.
enum class Scaling {
    Paper,       // each method's own: particles and springs as they are, only longer
    Similarity,  // the same cloth, made of fewer particles
    Calibrated,  // similar, with multipliers fitted to the full simulation
};

std::string to_string(Scaling scaling);  // "paper", "similarity", "calibrated"
Scaling parse_scaling(const std::string& name);
std::vector<std::string> scaling_names();

// Multipliers of the coarse cloth's masses and stiffnesses.
struct Calibration {
    double mass = 1;
    double stretch = 1;  // structural and shear springs
    double bend = 1;
    double pin = 1;  // springs at pins, besides: on a fine grid a single point gives more

    bool operator==(const Calibration&) const = default;
};

}  // namespace tulle::methods

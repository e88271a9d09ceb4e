// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <string>

namespace tulle {

class Stopwatch {
public:
    double milliseconds() const {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
    }
    // The time since the start or the last lap [ms]; starts the next lap.
    double lap() {
        const double elapsed = milliseconds();
        start_ = std::chrono::steady_clock::now();
        return elapsed;
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

using StageTimes = std::map<std::string, double>;  // stage name → time spent [ms]

inline void accumulate(StageTimes& total, const StageTimes& part) {
    for (const auto& [stage, milliseconds] : part) total[stage] += milliseconds;
}

}  // namespace tulle

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/timer.h"

#include <string>

namespace tulle::app {

// A line on standard error that shows how far a long job is and how long it still takes. If standard error is not a
// terminal, a new line is written after 20 seconds and then every minute, or as often as the environment variable
// TULLE_PROGRESS_SECONDS says.
class ProgressBar {
public:
    explicit ProgressBar(const std::string& what);
    ~ProgressBar();  // wipes the line
    // `figures`: what else to say, such as a loss.
    void show(long done, long total, const std::string& figures = {});

private:
    void print_line(double elapsed, const std::string& rest);

    std::string what_;
    bool draws_;
    long first_ = -1;  // where this run began: resumed work says nothing about its speed
    Stopwatch watch_;
    double last_drawn_ = -1e9;                             // [ms]
    double first_line_ = 20'000, line_interval_ = 60'000;  // [ms]
};

}  // namespace tulle::app

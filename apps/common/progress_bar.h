// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/timer.h"

#include <string>

namespace tulle::app {

// A line on standard error that shows how far a long job is and how long it still takes. Nothing is drawn if standard
// error is not a terminal.
class ProgressBar {
public:
    explicit ProgressBar(std::string what);
    ~ProgressBar();  // wipes the line
    // `figures`: what else to say, such as a loss.
    void show(long done, long total, const std::string& figures = {});

private:
    std::string what_;
    bool draws_;
    long first_ = -1;  // where this run began: resumed work says nothing about its speed
    Stopwatch watch_;
    double last_drawn_ = -1e9;  // [ms]
};

}  // namespace tulle::app

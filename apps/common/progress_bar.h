// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/timer.h"

#include <CLI/CLI.hpp>

#include <string>

namespace tulle::app {

// For a person, or for a program that calls this one: a JSON object per line, {"task": "upscaling", "done": 3,
// "total": 100}, at most ten a second and one at the end.
enum class ProgressStyle { Text, Json };

// A line on standard error that shows how far a long job is and how long it still takes. If standard error is not a
// terminal, a new line is written after 20 seconds and then every minute, or as often as the environment variable
// TULLE_PROGRESS_SECONDS says.
class ProgressBar {
public:
    explicit ProgressBar(const std::string& what, ProgressStyle style = ProgressStyle::Text);
    ~ProgressBar();  // wipes the line
    // `figures`: what else to say, such as a loss.
    void show(long done, long total, const std::string& figures = {});

private:
    void print_line(double elapsed, const std::string& rest);
    void print_json(double elapsed, long done, long total);

    std::string what_;
    ProgressStyle style_;
    bool draws_;
    long first_ = -1;  // where this run began: resumed work says nothing about its speed
    Stopwatch watch_;
    double last_drawn_ = -1e9;                             // [ms]
    double first_line_ = 20'000, line_interval_ = 60'000;  // [ms]
};

// --progress text|json
void add_progress_option(CLI::App& command, ProgressStyle& style);

}  // namespace tulle::app

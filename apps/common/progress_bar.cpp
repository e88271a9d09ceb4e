// SPDX-License-Identifier: Apache-2.0
#include "apps/common/progress_bar.h"

#include "apps/common/print_text.h"

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace tulle::app {

namespace {

std::string duration(double seconds) {
    const long whole = std::lround(seconds);
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

ProgressBar::ProgressBar(const std::string& what, ProgressStyle style)
    : what_(printable(what)), style_(style), draws_(style == ProgressStyle::Text && isatty(STDERR_FILENO) == 1) {
    if (const char* seconds = std::getenv("TULLE_PROGRESS_SECONDS")) {
        first_line_ = line_interval_ = 1000 * std::max(0.0, std::strtod(seconds, nullptr));
    }
}

ProgressBar::~ProgressBar() {
    if (draws_ && first_ >= 0) fmt::print(stderr, "\r\033[K");
}

void ProgressBar::show(long done, long total, const std::string& figures) {
    if (first_ < 0) first_ = done - 1;
    const double elapsed = watch_.milliseconds();
    if (style_ == ProgressStyle::Json) return print_json(elapsed, done, total);
    const double left = elapsed / 1000 / static_cast<double>(done - first_) * static_cast<double>(total - done);
    const std::string rest =
        fmt::format("{}/{}, {} left{}{}", done, total, duration(left), figures.empty() ? "" : ", ", printable(figures));
    if (!draws_) {
        print_line(elapsed, rest);
        return;
    }
    constexpr double redraw_interval = 100;  // [ms]
    if (elapsed - last_drawn_ < redraw_interval && done < total) return;
    last_drawn_ = elapsed;
    constexpr long width = 30;
    const long filled = total > 0 ? width * done / total : 0;
    fmt::print(stderr, "\r\033[K{} [{}{}] {}", what_, std::string(static_cast<size_t>(filled), '#'),
               std::string(static_cast<size_t>(width - filled), '.'), rest);
    std::fflush(stderr);
}

void ProgressBar::print_json(double elapsed, long done, long total) {
    constexpr double interval = 100;  // [ms]
    if (elapsed - last_drawn_ < interval && done < total) return;
    last_drawn_ = elapsed;
    const nlohmann::ordered_json line{{"task", what_}, {"done", done}, {"total", total}};
    fmt::print(stderr, "{}\n", line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    std::fflush(stderr);
}

// For logs and pipes: nothing of a short job, a line now and then of a long one.
void ProgressBar::print_line(double elapsed, const std::string& rest) {
    if (elapsed < (last_drawn_ < 0 ? first_line_ : last_drawn_ + line_interval_)) return;
    last_drawn_ = elapsed;
    fmt::print(stderr, "{}: {}\n", what_, rest);
    std::fflush(stderr);
}

void add_progress_option(CLI::App& command, ProgressStyle& style) {
    command
        .add_option_function<std::string>(
            "--progress",
            [&style](const std::string& word) { style = word == "json" ? ProgressStyle::Json : ProgressStyle::Text; },
            "How progress is shown on standard error: text, or json for a line that a program reads")
        ->check(CLI::IsMember({"text", "json"}));
}

}  // namespace tulle::app

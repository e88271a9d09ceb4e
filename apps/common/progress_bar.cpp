// SPDX-License-Identifier: Apache-2.0
#include "apps/common/progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <utility>

namespace tulle::app {

namespace {

std::string duration(double seconds) {
    const long whole = std::lround(seconds);
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

ProgressBar::ProgressBar(std::string what) : what_(std::move(what)), draws_(isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
    if (draws_ && first_ >= 0) fmt::print(stderr, "\r\033[K");
}

void ProgressBar::show(long done, long total, const std::string& figures) {
    if (first_ < 0) first_ = done - 1;
    const double elapsed = watch_.milliseconds();
    constexpr double redraw_interval = 100;  // [ms]
    if (!draws_ || (elapsed - last_drawn_ < redraw_interval && done < total)) return;
    last_drawn_ = elapsed;
    constexpr long width = 30;
    const long filled = total > 0 ? width * done / total : 0;
    const double left = elapsed / 1000 / static_cast<double>(done - first_) * static_cast<double>(total - done);
    fmt::print(stderr, "\r\033[K{} [{}{}] {}/{}, {} left{}{}", what_, std::string(static_cast<size_t>(filled), '#'),
               std::string(static_cast<size_t>(width - filled), '.'), done, total, duration(left),
               figures.empty() ? "" : ", ", figures);
    std::fflush(stderr);
}

}  // namespace tulle::app

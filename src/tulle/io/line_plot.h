// SPDX-License-Identifier: Apache-2.0
// Curves and scatter plots as SVG: training curves, error against cost, reports.
#pragma once

#include "tulle/core/file_format.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tulle::io {

inline constexpr FileFormat svg_format{"a drawing (SVG)", "<svg xmlns="};

enum class SeriesStyle { Line, DashedLine, Points, LinePoints };

struct PlotSeries {
    std::string name;  // in the legend; empty: not there
    std::vector<double> x, y;
    SeriesStyle style = SeriesStyle::Line;
    std::vector<std::string> labels = {};  // beside the points: none, or one for each
};

struct LinePlot {
    std::string title;
    std::string x_label, y_label;  // with the unit
    bool log_x = false, log_y = false;
    std::vector<PlotSeries> series;
    int width = 760, height = 460;  // [px]
};

// The <svg> element, to stand alone or inside HTML. Points that are not finite, or not positive on a logarithmic axis,
// are left out and interrupt their line.
std::string svg_of(const LinePlot& plot);

void write_svg(const std::filesystem::path& path, const LinePlot& plot);

}  // namespace tulle::io

// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/line_plot.h"

#include "tulle/core/atomic_file.h"
#include "tulle/io/plot_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace tulle::io {

namespace {

// Colours that people with any colour vision tell apart [Okabe and Ito 2008], without the yellow.
constexpr std::array colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#444444"};
constexpr double character = 7.5;  // mean width of a character at 12 px [px]

std::string escape(const std::string& text) {
    std::string escaped;
    for (const char c : text) switch (c) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            default:
                escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    return escaped;
}

double text_width(const std::string& text) {
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };  // UTF-8
    return character * static_cast<double>(text.size() - std::count_if(text.begin(), text.end(), continues));
}

struct Box {
    double left, top, right, bottom;  // [px]
    bool overlaps(const Box& other) const {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
    bool inside(const Box& other) const {
        return left >= other.left && right <= other.right && top >= other.top && bottom <= other.bottom;
    }
};

bool has_line(SeriesStyle style) { return style != SeriesStyle::Points; }
bool has_points(SeriesStyle style) { return style == SeriesStyle::Points || style == SeriesStyle::LinePoints; }
const char* dashes(SeriesStyle style) { return style == SeriesStyle::DashedLine ? " stroke-dasharray=\"6 4\"" : ""; }

std::vector<double> all_values(const LinePlot& plot, std::vector<double> PlotSeries::*member) {
    std::vector<double> values;
    for (const PlotSeries& series : plot.series)
        values.insert(values.end(), (series.*member).begin(), (series.*member).end());
    return values;
}

class Drawing {
public:
    explicit Drawing(const LinePlot& plot)
        : plot_(plot),
          legend_(legend_rows()),
          frame_{78, 44 + 20.0 * static_cast<double>(legend_.size()), plot.width - 24.0, plot.height - 56.0},
          x_(all_values(plot, &PlotSeries::x), plot.log_x, frame_.left, frame_.right),
          y_(all_values(plot, &PlotSeries::y), plot.log_y, frame_.bottom, frame_.top) {}

    std::string draw() {
        add(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" )"
            R"(font-family="DejaVu Sans, Verdana, sans-serif" font-size="12" fill="#222">)",
            plot_.width, plot_.height);
        add(R"(<rect width="{}" height="{}" fill="white"/>)", plot_.width, plot_.height);
        draw_axes();
        draw_legend();
        for (size_t i = 0; i < plot_.series.size(); ++i) draw_series(plot_.series[i], colour(i));
        for (size_t i = 0; i < plot_.series.size(); ++i) draw_labels(plot_.series[i], colour(i));
        text_ += "</svg>\n";
        return text_;
    }

private:
    template <typename... Arguments>
    void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
        text_ += '\n';
    }

    static const char* colour(size_t series) { return colours[series % colours.size()]; }

    // Names in rows that fit the width, as indices of series.
    std::vector<std::vector<size_t>> legend_rows() const {
        std::vector<std::vector<size_t>> rows;
        double left = 0;
        for (size_t i = 0; i < plot_.series.size(); ++i) {
            if (plot_.series[i].name.empty()) continue;
            const double width = text_width(plot_.series[i].name) + 52;
            if (rows.empty() || left + width > plot_.width - 102) {
                rows.emplace_back();
                left = 0;
            }
            rows.back().push_back(i);
            left += width;
        }
        return rows;
    }

    void draw_axes() {
        for (const PlotTick& tick : x_.ticks()) {
            const double x = x_.pixel(tick.value);
            add(R"(<path d="M{0:.1f} {1:.1f}V{2:.1f}" stroke="{3}"/>)", x, frame_.top, frame_.bottom, grid(tick));
            if (!tick.label.empty())
                add(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="middle">{}</text>)", x, frame_.bottom + 18, tick.label);
        }
        for (const PlotTick& tick : y_.ticks()) {
            const double y = y_.pixel(tick.value);
            add(R"(<path d="M{0:.1f} {1:.1f}H{2:.1f}" stroke="{3}"/>)", frame_.left, y, frame_.right, grid(tick));
            if (!tick.label.empty())
                add(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="end">{}</text>)", frame_.left - 8, y + 4, tick.label);
        }
        add(R"(<path d="M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}" fill="none" stroke="#666"/>)", frame_.left, frame_.top,
            frame_.bottom, frame_.right);
        add(R"(<text x="{:.1f}" y="26" font-size="16" font-weight="bold">{}</text>)", frame_.left, escape(plot_.title));
        add(R"(<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>)", (frame_.left + frame_.right) / 2,
            plot_.height - 14, escape(plot_.x_label));
        add(R"--(<text transform="translate(18 {:.1f}) rotate(-90)" text-anchor="middle">{}</text>)--",
            (frame_.top + frame_.bottom) / 2, escape(plot_.y_label));
    }

    static const char* grid(const PlotTick& tick) { return tick.label.empty() ? "#f0f0f0" : "#dcdcdc"; }

    void draw_legend() {
        double y = 48;
        for (const std::vector<size_t>& row : legend_) {
            double x = frame_.left;
            for (const size_t i : row) {
                const PlotSeries& series = plot_.series[i];
                if (has_line(series.style))
                    add(R"(<path d="M{:.1f} {:.1f}h24" stroke="{}" stroke-width="2"{}/>)", x, y - 4, colour(i),
                        dashes(series.style));
                if (has_points(series.style)) draw_point(x + 12, y - 4, colour(i));
                add(R"(<text x="{:.1f}" y="{:.1f}">{}</text>)", x + 30, y, escape(series.name));
                x += text_width(series.name) + 52;
            }
            y += 20;
        }
    }

    void draw_series(const PlotSeries& series, const char* series_colour) {
        assert(series.x.size() == series.y.size());
        std::string line;
        double last_x = 0, last_y = 0;
        bool interrupted = true;
        for (size_t i = 0; i < series.x.size(); ++i) {
            const bool usable = x_.usable(series.x[i]) && y_.usable(series.y[i]);
            if (usable) {
                const double x = x_.pixel(series.x[i]), y = y_.pixel(series.y[i]);
                line += fmt::format("{}{:.1f} {:.1f}", interrupted ? "M" : "L", x, y);
                if (has_line(series.style) && !interrupted) take_line(last_x, last_y, x, y);
                if (has_points(series.style)) draw_point(x, y, series_colour);
                last_x = x, last_y = y;
            }
            interrupted = !usable;
        }
        if (has_line(series.style) && !line.empty())
            add(R"(<path d="{}" fill="none" stroke="{}" stroke-width="2" stroke-linejoin="round"{}/>)", line,
                series_colour, dashes(series.style));
    }

    void draw_point(double x, double y, const char* point_colour) {
        add(R"(<circle cx="{:.1f}" cy="{:.1f}" r="4.5" fill="{}" stroke="white"/>)", x, y, point_colour);
        taken_.push_back({x - 4, y - 4, x + 4, y + 4});
    }

    void take_line(double from_x, double from_y, double to_x, double to_y) {
        const double length = std::hypot(to_x - from_x, to_y - from_y);
        constexpr double spacing = 6;  // [px]: no label fits between
        for (double along = 0; along < length; along += spacing) {
            const double x = from_x + (to_x - from_x) * along / length;
            const double y = from_y + (to_y - from_y) * along / length;
            taken_.push_back({x - 1, y - 1, x + 1, y + 1});
        }
    }

    void draw_labels(const PlotSeries& series, const char* label_colour) {
        for (size_t i = 0; i < std::min(series.labels.size(), series.x.size()); ++i) {
            if (series.labels[i].empty() || !x_.usable(series.x[i]) || !y_.usable(series.y[i])) continue;
            const Box box = free_box(x_.pixel(series.x[i]), y_.pixel(series.y[i]), text_width(series.labels[i]));
            add(R"(<text x="{:.1f}" y="{:.1f}" fill="{}">{}</text>)", box.left, box.bottom - 3, label_colour,
                escape(series.labels[i]));
            taken_.push_back(box);
        }
    }

    // Beside a point, where it covers the fewest lines, points and other labels.
    Box free_box(double x, double y, double width) const {
        using Place = std::pair<double, double>;  // left, top
        const std::array<Place, 12> places = {
            Place{x + 8, y - 7},          Place{x + 6, y - 21},          Place{x + 6, y + 7},
            Place{x - 8 - width, y - 7},  Place{x - 6 - width, y - 21},  Place{x - 6 - width, y + 7},
            Place{x - width / 2, y - 24}, Place{x - width / 2, y + 10},  Place{x + 14, y - 34},
            Place{x + 14, y + 20},        Place{x - 14 - width, y - 34}, Place{x - 14 - width, y + 20}};
        // Some letters are wider than text_width thinks.
        const Box whole{frame_.left, frame_.top - 4, plot_.width - 14.0, frame_.bottom};
        Box best{};
        long fewest = std::numeric_limits<long>::max();
        for (const auto& [left, top] : places) {
            const Box box{left, top, left + width, top + 15};
            const long hits =
                std::count_if(taken_.begin(), taken_.end(), [&](const Box& b) { return box.overlaps(b); });
            const long cost = hits + (box.inside(whole) ? 0 : 1000);
            if (cost < fewest) best = box;
            fewest = std::min(fewest, cost);
        }
        return best;
    }

    const LinePlot& plot_;
    std::vector<std::vector<size_t>> legend_;
    Box frame_;
    PlotAxis x_, y_;
    std::vector<Box> taken_;  // by lines, points and labels
    std::string text_;
};

}  // namespace

std::string svg_of(const LinePlot& plot) { return Drawing(plot).draw(); }

void write_svg(const std::filesystem::path& path, const LinePlot& plot) { write_file(path, svg_of(plot), svg_format); }

}  // namespace tulle::io

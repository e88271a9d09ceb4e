// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/line_plot.h"

#include "tests/support/near.h"
#include "tulle/io/plot_axis.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle::io {

namespace {

size_t count_of(const std::string& text, const std::string& what) {
    size_t count = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
    return count;
}

}  // namespace

TEST_CASE("Axis ticks are round numbers around the values") {
    const PlotAxis axis({0.13, 9.7}, false, 0, 400);
    REQUIRE(axis.ticks().size() == 6);
    CHECK(axis.ticks().front().label == "0");
    CHECK(axis.ticks()[1].label == "2");
    CHECK(axis.ticks().back().label == "10");
    CHECK(axis.pixel(5) == test::near(200));
}

TEST_CASE("A logarithmic axis has powers of ten and leaves out what is not positive") {
    const PlotAxis axis({1e-6, 1e-2, 0, -1, std::nan("")}, true, 0, 400);
    CHECK(!axis.usable(0));
    const auto labelled = [](const PlotTick& tick) { return !tick.label.empty(); };
    const auto first = std::find_if(axis.ticks().begin(), axis.ticks().end(), labelled);
    REQUIRE(first != axis.ticks().end());
    CHECK(first->label == "10⁻⁶");
    CHECK(axis.pixel(1e-4) == test::near(200));
}

TEST_CASE("An axis of one value, of none, or of huge values still has ticks") {
    for (const std::vector<double>& values : {std::vector<double>{}, {0}, {3}, {-1e300, 1e300}, {1e-12, 1e-12}})
        for (const bool logarithmic : {false, true}) {
            const PlotAxis axis(values, logarithmic, 0, 400);
            CHECK(axis.ticks().size() >= 1);
            CHECK(axis.ticks().size() < 100);
        }
}

TEST_CASE("A plot interrupts its line at values that cannot be drawn and escapes its texts") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::string svg = svg_of({.title = "a < b & \"c\"",
                                    .x_label = "x",
                                    .y_label = "y",
                                    .series = {{.name = "one", .x = {0, 1, 2, 3, 4}, .y = {1, 2, nan, 3, 4}}}});
    CHECK(svg.find("a &lt; b &amp; &quot;c&quot;") != std::string::npos);
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(count_of(svg, "<svg") == 1);
    const size_t line = svg.find("stroke-linejoin");
    const std::string path = svg.substr(svg.rfind("d=\"", line), line - svg.rfind("d=\"", line));
    CHECK(count_of(path, "M") == 2);
}

TEST_CASE("Labels stand beside their points and do not cover each other") {
    const std::string svg = svg_of({.title = "t",
                                    .x_label = "x",
                                    .y_label = "y",
                                    .series = {{.name = "",
                                                .x = {0, 1, 1, 2},
                                                .y = {0, 1, 1, 2},
                                                .style = SeriesStyle::Points,
                                                .labels = {"", "first", "second", "third"}}}});
    CHECK(count_of(svg, "<circle") == 4);
    const auto line_of = [&](const std::string& text) {
        const size_t end = svg.find(">" + text + "<");
        return svg.substr(svg.rfind("<text", end), end - svg.rfind("<text", end));
    };
    CHECK(line_of("first") != line_of("second"));
}

}  // namespace tulle::io

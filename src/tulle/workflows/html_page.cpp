// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/html_page.h"

#include <fmt/format.h>

namespace tulle::workflows {

namespace {

constexpr const char* style = R"(<style>
body { font: 15px/1.5 "DejaVu Sans", Verdana, sans-serif; color: #222; max-width: 1720px; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; font-size: 12px; }
th, td { padding: 4px 6px; text-align: right; border-bottom: 1px solid #ddd; font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; }
th { vertical-align: bottom; border-bottom: 2px solid #666; }
td.reference, td.reference ~ td { color: #777; }
img, svg { max-width: 100%; height: auto; }
</style>
)";

}  // namespace

std::string escape_html(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '&')
            escaped += "&amp;";
        else if (c == '<')
            escaped += "&lt;";
        else if (c == '>')
            escaped += "&gt;";
        else
            escaped += c;
    }
    return escaped;
}

std::string html_begin(const std::string& title) {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
        "charset=\"utf-8\">\n<title>{0}</title>\n{1}</head>\n<body>\n"
        "<h1>{0}</h1>\n",
        escape_html(title), style);
}

}  // namespace tulle::workflows

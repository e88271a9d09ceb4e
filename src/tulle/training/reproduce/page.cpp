// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/reproduce/page.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/parallel.h"

#include <fmt/format.h>

#include <cmath>

namespace tulle::training {

namespace {

constexpr FileFormat page_format{"a page (Markdown with a heading)", "# "};

}  // namespace

void prepare_page(const std::filesystem::path& path) { prepare_target(path, page_format); }

Page::Page(const std::string& title) : markdown_("# " + title + "\n") {}

void Page::heading(const std::string& text) { markdown_ += "\n## " + text + "\n"; }

void Page::text(const std::string& sentences) { markdown_ += "\n" + sentences + "\n"; }

void Page::table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows) {
    markdown_ += fmt::format("\n| {} |\n|{}\n", fmt::join(head, " | "), [&] {
        std::string rule;
        for (size_t i = 0; i < head.size(); ++i) rule += i == 0 ? "---|" : "--:|";
        return rule;
    }());
    for (const std::vector<std::string>& row : rows) markdown_ += fmt::format("| {} |\n", fmt::join(row, " | "));
}

void Page::picture(const std::string& file, const std::string& caption) {
    markdown_ += fmt::format("\n![{}]({})\n\n*{}*\n", caption, file, caption);
}

void Page::write(const std::filesystem::path& path) const { write_file(path, markdown_, page_format); }

std::string threads_in_words() {
    return fmt::format("Medians over the frames, on {} thread{}, each method in turn in the same run.", thread_count(),
                       thread_count() == 1 ? "" : "s");
}

std::string scientific(double value) { return std::isfinite(value) ? fmt::format("{:.3e}", value) : "–"; }

}  // namespace tulle::training

// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/reproduce/page.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/parallel.h"

#include <fmt/format.h>

#include <cmath>

namespace tulle::training {

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

void Page::write(const std::filesystem::path& path) const {
    const std::string title = markdown_.substr(0, markdown_.find('\n') + 1);
    write_file(path, markdown_, {"an older page of this title", title});
}

std::string threads_in_words() {
    return fmt::format("Medians over the frames, on {} thread{}, each method in turn in the same run.", thread_count(),
                       thread_count() == 1 ? "" : "s");
}

std::string scientific(double value) { return std::isfinite(value) ? fmt::format("{:.3e}", value) : "–"; }

}  // namespace tulle::training

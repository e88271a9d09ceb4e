// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tulle::training {

// Throws an Error unless a page can be written there; its folder is made.
void prepare_page(const std::filesystem::path& path);

// A page of results in Markdown: headings, sentences, tables and pictures, in the order in which they are added.
class Page {
public:
    explicit Page(const std::string& title);

    void heading(const std::string& text);
    void text(const std::string& sentences);
    void table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows);
    void picture(const std::string& file, const std::string& caption);  // relative to the page
    void write(const std::filesystem::path& path) const;

private:
    std::string markdown_;
};

std::string threads_in_words();        // on how many threads figures in ms were taken
std::string scientific(double value);  // 1.82e-03, or – where there is none

}  // namespace tulle::training

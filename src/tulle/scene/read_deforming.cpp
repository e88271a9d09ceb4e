// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/sections.h"

#include <algorithm>
#include <charconv>

namespace tulle::scene {

namespace {

namespace fs = std::filesystem;

// A file name with a number in it, as printf writes it: %d, or %04d for at least four digits.
struct NumberedName {
    std::string before, after;
    int digits = 0;

    std::string name(int number) const { return fmt::format("{}{:0{}}{}", before, number, digits, after); }

    // The number in such a name; negative for other names.
    int number_in(const std::string& name_of_file) const {
        int number = -1;
        if (!name_of_file.starts_with(before)) return -1;
        std::from_chars(name_of_file.data() + before.size(), name_of_file.data() + name_of_file.size(), number);
        return number >= 0 && name(number) == name_of_file ? number : -1;
    }
};

NumberedName parse_pattern(TableReader& table, const std::string& text) {
    const size_t percent = text.find('%');
    const size_t letter = std::min(text.find('d', percent), text.size());
    NumberedName pattern{.before = text.substr(0, percent), .after = text.substr(std::min(letter + 1, text.size()))};
    const std::string_view width = std::string_view(text).substr(percent + 1, letter - percent - 1);
    const auto [end, error] = std::from_chars(width.data(), width.data() + width.size(), pattern.digits);
    const bool is_width = width.empty() || (width.front() == '0' && error == std::errc() && pattern.digits < 10 &&
                                            end == width.data() + width.size());
    if (letter == text.size() || !is_width || pattern.after.find('%') != std::string::npos)
        table.fail("files", "must hold one number such as %04d or %d, and no other '%'");
    return pattern;
}

// Whatever number they begin with; none may be missing in between.
std::vector<fs::path> numbered_files(TableReader& table, const fs::path& path) {
    const NumberedName pattern = parse_pattern(table, path.filename().string());
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    std::vector<int> numbers;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (const int number = pattern.number_in(entry.path().filename().string()); number >= 0)
            numbers.push_back(number);
    if (numbers.empty()) table.fail("files", fmt::format("names no file: there is none like '{}'", path.string()));
    std::sort(numbers.begin(), numbers.end());
    std::vector<fs::path> files;
    for (const int number : numbers) {
        const int wanted = numbers.front() + static_cast<int>(files.size());
        if (number != wanted)
            table.fail("files", fmt::format("misses '{}' between its first and its last",
                                            (folder / pattern.name(wanted)).string()));
        files.push_back(folder / pattern.name(number));
    }
    return files;
}

std::vector<fs::path> listed_files(TableReader& table) {
    std::vector<fs::path> files;
    for (const std::string& name : table.texts("files")) {
        files.push_back(table.folder() / name);
        std::error_code error;
        if (!fs::is_regular_file(files.back(), error))
            table.fail("files", fmt::format("names the file '{}', which does not exist", files.back().string()));
    }
    if (files.empty()) table.fail("files", "must name at least one file");
    return files;
}

}  // namespace

DeformingSolid read_deforming(TableReader& table) {
    const std::vector<fs::path> files =
        table.is_text("files") ? numbered_files(table, table.folder() / table.text("files")) : listed_files(table);
    MeshPlacement placement = read_placement(table);
    DeformingSolid solid;
    solid.frame_rate = table.number("frame_rate", {.unit = "1/s", .min = 1e-3, .max = 1e6});
    for (const fs::path& file : files) {
        placement.file = file;
        solid.keys.push_back(placement);
    }
    return solid;
}

}  // namespace tulle::scene

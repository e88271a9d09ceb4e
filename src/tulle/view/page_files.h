// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace tulle::view {

struct PageFile {
    std::string bytes;
    std::string gzipped;      // the same, compressed; may be empty
    std::string type;         // such as "text/html; charset=utf-8"
    bool is_lasting = false;  // its name has a hash of what is in it
};

// The built page, all of it in memory: a request only ever looks up a name in a list, so that none leads out.
class PageFiles {
public:
    PageFiles() = default;
    // Throws an Error that says how to get the page if there is none.
    explicit PageFiles(const std::filesystem::path& folder);

    const PageFile* find(std::string_view path) const;  // "/" is the page itself; null: there is no such file

private:
    std::map<std::string, PageFile, std::less<>> files_;  // by path, such as "/assets/index-1a2b.js"
};

// Where the built page is: $TULLE_PAGE, beside the installed program, or in the source tree of a built one; empty:
// nowhere.
std::filesystem::path find_page();

}  // namespace tulle::view

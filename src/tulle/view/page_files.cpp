// SPDX-License-Identifier: Apache-2.0
#include "tulle/view/page_files.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"

#include <cstdlib>

namespace tulle::view {

namespace fs = std::filesystem;

namespace {

std::string type_of(const fs::path& file) {
    static const std::map<std::string, std::string> types = {{".html", "text/html; charset=utf-8"},
                                                             {".js", "text/javascript; charset=utf-8"},
                                                             {".css", "text/css; charset=utf-8"},
                                                             {".svg", "image/svg+xml"},
                                                             {".png", "image/png"},
                                                             {".ico", "image/x-icon"},
                                                             {".json", "application/json"},
                                                             {".woff2", "font/woff2"},
                                                             {".txt", "text/plain; charset=utf-8"},
                                                             {".webmanifest", "application/manifest+json"}};
    const auto found = types.find(file.extension().string());
    return found == types.end() ? "application/octet-stream" : found->second;
}

}  // namespace

PageFiles::PageFiles(const fs::path& folder) {
    constexpr std::uintmax_t largest = 32 << 20;
    if (folder.empty() || !fs::is_regular_file(folder / "index.html"))
        throw Error(
            "the page is not built; `./dev view` builds it (it needs Node once), or name its folder with TULLE_PAGE");
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file() || entry.is_symlink()) continue;
        const fs::path inside = fs::relative(entry.path(), folder);
        if (inside.extension() == ".gz") continue;
        PageFile file{.bytes = read_file(entry.path(), largest),
                      .gzipped = {},
                      .type = type_of(inside),
                      .is_lasting = *inside.begin() == "assets"};
        fs::path compressed = entry.path();
        compressed += ".gz";
        if (fs::is_regular_file(fs::symlink_status(compressed))) file.gzipped = read_file(compressed, largest);
        files_[fmt::format("/{}", inside.generic_string())] = std::move(file);
    }
}

const PageFile* PageFiles::find(std::string_view path) const {
    const auto found = files_.find(path == "/" ? std::string_view("/index.html") : path);
    return found == files_.end() ? nullptr : &found->second;
}

fs::path find_page() {
    if (const char* named = std::getenv("TULLE_PAGE")) return named;
    std::error_code failed;
    const fs::path program = fs::read_symlink("/proc/self/exe", failed).parent_path();
    for (const fs::path& folder :
         {program / ".." / "share" / "tulle" / "page", program / ".." / "apps" / "viewer" / "dist"})
        if (fs::is_regular_file(folder / "index.html", failed)) return folder;
    return {};
}

}  // namespace tulle::view

// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/make_once.h"

#include "tulle/core/parallel.h"
#include "tulle/io/file_claim.h"

#include <fmt/format.h>

#include <optional>
#include <thread>

namespace tulle::workflows {

namespace fs = std::filesystem;

namespace {

// A process that makes a file holds its lock file; whoever cannot get it goes on to the next.
std::optional<io::FileClaim> claim(const fs::path& lock, const fs::path& file) {
    try {
        return io::FileClaim(lock, file.string());
    } catch (const io::FileIsTaken&) {
        return {};
    }
}

}  // namespace

fs::path numbered_file(const fs::path& folder, int index) { return folder / fmt::format("{:04}.h5", index); }

bool make_once(const fs::path& file, const std::function<void()>& work) {
    if (fs::exists(file)) return true;
    const fs::path lock = fs::path(file).replace_extension(".lock");
    const std::optional<io::FileClaim> claimed = claim(lock, file);
    if (!claimed) return false;
    if (!fs::exists(file)) work();  // else another process has just finished it
    fs::remove(lock);
    return fs::exists(file);
}

bool is_same_scene(const std::string& text, const std::string& other) {
    const auto settings = [](const std::string& scene) {
        return scene.substr(std::min(scene.size(), scene.find('\n')));
    };
    return settings(text) == settings(other);
}

void for_each_job(int count, int jobs, const std::function<void(int)>& work) {
    parallel_tasks(
        count, [&](long index) { work(static_cast<int>(index)); },
        jobs > 0 ? jobs : static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace tulle::workflows

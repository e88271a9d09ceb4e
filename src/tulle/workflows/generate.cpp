// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/generate.h"

#include "tulle/core/error.h"
#include "tulle/io/cache_reader.h"
#include "tulle/io/file_claim.h"
#include "tulle/workflows/simulate.h"

#include <algorithm>
#include <optional>

namespace tulle::workflows {

namespace fs = std::filesystem;

namespace {

// A process that works on a sequence holds its lock file; whoever cannot get it goes on to the next.
std::optional<io::FileClaim> claim(const fs::path& file) {
    try {
        return io::FileClaim(fs::path(file).replace_extension(".lock"), file.string());
    } catch (const io::FileIsTaken&) {
        return {};
    }
}

scene::Scene scene_of(const scene::Sweep& sweep, const GenerateSettings& settings, int index) {
    scene::Overrides overrides = settings.overrides;
    for (const std::string& drawn : scene::draw(sweep, index)) overrides.push_back(drawn);
    return scene::load_scene(settings.scene, overrides);
}

void check_belongs(const fs::path& file, const scene::Scene& scene) {
    // The first line tells by which path the scene was read, which does not matter.
    const auto settings = [](const std::string& text) { return text.substr(std::min(text.size(), text.find('\n'))); };
    if (settings(io::CacheReader(file).header().scene) == settings(scene.text)) return;
    throw Error("'{}' was made by another scene or sweep; remove the folder or give another one", file.string());
}

// Simulates one sequence into its file. One that was stopped is put back to unfinished, to go on from.
void make_sequence(const scene::Scene& scene, const SimulateSettings& run, GenerateReport& report) {
    try {
        report.stopped = simulate(scene, run).stopped;
    } catch (const Error&) {
        if (!fs::exists(run.cache)) throw;  // the frames before it went wrong are in the cache
    }
    if (report.stopped) {
        fs::rename(run.cache, io::part_path(run.cache));
        fs::remove(io::xdmf_path(run.cache));
    } else {
        ++report.made;
    }
}

}  // namespace

GenerateReport generate(const scene::Sweep& sweep, const GenerateSettings& settings) {
    fs::create_directories(settings.folder);
    const long total = static_cast<long>(sweep.sequences) * sweep.frames;
    GenerateReport report;
    for (int index = 0; index < sweep.sequences && !report.stopped; ++index) {
        const fs::path file = settings.folder / fmt::format("{:04}.h5", index);
        const scene::Scene scene = scene_of(sweep, settings, index);
        if (!fs::exists(file)) {
            const std::optional<io::FileClaim> claimed = claim(file);
            if (!claimed) continue;  // another process makes it
            const long before = report.frames;
            SimulateSettings run{.method = sweep.method, .frames = sweep.frames, .cache = file, .resume = true};
            run.on_frame = [&](const FrameProgress& progress) {
                return !settings.on_frame || settings.on_frame(before + progress.done, total);
            };
            if (!fs::exists(file)) make_sequence(scene, run, report);  // else another has just finished it
            fs::remove(fs::path(file).replace_extension(".lock"));
            if (report.stopped) break;
        }
        check_belongs(file, scene);
        ++report.sequences;
        const long frames = io::CacheReader(file).frame_count() - 1;
        report.frames += frames;
        if (frames < sweep.frames) ++report.diverged;
        if (settings.on_frame) report.stopped = !settings.on_frame(report.frames, total);
    }
    return report;
}

}  // namespace tulle::workflows

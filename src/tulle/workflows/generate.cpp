// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/generate.h"

#include "tulle/core/error.h"
#include "tulle/io/cache_reader.h"
#include "tulle/io/xdmf.h"
#include "tulle/workflows/make_once.h"
#include "tulle/workflows/simulate.h"

#include <atomic>
#include <mutex>
#include <numeric>
#include <vector>

namespace tulle::workflows {

namespace fs = std::filesystem;

namespace {

scene::Scene scene_of(const scene::Sweep& sweep, const GenerateSettings& settings, int index) {
    scene::Overrides overrides = settings.overrides;
    for (const std::string& drawn : scene::draw(sweep, index)) overrides.push_back(drawn);
    return scene::load_scene(settings.scene, overrides);
}

void check_belongs(const fs::path& file, const scene::Scene& scene) {
    if (is_same_scene(io::CacheReader(file).header().scene, scene.text)) return;
    throw Error("'{}' was made by another scene or sweep; remove the folder or give another one", file.string());
}

// All sequences of a sweep, several at a time.
class Generation {
public:
    Generation(const scene::Sweep& sweep, const GenerateSettings& settings)
        : sweep_(sweep), settings_(settings), frames_(static_cast<size_t>(sweep.sequences), 0) {}

    GenerateReport run() {
        fs::create_directories(settings_.folder);
        for_each_job(sweep_.sequences, settings_.jobs, [&](int index) {
            if (!stopped_) make(index);
        });
        return count();
    }

private:
    fs::path file_of(int index) const { return numbered_file(settings_.folder, index); }

    void make(int index) {
        const fs::path file = file_of(index);
        const scene::Scene scene = scene_of(sweep_, settings_, index);
        if (!make_once(file, [&] { simulate_into(file, scene, index); }))
            return;  // stopped, or another process makes it
        check_belongs(file, scene);
        show(index, io::CacheReader(file).frame_count() - 1);
    }

    // One that was stopped is put back to unfinished, to go on from.
    void simulate_into(const fs::path& file, const scene::Scene& scene, int index) {
        SimulateSettings run{.method = sweep_.method, .frames = sweep_.frames, .cache = file, .resume = true};
        run.on_frame = [&](const FrameProgress& progress) { return show(index, progress.done); };
        bool stopped = false;
        try {
            stopped = simulate(scene, run).stopped;
        } catch (const Error&) {
            if (!fs::exists(file)) throw;  // the frames before it went wrong are in the cache
        }
        if (stopped) {
            fs::rename(file, io::part_path(file));
            fs::remove(io::xdmf_path(file));
            fs::remove(io::xmf_path(file));
        } else {
            ++made_;
        }
    }

    // Whether to go on.
    bool show(int index, long frames) {
        const std::lock_guard lock(progress_);
        frames_[static_cast<size_t>(index)] = frames;
        const long total = static_cast<long>(sweep_.sequences) * sweep_.frames;
        if (settings_.on_frame && !settings_.on_frame(std::accumulate(frames_.begin(), frames_.end(), 0L), total))
            stopped_ = true;
        return !stopped_;
    }

    GenerateReport count() const {
        GenerateReport report{.made = made_, .stopped = stopped_};
        for (int index = 0; index < sweep_.sequences; ++index) {
            if (!fs::exists(file_of(index))) continue;
            const long frames = io::CacheReader(file_of(index)).frame_count() - 1;
            ++report.sequences;
            report.frames += frames;
            if (frames < sweep_.frames) ++report.diverged;
        }
        return report;
    }

    const scene::Sweep& sweep_;
    const GenerateSettings& settings_;
    std::mutex progress_;
    std::vector<long> frames_;  // of each sequence so far
    std::atomic<long> made_ = 0;
    std::atomic<bool> stopped_ = false;
};

}  // namespace

GenerateReport generate(const scene::Sweep& sweep, const GenerateSettings& settings) {
    return Generation(sweep, settings).run();
}

}  // namespace tulle::workflows

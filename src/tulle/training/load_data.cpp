// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/load_data.h"

#include "tulle/core/error.h"
#include "tulle/datasets/developable.h"
#include "tulle/scene/sweep.h"
#include "tulle/workflows/generate.h"
#include "tulle/workflows/generate_poses.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace tulle::training {

namespace fs = std::filesystem;

namespace {

// Interrupted generation goes on; a folder that is already complete is only looked through. Without a sweep a folder
// that holds anything is taken as it is.
void fill_folder(const DataSource& source, const OnRecipeProgress& on_progress) {
    const bool is_empty = !fs::exists(source.folder) || fs::is_empty(source.folder);
    if (source.scene.empty() || (source.sweep.empty() && !is_empty)) return;
    const scene::Sweep sweep =
        source.sweep.empty() ? single_sequence(scene::load_scene(source.scene)) : scene::load_sweep(source.sweep);
    const workflows::GenerateReport report =
        workflows::generate(sweep, {.scene = source.scene,
                                    .folder = source.folder,
                                    .overrides = {},
                                    .jobs = 0,
                                    .on_frame = [&](long done, long total) {
                                        const double fraction = static_cast<double>(done) / static_cast<double>(total);
                                        return !on_progress || on_progress({"generating", fraction, ""});
                                    }});
    if (report.stopped) throw Error("stopped while generating '{}'; run it again to go on", source.folder.string());
}

void read_folder(const DataSource& source, const OnRecipeProgress& on_progress,
                 std::vector<datasets::Sequence>& sequences) {
    const std::vector<fs::path> files = datasets::sequence_files(source.folder);
    for (const fs::path& file : files) {
        const double fraction = static_cast<double>(&file - files.data()) / static_cast<double>(files.size());
        if (on_progress && !on_progress({"reading", fraction, file.string()}))
            throw Error("stopped while reading '{}'", source.folder.string());
        sequences.push_back(datasets::read_sequence(file));
        sequences.back().scene_folder = source.scene.parent_path();
    }
}

datasets::Split split_source(const DataSource& source, size_t count, std::uint64_t seed) {
    if (!source.part) return datasets::split_sequences(count, seed);
    datasets::Split split;
    std::vector<size_t>& all = *source.part == datasets::Part::Training     ? split.training
                               : *source.part == datasets::Part::Validation ? split.validation
                                                                            : split.test;
    all.resize(count);
    std::iota(all.begin(), all.end(), size_t{0});
    return split;
}

// As many as the recipe asks for, or what is there.
std::vector<fs::path> draped_files(const DataSource& source, const OnRecipeProgress& on_progress) {
    if (source.poses == 0 || source.scene.empty()) return datasets::draped_files(source.folder);
    const workflows::GeneratePosesReport report =
        workflows::generate_poses({.scene = source.scene,
                                   .folder = source.folder,
                                   .poses = source.poses,
                                   .within = source.within,
                                   .on_pose = [&](long done, long total) {
                                       const double fraction = static_cast<double>(done) / static_cast<double>(total);
                                       return !on_progress || on_progress({"generating poses", fraction, ""});
                                   }});
    if (report.stopped) throw Error("stopped while generating '{}'; run it again to go on", source.folder.string());
    std::vector<fs::path> files = datasets::draped_files(source.folder);
    if (report.poses < source.poses)  // what is for test depends on the numbers
        throw Error("{} of {} poses in '{}' are still being made by another process; wait for it",
                    source.poses - report.poses, source.poses, source.folder.string());
    files.resize(static_cast<size_t>(source.poses));
    return files;
}

datasets::TrainingData load_drapes(const std::vector<DataSource>& sources, const OnRecipeProgress& on_progress) {
    if (sources.size() > 1)
        throw Error("a garment is learnt from one folder of draped poses, not from {}", sources.size());
    const DataSource& source = sources.front();
    datasets::TrainingData data;
    const std::vector<fs::path> files = draped_files(source, on_progress);
    for (const fs::path& file : files) {
        const double fraction = static_cast<double>(data.drapes.size()) / static_cast<double>(files.size());
        if (on_progress && !on_progress({"reading", fraction, file.string()}))
            throw Error("stopped while reading '{}'", source.folder.string());
        data.drapes.push_back(datasets::read_draped_example(file));
        data.drapes.back().scene_folder = source.scene.parent_path();
    }
    data.split = datasets::split_drapes(files.size(), static_cast<size_t>(source.examples));
    return data;
}

}  // namespace

datasets::TrainingData load_data(const std::vector<DataSource>& sources, scene::Examples examples, std::uint64_t seed,
                                 const OnRecipeProgress& on_progress) {
    if (examples == scene::Examples::DrapedPoses) return load_drapes(sources, on_progress);
    datasets::TrainingData data;
    for (const DataSource& source : sources) {
        const size_t first = data.sequences.size();
        if (source.developable > 0) {
            const auto make =
                source.irregular ? datasets::irregular_developable_sequences : datasets::developable_sequences;
            std::ranges::move(make(source.developable, seed), std::back_inserter(data.sequences));
        } else {
            fill_folder(source, on_progress);
            read_folder(source, on_progress, data.sequences);
        }
        const datasets::Split split = split_source(source, data.sequences.size() - first, seed);
        for (const size_t i : split.training) data.split.training.push_back(first + i);
        for (const size_t i : split.validation) data.split.validation.push_back(first + i);
        for (const size_t i : split.test) data.split.test.push_back(first + i);
    }
    if (data.split.training.empty() || data.split.validation.empty())
        throw Error("the sources of the recipe leave nothing for {}; add one, or let one be split",
                    data.split.training.empty() ? "training" : "validation");
    return data;
}

}  // namespace tulle::training

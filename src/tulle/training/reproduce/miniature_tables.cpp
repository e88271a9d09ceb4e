// SPDX-License-Identifier: Apache-2.0
// The tables of the miniature paper that train networks: 2, 3 and 5.
#include "tulle/training/reproduce/miniature.h"

#include "tulle/core/error.h"
#include "tulle/methods/upscaling/miniature/patch_samples.h"

#include <array>

namespace tulle::training {

using methods::Features;

namespace {

// Equation 4 sums the squares over the 27 numbers of a patch.
std::string equation_4(double mean_square) { return scientific(27 * mean_square); }

// Keeps as many frames, after the two before them that features look at, as the paper had.
void keep_frames(datasets::TrainingData& data, std::vector<size_t>& part, long frames) {
    std::vector<size_t> kept;
    for (const size_t index : part) {
        if (frames <= 0) break;
        datasets::Sequence& sequence = data.sequences[index];
        const long usable = std::min(frames, sequence.frame_count() - 2);
        sequence.positions.resize(static_cast<size_t>(3L * sequence.vertex_count() * (usable + 2)));
        frames -= usable;
        kept.push_back(index);
    }
    part = kept;
}

}  // namespace

void table_2(Reproduction& run, Page& page) {
    page.heading("Table 2: training pairs");
    struct Row {
        const char* name;
        const char* scene;
        long pairs, frames;
    };
    constexpr std::array<Row, 3> paper = {{{"Curtain", "curtain", 4'211'294, 1'262},
                                           {"Flag", "flag-small", 4'051'917, 2'781},
                                           {"Collision", "collision", 4'652'622, 2'022}}};
    std::vector<std::vector<std::string>> rows;
    for (const Row& row : paper) {
        const datasets::TrainingData& data = run.data(row.scene);
        long frames = 0, pairs = 0;
        for (const datasets::Sequence& sequence : data.sequences) {
            const methods::PatchSamples samples(sequence, {.factor = 2, .features = Features::Paper});
            frames += sequence.frame_count() - 2;
            pairs += samples.count();
        }
        rows.push_back({row.name, fmt::format("{} / {}", row.pairs, row.frames), fmt::format("{} / {}", pairs, frames),
                        fmt::format("{}", pairs / frames * row.frames)});
    }
    page.table({"example", "paper: pairs / frames", "ours: pairs / frames", "ours, for the paper's frames"}, rows);
    page.text("Every stride-1 window of every frame is a pair, which gives the paper's counts exactly.");
}

void table_3(Reproduction& run, Page& page) {
    page.heading("Table 3: input features (flag, 33×49)");
    datasets::TrainingData data = run.data("flag-small");
    if (!run.quick()) {
        keep_frames(data, data.split.training, 573);
        keep_frames(data, data.split.test, 84);
    }
    struct Row {
        const char* name;
        Features features;
        const char *training, *test;
    };
    constexpr std::array<Row, 4> paper = {
        {{"positions", Features::PaperPositions, "9.094e-05", "2.85e-04"},
         {"positions + velocities", Features::PaperVelocities, "8.876e-05", "2.778e-04"},
         {"positions in 3 frames", Features::Paper, "8.856e-05", "2.691e-04"},
         {"local frame, residual (ours)", Features::Local, "–", "–"}}};
    constexpr double minutes = 0.5;
    std::vector<std::vector<std::string>> rows;
    for (const Row& row : paper) {
        const TrialResult trial =
            run.trial(std::string("table 3, ") + row.name, data,
                      {.subject = patches(2, row.features), .hidden = {64, 64, 64}, .minutes = run.minutes(minutes)});
        rows.push_back(
            {row.name, row.training, row.test, equation_4(trial.training_loss), equation_4(trial.test_loss)});
    }
    page.table({"features", "paper: training", "paper: test", "ours: training", "ours: test"}, rows);
    page.text(
        fmt::format("Loss of equation 4 [m²]. 573 training and 84 test frames as in the paper, split by sequence; {} "
                    "of training each. "
                    "The paper's cloth has another size and motion, so compare the rows, not the columns.",
                    run.budget(minutes)));
}

void table_5(Reproduction& run, Page& page) {
    page.heading("Table 5: structures");
    struct Structure {
        const char* name;
        std::vector<int> hidden;
        std::array<const char*, 3> paper;
    };
    const std::vector<Structure> structures = {{"4*FC-32", {32, 32, 32}, {"9.594e-06", "1.674e-04", "1.66e-05"}},
                                               {"3*FC-64", {64, 64}, {"6.405e-06", "1.276e-04", "1.357e-05"}},
                                               {"4*FC-64", {64, 64, 64}, {"6.214e-06", "1.217e-04", "1.17e-05"}},
                                               {"5*FC-64", {64, 64, 64, 64}, {"7.158e-06", "1.677e-04", "1.454e-05"}},
                                               {"4*FC-128", {128, 128, 128}, {"6.772e-06", "1.486e-04", "1.414e-05"}}};
    constexpr std::array<const char*, 3> scenes = {"curtain", "flag-small", "collision"};
    constexpr double minutes = 0.15;
    for (const Features features : {Features::Paper, Features::Local}) {
        std::vector<std::vector<std::string>> rows;
        for (const Structure& structure : structures) {
            std::vector<std::string> row = {structure.name};
            for (size_t s = 0; s < scenes.size(); ++s) {
                const TrialResult trial = run.trial(
                    fmt::format("table 5, {} {} {}", to_string(features), structure.name, scenes[s]),
                    run.data(scenes[s]),
                    {.subject = patches(2, features), .hidden = structure.hidden, .minutes = run.minutes(minutes)});
                if (features == Features::Paper) row.emplace_back(structure.paper[s]);
                row.push_back(equation_4(trial.test_loss));
            }
            rows.push_back(row);
        }
        if (features == Features::Paper) {
            page.table({"network", "curtain: paper", "ours", "flag: paper", "ours", "collision: paper", "ours"}, rows);
            page.text("The same with local features:");
        } else {
            page.table({"network", "curtain", "flag", "collision"}, rows);
        }
    }
    page.text(fmt::format("Test loss of equation 4 [m²] after {} of training each, on all training sequences.",
                          run.budget(minutes)));
}

}  // namespace tulle::training

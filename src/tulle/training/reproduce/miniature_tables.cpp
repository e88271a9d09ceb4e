// SPDX-License-Identifier: Apache-2.0
// The tables of the miniature paper that train networks: 2, 3 and 5.
#include "tulle/training/reproduce/miniature.h"

#include "tulle/core/error.h"
#include "tulle/methods/upscaling/miniature/patch_samples.h"
#include "tulle/training/reproduce/order_in_words.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tulle::training {

using methods::Features;

namespace {

// Equation 4 sums the squares over the 27 numbers of a patch.
double equation_4(double mean_square) { return 27 * mean_square; }

// By what factor the worst of ours is worse than the best.
double spread(const std::vector<RankedRow>& rows) {
    const auto [least, most] = std::minmax_element(
        rows.begin(), rows.end(), [](const RankedRow& a, const RankedRow& b) { return a.ours < b.ours; });
    return most->ours / least->ours;
}

struct FeatureRow {
    const char* name;
    Features features;
    double training, test;  // of the paper
};
constexpr std::array<FeatureRow, 4> feature_rows = {
    {{"positions", Features::PaperPositions, 9.094e-05, 2.85e-04},
     {"positions + velocities", Features::PaperVelocities, 8.876e-05, 2.778e-04},
     {"positions in 3 frames", Features::Paper, 8.856e-05, 2.691e-04},
     {"canonical (ours)", Features::Canonical, 0, 0}}};

// By a second seed, relative.
double largest_change(const std::vector<RankedRow>& first, const std::vector<RankedRow>& second) {
    double largest = 0;
    for (size_t i = 0; i < first.size(); ++i) largest = std::max(largest, std::abs(second[i].ours / first[i].ours - 1));
    return largest;
}

// Tests whether chance orders the rows.
std::string seeds_in_words(const std::vector<RankedRow>& first, const std::vector<RankedRow>& second) {
    const double change = largest_change(first, second);
    return fmt::format(
        "The paper's test losses are within 6 % of each other, ours within a factor of {:.1f}. Tested: a second seed "
        "changes a row by up to {:.0f} %, {}.",
        spread(first), 100 * change,
        change > 0.06 ? "more than the paper's rows differ: chance alone could order rows as near as the paper's"
                      : "less than the paper's rows differ, so that chance is not why");
}

TrialResult train_features(Reproduction& run, const datasets::TrainingData& data, const std::string& name,
                           Features features, std::uint64_t seed) {
    const Subject subject = patches(2, features);
    return run.trial(fmt::format("miniature table 3, {}, seed {}", name, seed), data,
                     {.subject = subject,
                      .hidden = hidden_of_equal_cost(subject, {64, 64, 64}),
                      .minutes = run.minutes_per_cell(),
                      .seed = seed});
}

struct Structure {
    const char* name;
    std::vector<int> hidden;
    std::array<double, 3> paper;  // curtain, flag, collision
};

std::vector<Structure> structures() {
    return {{"4*FC-32", {32, 32, 32}, {9.594e-06, 1.674e-04, 1.66e-05}},
            {"3*FC-64", {64, 64}, {6.405e-06, 1.276e-04, 1.357e-05}},
            {"4*FC-64", {64, 64, 64}, {6.214e-06, 1.217e-04, 1.17e-05}},
            {"5*FC-64", {64, 64, 64, 64}, {7.158e-06, 1.677e-04, 1.454e-05}},
            {"4*FC-128", {128, 128, 128}, {6.772e-06, 1.486e-04, 1.414e-05}}};
}

constexpr std::array<const char*, 3> scenes = {"curtain", "flag-small", "collision"};

void write_table_5(Page& page, Features features, const std::vector<std::vector<std::string>>& rows) {
    if (features == Features::Paper) {
        page.table(
            {"network", "multiplications", "curtain: paper", "ours", "flag: paper", "ours", "collision: paper", "ours"},
            rows);
    } else {
        page.text("The same with canonical features:");
        page.table({"network", "multiplications", "curtain", "flag", "collision"}, rows);
    }
}

// Tests whether the larger networks are the ones that had too little time: what the last round gained in the mean over
// the scenes, by structure.
std::string who_still_gains(const std::vector<NamedTrial>& cells) {
    std::vector<std::string> gains;
    for (size_t i = 0; i + scenes.size() <= cells.size(); i += scenes.size()) {
        double sum = 0;
        for (size_t s = 0; s < scenes.size(); ++s) sum += cells[i + s].trial->last_gain;
        gains.push_back(fmt::format("{} {:.0f} %", structures()[i / scenes.size()].name,
                                    100 * sum / static_cast<double>(scenes.size())));
    }
    return fmt::format(
        "In the mean over the scenes the last round gained: {}. That those which still gain more would move up with "
        "more time is a guess.",
        fmt::join(gains, ", "));
}

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
    std::vector<std::vector<std::string>> rows;
    std::vector<TrialResult> trials;
    std::vector<NamedTrial> cells;
    std::vector<RankedRow> training, test, again;
    trials.reserve(2 * feature_rows.size());
    for (const FeatureRow& row : feature_rows) {
        const TrialResult& trial = trials.emplace_back(train_features(run, data, row.name, row.features, 1));
        cells.push_back({row.name, &trial});
        const std::string trained = scientific(equation_4(trial.training_loss)),
                          tested = cell_text(scientific(equation_4(trial.test_loss)), trial);
        if (row.features == Features::Canonical) {
            rows.push_back({row.name, "–", "–", trained, tested, "–"});
            continue;
        }
        const TrialResult& other = trials.emplace_back(train_features(run, data, row.name, row.features, 2));
        cells.push_back({std::string(row.name) + ", second seed", &other});
        rows.push_back({row.name, scientific(row.training), scientific(row.test), trained, tested,
                        cell_text(scientific(equation_4(other.test_loss)), other)});
        training.push_back({row.name, row.training, trial.training_loss});
        test.push_back({row.name, row.test, trial.test_loss});
        again.push_back({row.name, row.test, other.test_loss});
    }
    rows.push_back(
        {"bicubic, no network", "–", "–", "–", scientific(equation_4(trials.back().interpolation_loss)), "–"});
    page.table({"features", "paper: training", "paper: test", "ours: training", "ours: test", "test, second seed"},
               rows);
    page.text(
        "Loss of equation 4 [m²]. 573 training and 84 test frames as in the paper, split by sequence, the same for all "
        "rows. The paper's cloth has another size and motion, so compare the rows, not the columns.");
    page.text(plateau_in_words(cells));
    page.text(order_in_words("Training loss", training) + " " + order_in_words("Test loss", test) + " " +
              order_in_words("Test loss, second seed", again) + " " + seeds_in_words(test, again));
}

void table_5(Reproduction& run, Page& page) {
    page.heading("Table 5: structures");
    for (const Features features : {Features::Paper, Features::Canonical}) {
        std::vector<std::vector<std::string>> rows;
        std::vector<NamedTrial> cells;
        std::vector<TrialResult> trials;
        trials.reserve(structures().size() * scenes.size());
        std::array<std::vector<RankedRow>, 3> ranked;
        const Subject subject = patches(2, features);
        for (const Structure& structure : structures()) {
            std::vector<std::string> row = {structure.name, ""};
            for (size_t s = 0; s < scenes.size(); ++s) {
                trials.push_back(run.trial(
                    fmt::format("miniature table 5, {}, {}, {}", to_string(features), structure.name, scenes[s]),
                    run.data(scenes[s]),
                    {.subject = subject,
                     .hidden = hidden_of_equal_cost(subject, structure.hidden),
                     .minutes = run.minutes_per_cell()}));
                const TrialResult& trial = trials.back();
                cells.push_back({fmt::format("{}, {}", structure.name, scenes[s]), &trial});
                ranked[s].push_back({structure.name, structure.paper[s], trial.test_loss});
                row[1] = fmt::format("{}", multiplications(subject, trial.network));
                if (features == Features::Paper) row.push_back(scientific(structure.paper[s]));
                row.push_back(cell_text(scientific(equation_4(trial.test_loss)), trial));
            }
            rows.push_back(row);
        }
        write_table_5(page, features, rows);
        page.text(plateau_in_words(cells));
        page.text(fmt::format("{} {} {} {}", order_in_words("Curtain", ranked[0]), order_in_words("Flag", ranked[1]),
                              order_in_words("Collision", ranked[2]), who_still_gains(cells)));
    }
    page.text(
        "Test loss of equation 4 [m²]; all cells learn from the same training sequences of their scene, with the same "
        "budget for both features. Canonical networks have the sixteen symmetries of a patch, so their hidden layers "
        "are multiples of 16 wide: three times as wide as the name of the row says, for about as many "
        "multiplications.");
}

}  // namespace tulle::training

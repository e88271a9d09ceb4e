// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/evaluate_sequences.h"

#include "tests/support/error_of.h"
#include "tests/support/near.h"
#include "tests/support/temporary_folder.h"
#include "tulle/workflows/evaluate.h"
#include "tulle/workflows/generate.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

namespace tulle::workflows {

namespace {

// Ten short sequences of a small cloth in the wind.
struct Sequences {
    test::TemporaryFolder folder;

    Sequences() {
        std::ofstream(file()) << R"(
name = "tiny"
[time]
frames = 6
[cloth]
rows = 9
columns = 13
mass = 0.002
[[pins]]
column = "first"
[wind]
velocity = [3, 1, 0]
)";
        const scene::Sweep sweep{.sequences = 10,
                                 .frames = 6,
                                 .seed = 2,
                                 .variations = {{.keys = {"cloth.mass"}, .min = {0.001}, .max = {0.004}}}};
        (void)generate(sweep, {.scene = file(), .folder = folder / "data"});
    }
    std::filesystem::path file() const { return folder / "tiny.toml"; }
    SequencesReport evaluate(SequencesSettings settings) const {
        settings.folder = folder / "data";
        if (settings.methods.empty()) settings.methods = {"bicubic", "bilinear"};
        return evaluate_sequences(scene::load_scene(file()), settings);
    }
};

}  // namespace

TEST_CASE("The parts of a folder are those of training, and together all of it") {
    const Sequences sequences;
    std::vector<std::string> together;
    for (const datasets::Part part : {datasets::Part::Training, datasets::Part::Validation, datasets::Part::Test}) {
        const std::vector<std::string> files = sequences.evaluate({.part = part}).files;
        together.insert(together.end(), files.begin(), files.end());
    }
    std::sort(together.begin(), together.end());
    CHECK(together == sequences.evaluate({.part = {}}).files);
    const size_t test = datasets::split_sequences(10, 1).test.front();
    CHECK(sequences.evaluate({}).files == std::vector<std::string>{fmt::format("{:04}.h5", test)});
}

TEST_CASE("The error on a recorded sequence is the teacher-forced one of an evaluation of its scene") {
    const Sequences sequences;
    const SequencesReport report = sequences.evaluate({.part = {}});
    for (size_t i : {0u, 7u}) {
        const datasets::Sequence sequence = datasets::read_sequence(sequences.folder / "data" / report.files[i]);
        const scene::Scene own = scene::parse_scene(sequence.scene_text, "own", sequences.folder.path());
        const EvaluateReport live =
            evaluate(own, {.methods = {"bicubic", "bilinear"}, .frames = 6, .converged = false, .folder = {}});
        for (size_t m = 0; m < 2; ++m) {
            CHECK(report.methods[m].errors[i] > 1e-6);
            CHECK(report.methods[m].errors[i] == test::near(live.methods[m].teacher_forced->mean).epsilon(1e-3));
        }
    }
}

TEST_CASE("The ratio to the first method is that of the mean errors, with the smallest and largest of any sequence") {
    const SequencesReport report{
        .scene = "s",
        .files = {"a", "b"},
        .methods = {{.name = "bicubic", .errors = {1, 3}}, {.name = "ours", .errors = {0.5, 0.6}}}};
    const Spread ratios = ratios_of(report, report.methods[1]);
    CHECK(ratios.mean == test::near(1.1 / 4));
    CHECK(ratios.min == test::near(0.2));
    CHECK(ratios.max == test::near(0.5));
    CHECK(spread_of(report.methods[1].errors).mean == test::near(0.55));
}

TEST_CASE("A method that does not upscale and sequences of another scene are refused with a sentence") {
    const Sequences sequences;
    CHECK(test::contains(test::error_of([&] { (void)sequences.evaluate({.methods = {"admm"}}); }),
                         "method 'admm' does not upscale"));
    const scene::Scene other = scene::load_scene(sequences.file(), {"name='other'"});
    CHECK(test::contains(test::error_of([&] {
                             (void)evaluate_sequences(other,
                                                      {.folder = sequences.folder / "data", .methods = {"bicubic"}});
                         }),
                         "is a sequence of the scene 'tiny', not of 'other'"));
}

}  // namespace tulle::workflows

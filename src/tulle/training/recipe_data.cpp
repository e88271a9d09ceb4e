// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/error.h"
#include "tulle/evaluation/teacher_forcing.h"
#include "tulle/methods/interpolation_upscaler.h"
#include "tulle/training/samples.h"
#include "tulle/training/train_recipe.h"
#include "tulle/workflows/generate.h"

namespace tulle::training {

namespace {

// Interrupted generation goes on; a folder that is already complete is only looked through.
void fill_folder(const DataSource& data, const std::function<bool(const RecipeProgress&)>& on_progress) {
    if (data.scene.empty() || data.sweep.empty()) return;
    const workflows::GenerateReport report = workflows::generate(
        scene::load_sweep(data.sweep),
        {.scene = data.scene, .folder = data.folder, .overrides = {}, .on_frame = [&](long done, long total) {
             const double fraction = static_cast<double>(done) / static_cast<double>(total);
             return !on_progress || on_progress({"generating", fraction, ""});
         }});
    if (report.stopped) throw Error("stopped while generating '{}'; run it again to go on", data.folder.string());
}

std::unique_ptr<methods::Upscaler> upscaler_for(const methods::TrainedModel& model,
                                                const datasets::Sequence& sequence) {
    const int factor = model.card.factor;
    if (model.card.method == "hierarchy")
        return make_hierarchy_upscaler(model, hierarchy_of(sequence, factor), sequence.mesh.positions);
    return make_patch_upscaler(model, geometry::make_miniature(sequence.grid, factor), sequence.mesh.positions,
                               sequence.frame_time);
}

std::vector<int> fine_vertices(const methods::TrainedModel& model, const datasets::Sequence& sequence) {
    if (sequence.grid.rows == 0) return hierarchy_of(sequence, model.card.factor).fine_vertices.front();
    return geometry::make_miniature(sequence.grid, model.card.factor).fine_vertices();
}

bool divides(const geometry::GridSize& grid, int factor) {
    return grid.rows == 0 || ((grid.rows - 1) % factor == 0 && (grid.columns - 1) % factor == 0);
}

}  // namespace

RecipeData load_data(const Recipe& recipe, const std::function<bool(const RecipeProgress&)>& on_progress) {
    RecipeData data;
    for (const DataSource& source : recipe.data) {
        fill_folder(source, on_progress);
        const std::vector<std::filesystem::path> files = datasets::sequence_files(source.folder);
        const size_t first = data.sequences.size();
        for (const std::filesystem::path& file : files) {
            const double fraction = static_cast<double>(&file - files.data()) / static_cast<double>(files.size());
            if (on_progress && !on_progress({"reading", fraction, file.string()}))
                throw Error("stopped while reading '{}'", source.folder.string());
            data.sequences.push_back(datasets::read_sequence(file));
            data.sequences.back().scene_folder = source.scene.parent_path();
        }
        const datasets::Split split = datasets::split_sequences(files.size(), recipe.training.seed);
        for (const size_t i : split.training) data.split.training.push_back(first + i);
        for (const size_t i : split.validation) data.split.validation.push_back(first + i);
        for (const size_t i : split.test) data.split.test.push_back(first + i);
    }
    return data;
}

std::map<std::string, double> test_errors(const methods::TrainedModel& model, const RecipeData& data) {
    constexpr long every_frame = 5;
    double sum = 0, bicubic_sum = 0, count = 0;
    bool has_grid = true;
    for (const size_t index : data.split.test) {
        const datasets::Sequence& sequence = data.sequences[index];
        if (!divides(sequence.grid, model.card.factor)) continue;  // its patches teach, but it has no miniature
        ++count;
        const std::vector<int> coarse = fine_vertices(model, sequence);
        sum += evaluation::teacher_forced_error(*upscaler_for(model, sequence), coarse, sequence, every_frame).mean;
        has_grid = has_grid && sequence.grid.rows > 0;
        if (!has_grid) continue;
        const methods::InterpolationUpscaler bicubic(geometry::make_miniature(sequence.grid, model.card.factor),
                                                     geometry::Interpolation::Bicubic);
        bicubic_sum += evaluation::teacher_forced_error(bicubic, coarse, sequence, every_frame).mean;
    }
    std::map<std::string, double> errors = {{"teacher_forced_mean", sum / count}};
    if (has_grid) errors["bicubic_mean"] = bicubic_sum / count;
    if (has_grid) errors["relative_to_bicubic"] = sum / bicubic_sum;
    return errors;
}

}  // namespace tulle::training

// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/miniature/patch_upscaler.h"

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/methods/miniature/patch_samples.h"
#include "tulle/methods/tiles.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace tulle::methods {

namespace {

using GridFloats = Rows<float, 3>;  // |V|×3 [m]

}  // namespace

PatchUpscaler::PatchUpscaler(const geometry::Miniature& miniature, const Positions& fine_rest,
                             const neural::Network& network, Features features, double frame_time)
    : miniature_(miniature),
      shape_{miniature.factor, features},
      bicubic_(miniature, geometry::Interpolation::Bicubic),
      network_(network),
      unit_(rest_spacing(miniature.fine, fine_rest, miniature.factor)),
      frame_time_(static_cast<float>(frame_time)) {
    if (network_.input_size() != shape_.input_size() || network_.output_size() != shape_.output_size())
        throw Error("a network of {} inputs and {} outputs does not fit {} features at factor {}, which want {} and {}",
                    network_.input_size(), network_.output_size(), to_string(features), miniature.factor,
                    shape_.input_size(), shape_.output_size());
    if (network_.output_size() > largest_output)
        throw Error("the miniature method goes up to factor 4, not {}; cascade smaller factors instead",
                    miniature.factor);
    const auto ranges = [&](int vertices) {
        std::vector<PatchRange> result;
        const int s = miniature_.factor, patches = (vertices - 1) / s;
        for (int v = 0; v < vertices; ++v) result.push_back({std::max(0, v - 1) / s, std::min(v / s, patches - 1)});
        return result;
    };
    patches_of_row_ = ranges(miniature_.fine.rows);
    patches_of_column_ = ranges(miniature_.fine.columns);
}

UpscaleReport PatchUpscaler::upscale(std::span<const Positions> frames, Positions& fine) const {
    const bool local = shape_.features == Features::Local;
    // Single precision is exact enough near the origin only, and local features do not care where that is.
    const Eigen::RowVector3d center =
        local ? Eigen::RowVector3d(frames.back().colwise().mean()) : Eigen::RowVector3d(Eigen::RowVector3d::Zero());
    std::vector<GridFloats> points;
    for (const Positions& frame : frames) points.push_back((frame.rowwise() - center).cast<float>());
    std::vector<GridPoints> grids;
    for (const GridFloats& frame : points) grids.push_back({miniature_.coarse, frame.data()});

    UpscaleReport report;
    std::vector<float> answers(static_cast<size_t>(patch_count() * shape_.output_size()));
    if (local)
        report.collapsed_pieces = ask_local(grids.back(), answers);
    else
        ask_paper(grids, answers);

    fine.resize(fine_count(), 3);
    const int rows = miniature_.fine.rows;
#pragma omp parallel for schedule(static) if (thread_count() > 1 && fine_count() >= parallel_grain)
    for (int row = 0; row < rows; ++row) {
        if (local) bicubic_.fill_rows(frames.back(), row, row + 1, fine);
        add_row(answers, row, fine);
    }
    return report;
}

long PatchUpscaler::ask_local(const GridPoints& coarse, std::vector<float>& answers) const {
    const int vertices = shape_.side() * shape_.side();
    std::vector<LocalFrame> frames(static_cast<size_t>(patch_count()));
    std::atomic<long> collapsed = 0;
    for_each_piece(
        network_, patch_count(),
        [&](long patch, float* input) {
            const Neighbourhood around = neighbourhood(coarse, place(patch));
            LocalFrame& frame = frames[static_cast<size_t>(patch)];
            frame = patch_frame(around, unit_);
            write_local_input(around, frame, {input, 48});
        },
        [&](long patch, const float* output) {
            const LocalFrame& frame = frames[static_cast<size_t>(patch)];
            if (!frame.sound) ++collapsed;
            const Eigen::Matrix3f turn = frame.sound ? Eigen::Matrix3f(frame.trust * frame.unit * frame.axes)
                                                     : Eigen::Matrix3f(Eigen::Matrix3f::Zero());  // stays bicubic
            float* answer = answers.data() + patch * shape_.output_size();
            for (int v = 0; v < vertices; ++v)
                Eigen::Map<Point>(answer + 3L * v) = turn * Eigen::Map<const Eigen::Vector3f>(output + 3L * v);
        });
    return collapsed;
}

void PatchUpscaler::ask_paper(std::span<const GridPoints> frames, std::vector<float>& answers) const {
    const auto inputs = static_cast<size_t>(shape_.input_size());
    for_each_piece(
        network_, patch_count(),
        [&](long patch, float* input) {
            write_paper_input(frames, place(patch), shape_.features, frame_time_, {input, inputs});
        },
        [&](long patch, const float* output) {
            std::copy_n(output, shape_.output_size(), answers.data() + patch * shape_.output_size());
        });
}

Point PatchUpscaler::mean_answer(const std::vector<float>& answers, int row, int column) const {
    constexpr std::array<float, 5> share = {0, 1, 0.5f, 0, 0.25f};
    const int s = shape_.factor, per_row = miniature_.coarse.columns - 1;
    const PatchRange rows = patches_of_row_[static_cast<size_t>(row)];
    const PatchRange columns = patches_of_column_[static_cast<size_t>(column)];
    Point sum = Point::Zero();
    for (int i = rows.first; i <= rows.last; ++i)
        for (int j = columns.first; j <= columns.last; ++j) {
            const long patch = static_cast<long>(i) * per_row + j;
            const int vertex = (row - i * s) * shape_.side() + column - j * s;
            sum += Eigen::Map<const Point>(answers.data() + patch * shape_.output_size() + 3L * vertex);
        }
    const int count = (rows.last - rows.first + 1) * (columns.last - columns.first + 1);
    return share[static_cast<size_t>(count)] * sum;
}

void PatchUpscaler::add_row(const std::vector<float>& answers, int row, Positions& fine) const {
    const bool local = shape_.features == Features::Local;
    for (int column = 0; column < miniature_.fine.columns; ++column) {
        const bool is_simulated = row % shape_.factor == 0 && column % shape_.factor == 0;
        auto vertex = fine.row(miniature_.fine.index(row, column));
        if (!local)
            vertex = mean_answer(answers, row, column).cast<double>().transpose();
        else if (!is_simulated)
            vertex += mean_answer(answers, row, column).cast<double>().transpose();
    }
}

}  // namespace tulle::methods

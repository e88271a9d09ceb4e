// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/miniature/patch_upscaler.h"

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/methods/upscaling/canonical_lanes.h"
#include "tulle/methods/upscaling/miniature/patch_samples.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>

namespace tulle::methods {

namespace {

constexpr int largest_factor = 4, most_points = (largest_factor + 1) * (largest_factor + 1);

// The 4×4 neighbourhood of every cell for canonical features, else its corners.
PieceTiles make_tiles(const geometry::GridSize& grid, Features features) {
    std::vector<Ghost> ghosts;
    std::map<std::pair<int, int>, int> ghost_at;
    const auto index = [&](int row, int column) {
        const auto ghost = ghost_at.find({row, column});
        return ghost == ghost_at.end() ? grid.index(row, column) : ghost->second;
    };
    // Beyond the border the grid goes on linearly: p + p − q.
    const auto add_ghost = [&](int row, int column, int p, int q) {
        ghost_at[{row, column}] = grid.vertex_count() + static_cast<int>(ghosts.size());
        ghosts.push_back({p, p, q});
    };
    const bool canonical = is_canonical(features);
    if (canonical) {
        for (int row = 0; row < grid.rows; ++row) {
            add_ghost(row, -1, index(row, 0), index(row, 1));
            add_ghost(row, grid.columns, index(row, grid.columns - 1), index(row, grid.columns - 2));
        }
        for (int column = -1; column <= grid.columns; ++column) {
            add_ghost(-1, column, index(0, column), index(1, column));
            add_ghost(grid.rows, column, index(grid.rows - 1, column), index(grid.rows - 2, column));
        }
    }
    std::vector<int> points;
    const int before = canonical ? -1 : 0, after = canonical ? 2 : 1;
    for (int row = 0; row + 1 < grid.rows; ++row)
        for (int column = 0; column + 1 < grid.columns; ++column)
            for (int i = before; i <= after; ++i)
                for (int j = before; j <= after; ++j) points.push_back(index(row + i, column + j));
    return {grid.vertex_count(), std::move(ghosts), points, canonical ? 16 : 4};
}

neural::FusedNetwork fused(const neural::Network& network, const PatchShape& shape) {
    if (network.input_size() != shape.input_size() || network.output_size() != shape.output_size())
        throw Error("a network of {} inputs and {} outputs does not fit {} features at factor {}, which want {} and {}",
                    network.input_size(), network.output_size(), to_string(shape.features), shape.factor,
                    shape.input_size(), shape.output_size());
    return is_canonical(shape.features) ? neural::FusedNetwork(network, patch_symmetry(shape))
                                        : neural::FusedNetwork(network);
}

}  // namespace

PatchUpscaler::PatchUpscaler(const geometry::Miniature& miniature, const Positions& fine_rest,
                             const neural::Network& network, const PieceSettings& settings)
    : miniature_(miniature),
      shape_{miniature.factor, settings.features},
      bicubic_(miniature, geometry::Interpolation::Bicubic),
      network_(fused(network, shape_)),
      tiles_(make_tiles(miniature.coarse, settings.features)),
      settings_(settings),
      unit_(rest_spacing(miniature.fine, fine_rest, miniature.factor)),
      stiffness_(stiffness_inputs(settings.stiffness, unit_)) {
    if (miniature.factor > largest_factor)
        throw Error("the miniature method goes up to factor {}, not {}; cascade smaller factors instead",
                    largest_factor, miniature.factor);
    find_answers();
}

void PatchUpscaler::find_answers() {
    const int s = miniature_.factor, rows = miniature_.coarse.rows - 1, columns = miniature_.coarse.columns - 1;
    for (int row = 0; row < miniature_.fine.rows; ++row)
        for (int column = 0; column < miniature_.fine.columns; ++column) {
            // The patches above and below, left and right, that have the vertex on their border or in them.
            std::array<int, 4> places;
            for (int i = 0; i < 4; ++i) {
                const int patch_row = i / 2 == 0 ? std::max(0, row - 1) / s : std::min(row / s, rows - 1);
                const int patch_column = i % 2 == 0 ? std::max(0, column - 1) / s : std::min(column / s, columns - 1);
                const int vertex = (row - patch_row * s) * shape_.side() + column - patch_column * s;
                places[static_cast<size_t>(i)] =
                    place_of_answer(static_cast<long>(patch_row) * columns + patch_column, vertex, points_per_patch());
            }
            answers_of_vertex_.push_back(places);
        }
}

UpscaleReport PatchUpscaler::upscale(std::span<const Positions> frames, Positions& fine) const {
    const bool canonical = is_canonical(shape_.features);
    const Eigen::RowVector3d origin = origin_for(shape_.features, frames.back());
    std::vector<Rows4> seen;
    for (const Positions& frame : frames) seen.push_back(tiles_.lay_out(frame, origin));

    const auto answers =
        std::make_unique_for_overwrite<LanePoints[]>(static_cast<size_t>(tiles_.count() * points_per_patch()));
    std::vector<Lanes> bounds(canonical ? static_cast<size_t>(tiles_.count()) : 0);
    std::atomic<long> collapsed = 0;
    for_each_tile(tiles_, [&](long tile) {
        LanePoints* const said = answers.get() + tile * points_per_patch();
        if (canonical)
            collapsed += ask_canonical(tile, seen, said, bounds[static_cast<size_t>(tile)]);
        else
            ask_paper(tile, seen, said);
    });

    fine.resize(fine_count(), 3);
    parallel_ranges(
        miniature_.fine.rows,
        [&](long begin, long end) {
            for (int row = static_cast<int>(begin); row < end; ++row) {
                if (canonical) bicubic_.fill_rows(frames.back(), row, row + 1, fine);
                add_row(answers.get(), row, fine);
            }
        },
        /*grain=*/8);
    return {.collapsed_pieces = collapsed, .bounds = std::move(bounds)};
}

int PatchUpscaler::ask_canonical(long tile, std::span<const Rows4> seen, LanePoints* answers, Lanes& bounds) const {
    std::array<LanePoints, 16> around;
    std::array<LanePoints, 18 + 16> inputs;
    std::array<LanePoints, most_points + 1> outputs;
    FrameLanes frames;
    tiles_.gather(tile, seen.back(), around.data());
    write_canonical_patch_inputs(around.data(), unit_, stiffness_, frames, inputs.data());
    if (shape_.features == Features::Motion) {
        tiles_.gather(tile, seen.front(), around.data());
        write_earlier_patch_shapes(around.data(), frames, inputs.data(), inputs.data() + 18);
    }
    network_.evaluate_lanes(inputs[0].x.of, outputs[0].x.of);
    bounds = weigh_answers(outputs.data(), points_per_patch(), settings_.trust, frames);
    std::fill_n(answers, points_per_patch(), LanePoints{});
    add_in_world(frames, outputs.data(), points_per_patch(), answers);
    return frames.collapsed(tiles_.pieces(tile));
}

void PatchUpscaler::ask_paper(long tile, std::span<const Rows4> frames, LanePoints* answers) const {
    std::array<LanePoints, 12> inputs;
    if (shape_.features == Features::PaperVelocities) {
        std::array<LanePoints, 4> before;
        tiles_.gather(tile, frames[0], before.data());
        tiles_.gather(tile, frames[1], inputs.data());
        std::copy_n(inputs.data(), 4, inputs.data() + 4);
        const auto frame_time = static_cast<float>(settings_.frame_time);
        combine(before.data(), 4, inputs.data() + 4, [&](float now, float then) { return (now - then) / frame_time; });
    } else {
        for (size_t i = 0; i < frames.size(); ++i) tiles_.gather(tile, frames[i], inputs.data() + 4 * i);
    }
    network_.evaluate_lanes(inputs[0].x.of, answers->x.of);
}

bool PatchUpscaler::keeps(int row, int column) const {
    const bool is_simulated = row % shape_.factor == 0 && column % shape_.factor == 0;
    return is_simulated && is_canonical(shape_.features) && !settings_.corrects_coarse;
}

// Each from the patches whose answers it has.
Eigen::VectorXf PatchUpscaler::vertex_bounds(const UpscaleReport& report) const {
    Eigen::VectorXf bounds = Eigen::VectorXf::Zero(fine_count());
    const int numbers_per_tile = 3 * lane_count * points_per_patch();
    for (long v = 0; v < bounds.size() && !report.bounds.empty(); ++v)
        for (const int place : answers_of_vertex_[static_cast<size_t>(v)])
            bounds(v) += 0.25f * report.bounds[static_cast<size_t>(place / numbers_per_tile)][place % lane_count];
    return bounds;
}

Eigen::VectorXf PatchUpscaler::carry(const Eigen::VectorXf& coarse) const {
    return geometry::interpolate_numbers(miniature_, coarse);
}

void PatchUpscaler::add_row(const LanePoints* answers, int row, Positions& fine) const {
    const bool canonical = is_canonical(shape_.features);
    for (int column = 0; column < miniature_.fine.columns; ++column) {
        const int v = miniature_.fine.index(row, column);
        if (keeps(row, column)) continue;
        const auto [a, b, c, d] = answers_of_vertex_[static_cast<size_t>(v)];
        const auto at = [&](int place) { return answer_at(answers, place); };
        const Eigen::RowVector3d mean = (0.25f * ((at(a) + at(b)) + (at(c) + at(d)))).cast<double>();
        fine.row(v) = canonical ? Eigen::RowVector3d(fine.row(v) + mean) : mean;
    }
}

}  // namespace tulle::methods

// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/hierarchy/triangle_upscaler.h"

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>

namespace tulle::methods {

namespace {

// With canonical features midpoints have a place of their own, after the vertices.
PieceTiles make_tiles(const TriangleElements& elements, int vertices, int edges) {
    const int places = is_canonical(elements.features()) ? edges : 0;
    std::vector<Ghost> ghosts;
    std::vector<int> points;
    for (long t = 0; t < elements.count(); ++t) {
        const auto corner = [&](int k) { return elements.triangles()(t, k % 3); };
        for (int i = 0; i < 3; ++i) points.push_back(corner(i));
        if (!is_canonical(elements.features())) continue;
        for (int i = 0; i < 3; ++i) {
            int across = elements.across()(t, i);
            if (across < 0) {
                across = vertices + places + static_cast<int>(ghosts.size());
                ghosts.push_back({corner(i), corner(i + 1), corner(i + 2)});
            }
            points.push_back(across);
        }
        for (int i = 0; i < 3; ++i) points.push_back(vertices + elements.edges()(t, i));
    }
    return {vertices, std::move(ghosts), points, elements.point_count(), places};
}

Eigen::Vector4f row_of(const std::vector<float>& rows, long index) {
    return Eigen::Map<const Eigen::Vector4f>(rows.data() + 4 * index);
}

neural::FusedNetwork fused(const neural::Network& network, const TriangleElements& elements) {
    if (network.input_size() != elements.input_size() || network.output_size() != elements.output_size())
        throw Error("a network of {} inputs and {} outputs does not fit {} features of triangles, which want {} and {}",
                    network.input_size(), network.output_size(), to_string(elements.features()), elements.input_size(),
                    elements.output_size());
    return elements.features() == Features::Canonical ? neural::FusedNetwork(network, triangle_symmetry())
                                                      : neural::FusedNetwork(network);
}

}  // namespace

TriangleUpscaler::TriangleUpscaler(const geometry::Subdivision& subdivision, MidpointStencils base,
                                   const Positions& fine_rest, const neural::Network& network,
                                   const PieceSettings& settings)
    : TriangleUpscaler(subdivision, std::move(base), TriangleElements(subdivision, fine_rest, settings.features),
                       network, settings) {}

TriangleUpscaler::TriangleUpscaler(const geometry::Subdivision& subdivision, MidpointStencils base,
                                   const TriangleElements& elements, const neural::Network& network,
                                   const PieceSettings& settings)
    : features_(elements.features()),
      trust_(settings.trust),
      network_(fused(network, elements)),
      tiles_(make_tiles(elements, subdivision.coarse_count(), static_cast<int>(subdivision.fine_midpoints.size()))),
      fine_vertices_(subdivision.fine_vertices),
      fine_midpoints_(subdivision.fine_midpoints),
      edges_(subdivision.edges),
      answers_of_edge_(subdivision.fine_midpoints.size(), {-1, -1}) {
    if (is_canonical(features_)) base_ = std::move(base);
    rest_ = lay_out_rest(elements, settings.stiffness);
    for (long t = 0; t < elements.count(); ++t)
        for (int i = 0; i < 3; ++i) {
            auto& [first, second] = answers_of_edge_[static_cast<size_t>(elements.edges()(t, i))];
            second = place_of_answer(t, i, 3);
            if (first < 0) first = second;
        }
}

std::vector<TriangleUpscaler::RestTile> TriangleUpscaler::lay_out_rest(const TriangleElements& elements,
                                                                       const Stiffness& stiffness) const {
    std::vector<RestTile> rest(static_cast<size_t>(tiles_.count()));
    const auto put = [](const Point& from, int lane, LanePoints& to) {
        to.x[lane] = from.x();
        to.y[lane] = from.y();
        to.z[lane] = from.z();
    };
    for (long tile = 0; tile < tiles_.count(); ++tile)
        for (int lane = 0; lane < lane_count; ++lane) {
            RestTile& to = rest[static_cast<size_t>(tile)];
            const long t = std::min(tile * lane_count + lane, elements.count() - 1);
            to.units[lane] = elements.unit(t);
            if (features_ == Features::Canonical)
                lay_out(elements.rest_triangle(t), stiffness_inputs(stiffness, elements.unit(t)), lane, to.canonical);
            for (int i = 0; i < 3; ++i) {
                const auto k = static_cast<size_t>(i);
                put(elements.rest_corner(t, i), lane, to.corners[k]);
                put(elements.rest_midpoint(t, i), lane, to.midpoints[k]);
            }
        }
    return rest;
}

UpscaleReport TriangleUpscaler::upscale(std::span<const Positions> frames, Positions& fine) const {
    const Positions& coarse = frames.back();
    const Eigen::RowVector3d origin = origin_for(features_, coarse);
    std::vector<float> points = tiles_.lay_out(coarse, origin);
    interpolate(points);
    const auto answers = std::make_unique_for_overwrite<LanePoints[]>(static_cast<size_t>(3 * tiles_.count()));
    const bool canonical = features_ == Features::Canonical;
    std::vector<Lanes> bounds(canonical ? static_cast<size_t>(tiles_.count()) : 0);
    std::atomic<long> collapsed = 0;
    for_each_tile(tiles_, [&](long tile) {
        LanePoints* const of_tile = answers.get() + 3 * tile;
        if (canonical)
            collapsed += ask_canonical(tile, points, of_tile, bounds[static_cast<size_t>(tile)]);
        else
            ask_paper(tile, points, of_tile);
    });
    fine.resize(fine_count(), 3);
    parallel_for(coarse_count(), [&](long v) { fine.row(fine_vertices_[static_cast<size_t>(v)]) = coarse.row(v); });
    parallel_for(static_cast<long>(fine_midpoints_.size()), [&](long e) {
        const auto& [first, second] = answers_of_edge_[static_cast<size_t>(e)];
        Eigen::RowVector3f place = 0.5f * (answer_at(answers.get(), first) + answer_at(answers.get(), second));
        if (canonical) place += row_of(points, coarse_count() + e).head<3>().transpose();
        fine.row(fine_midpoints_[static_cast<size_t>(e)]) = place.cast<double>() + origin;
    });
    return {.collapsed_pieces = collapsed, .bounds = std::move(bounds)};
}

void TriangleUpscaler::interpolate(std::vector<float>& points) const {
    if (base_.empty()) return;
    parallel_for(static_cast<long>(fine_midpoints_.size()), [&](long e) {
        Eigen::Map<Eigen::Vector4f>(points.data() + 4 * (coarse_count() + e)) =
            base_.at(e, [&](int v) { return row_of(points, v); });
    });
}

// A midpoint has that of its triangles, a vertex the mean of the edges around it.
Eigen::VectorXf TriangleUpscaler::vertex_bounds(const UpscaleReport& report) const {
    Eigen::VectorXf bounds = Eigen::VectorXf::Zero(fine_count());
    if (report.bounds.empty()) return bounds;
    Eigen::VectorXf edges_around = Eigen::VectorXf::Zero(fine_count());
    const auto bound = [&](int place) {
        return report.bounds[static_cast<size_t>(place / (9 * lane_count))][place % lane_count];
    };
    for (size_t e = 0; e < fine_midpoints_.size(); ++e) {
        const auto& [first, second] = answers_of_edge_[e];
        const float of_edge = 0.5f * (bound(first) + bound(second));
        bounds(fine_midpoints_[e]) = of_edge;
        for (int end = 0; end < 2; ++end) {
            const int v = fine_vertices_[static_cast<size_t>(edges_(static_cast<long>(e), end))];
            bounds(v) += of_edge;
            ++edges_around(v);
        }
    }
    for (const int v : fine_vertices_) bounds(v) /= std::max(1.0f, edges_around(v));
    return bounds;
}

Eigen::VectorXf TriangleUpscaler::carry(const Eigen::VectorXf& coarse) const {
    Eigen::VectorXf fine(fine_count());
    for (size_t v = 0; v < fine_vertices_.size(); ++v) fine(fine_vertices_[v]) = coarse(static_cast<long>(v));
    for (size_t e = 0; e < fine_midpoints_.size(); ++e)
        fine(fine_midpoints_[e]) =
            0.5f * (coarse(edges_(static_cast<long>(e), 0)) + coarse(edges_(static_cast<long>(e), 1)));
    return fine;
}

int TriangleUpscaler::ask_canonical(long tile, const std::vector<float>& points, LanePoints* answers,
                                    Lanes& bounds) const {
    const RestTile& rest = rest_[static_cast<size_t>(tile)];
    std::array<LanePoints, 9> seen;
    std::array<LanePoints, triangle_inputs / 3> inputs;
    std::array<LanePoints, 4> outputs;  // by the corner opposite, then heads
    FrameLanes frames;
    tiles_.gather(tile, points, seen.data());
    write_canonical_triangle_inputs(seen.data(), rest.units, rest.canonical, frames, inputs.data());
    network_.evaluate_lanes(inputs[0].x.of, outputs[0].x.of);
    bounds = weigh_answers(outputs.data(), 3, trust_, frames);
    const std::array<LanePoints, 3> said = {outputs[2], outputs[0], outputs[1]};  // of ab, bc and ca
    std::fill_n(answers, 3, LanePoints{});
    add_in_world(frames, said.data(), 3, answers);
    return frames.collapsed(tiles_.pieces(tile));
}

// Displacements from rest to displacements from rest.
void TriangleUpscaler::ask_paper(long tile, const std::vector<float>& points, LanePoints* midpoints) const {
    const RestTile& rest = rest_[static_cast<size_t>(tile)];
    std::array<LanePoints, 3> inputs;
    tiles_.gather(tile, points, inputs.data());
    combine(rest.corners.data(), 3, inputs.data(), std::minus<>{});
    network_.evaluate_lanes(inputs[0].x.of, midpoints->x.of);
    combine(rest.midpoints.data(), 3, midpoints, std::plus<>{});
}

}  // namespace tulle::methods

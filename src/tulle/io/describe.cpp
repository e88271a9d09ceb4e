// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/describe.h"

#include "tulle/core/error.h"
#include "tulle/geometry/triangle_mesh.h"
#include "tulle/io/cache_reader.h"
#include "tulle/io/obj.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <limits>

namespace tulle::io {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool looks_like_hdf5(const std::filesystem::path& path) {
    constexpr std::string_view signature("\x89HDF\r\n\x1a\n", 8);
    std::array<char, 8> head{};
    std::ifstream(path, std::ios::binary).read(head.data(), head.size());
    const std::string extension = path.extension().string();
    return std::string_view(head.data(), head.size()) == signature || extension == ".h5" || extension == ".part";
}

void grow_box(FileSummary& summary, const Positions& positions) {
    summary.lowest = summary.lowest.cwiseMin(positions.colwise().minCoeff().transpose());
    summary.highest = summary.highest.cwiseMax(positions.colwise().maxCoeff().transpose());
}

void describe_mesh(FileSummary& summary, const geometry::TriangleMesh& mesh) {
    summary.vertices = mesh.vertex_count();
    summary.triangles = mesh.triangle_count();
    summary.has_tex_coords = mesh.tex_coords.rows() > 0;
    try {
        check_cloth_mesh(mesh, "the mesh");
    } catch (const Error& error) {
        summary.problems.emplace_back(error.what());
    }
}

// Each edge once, with its length at rest [m]; those without a length say nothing of stretch.
struct RestEdges {
    std::vector<std::array<int, 2>> edges;
    std::vector<double> lengths;

    explicit RestEdges(const geometry::TriangleMesh& mesh) {
        for (const auto& triangle : mesh.triangles.rowwise())
            for (int corner = 0; corner < 3; ++corner) {
                const int a = triangle(corner), b = triangle((corner + 1) % 3);
                edges.push_back({std::min(a, b), std::max(a, b)});
            }
        std::ranges::sort(edges);
        edges.erase(std::ranges::unique(edges).begin(), edges.end());
        std::erase_if(edges, [&](const auto& edge) { return length(edge, mesh.positions) <= 0; });
        for (const auto& edge : edges) lengths.push_back(length(edge, mesh.positions));
    }
    static double length(const std::array<int, 2>& edge, const Positions& positions) {
        return (positions.row(edge[0]) - positions.row(edge[1])).norm();
    }
    double largest_stretch(const Positions& positions) const {
        double largest = 0;
        for (size_t e = 0; e < edges.size(); ++e) largest = std::max(largest, length(edges[e], positions) / lengths[e]);
        return largest;
    }
};

// No cloth of ours is that elastic; a solver that diverges is beyond it within a few frames.
constexpr double stretch_of_sense = 100;

void describe_frames(FileSummary& summary, const CacheReader& reader) {
    if (reader.frame_count() == 0) summary.problems.emplace_back("it holds no complete frame");
    const RestEdges edges(reader.header().mesh);
    bool is_sensible = true;
    for (long f = 0; f < reader.frame_count(); ++f) {
        try {
            const CacheFrame frame = reader.frame(f);
            const Positions& positions = frame.positions;
            if (f > 0 && frame.bounds.size() > 0) {
                summary.mean_bound +=
                    static_cast<double>(frame.bounds.mean()) / static_cast<double>(reader.frame_count() - 1);
                summary.largest_bound = std::max(summary.largest_bound, static_cast<double>(frame.bounds.maxCoeff()));
            }
            grow_box(summary, positions);
            const double stretch = edges.largest_stretch(positions);
            if (stretch > summary.largest_stretch) summary.stretched_frame = f;
            summary.largest_stretch = std::max(summary.largest_stretch, stretch);
            if (is_sensible && stretch > stretch_of_sense)
                summary.problems.push_back(
                    fmt::format("it has diverged: in frame {} an edge is {:.3g} times as long as at rest", f, stretch));
            is_sensible = is_sensible && stretch <= stretch_of_sense;
        } catch (const Error& error) {
            summary.problems.emplace_back(error.what());
            return;
        }
    }
}

void describe_cache(FileSummary& summary, const CacheReader& reader) {
    const CacheHeader& header = reader.header();
    summary.kind = FileKind::Cache;
    describe_mesh(summary, header.mesh);
    summary.scene_name = header.scene_name;
    summary.method = header.method;
    summary.program_version = header.program_version;
    for (const ColliderMesh& collider : header.colliders)
        summary.colliders.push_back(
            {collider.name, collider.rest_positions.rows(), collider.triangles.rows(), collider.deforms});
    summary.grid_rows = header.grid.rows;
    summary.grid_columns = header.grid.columns;
    summary.has_bounds = header.has_bounds;
    summary.frames = reader.frame_count();
    summary.frame_rate = header.frame_rate;
    if (summary.frames > 0) summary.duration = reader.times()(summary.frames - 1) - reader.times()(0);
    summary.cost = reader.frame_cost();
    summary.is_part = reader.is_part();
    summary.planned_frames = header.planned_frames;
    summary.ending = reader.ending();
    summary.is_complete = !reader.is_part() && summary.ending.empty() && summary.frames >= header.planned_frames;
    if (summary.ending.starts_with("diverged")) summary.problems.push_back("the run " + summary.ending);
    const auto checkpoint = reader.checkpoint();
    summary.resumable_frames = checkpoint ? checkpoint->frame + 1 : 0;
    describe_frames(summary, reader);
}

template <typename... Arguments>
void put(std::string& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
}

std::string state_of(const FileSummary& summary) {
    const std::string of_planned =
        summary.planned_frames > 0 ? fmt::format(" of {} frames", summary.planned_frames) : std::string(" frames");
    if (summary.is_complete) return "complete";
    if (summary.is_part)
        return fmt::format("interrupted or being written, {}{}; --resume keeps {}", summary.frames, of_planned,
                           summary.resumable_frames);
    return fmt::format("not complete, {}{}: {}", summary.frames, of_planned,
                       summary.ending.empty() ? "the run ended early" : summary.ending);
}

void put_cache(std::string& text, const FileSummary& summary) {
    put(text, "scene       {}\nmethod      {}\n", summary.scene_name, summary.method);
    if (summary.grid_rows > 0) put(text, "grid        {} × {}\n", summary.grid_rows, summary.grid_columns);
    put(text, "frames      {} at {:g} per second, {:.4g} s\n", summary.frames, summary.frame_rate, summary.duration);
    if (summary.cost.median > 0) put(text, "cost        {}\n", summary.cost.in_words());
    for (const ColliderSummary& collider : summary.colliders)
        put(text, "collider    {}: {} vertices, {} triangles{}\n", collider.name, collider.vertices, collider.triangles,
            collider.deforms ? ", deforming" : "");
    put(text, "stretch     edges are at most {:.4g} times as long as at rest (frame {})\n", summary.largest_stretch,
        summary.stretched_frame);
    if (summary.has_bounds)
        put(text,
            "error       nine of ten vertices within {:.3g} mm, as the method says; {:.3g} mm where it doubts most\n",
            1000 * summary.mean_bound, 1000 * summary.largest_bound);
    put(text, "state       {}\n", state_of(summary));
    put(text, "written by  tulle {}\n", summary.program_version);
}

}  // namespace

FileSummary describe(const std::filesystem::path& path) {
    FileSummary summary;
    summary.path = path;
    summary.lowest.setConstant(infinity);
    summary.highest.setConstant(-infinity);
    if (looks_like_hdf5(path)) {
        describe_cache(summary, CacheReader(path));
    } else {
        const geometry::TriangleMesh mesh = read_obj(path);
        describe_mesh(summary, mesh);
        grow_box(summary, mesh.positions);
    }
    if (!summary.lowest.allFinite()) summary.lowest = summary.highest = Vector3::Zero();
    return summary;
}

std::string to_text(const FileSummary& summary) {
    std::string text;
    const bool is_cache = summary.kind == FileKind::Cache;
    put(text, "file        {}\nkind        {}\n", summary.path.string(), is_cache ? "sequence cache" : "mesh");
    put(text, "mesh        {} vertices, {} triangles, {} texture coordinates\n", summary.vertices, summary.triangles,
        summary.has_tex_coords ? "with" : "without");
    const Vector3 &a = summary.lowest, &b = summary.highest;
    put(text, "box         [{:.4g}, {:.4g}, {:.4g}] to [{:.4g}, {:.4g}, {:.4g}] m\n", a(0), a(1), a(2), b(0), b(1),
        b(2));
    if (is_cache) put_cache(text, summary);
    if (summary.is_sound()) put(text, "sound       yes\n");
    for (const std::string& problem : summary.problems) put(text, "problem     {}\n", problem);
    return text;
}

std::string to_json(const FileSummary& summary) {
    const auto point = [](const Vector3& p) { return nlohmann::json{p(0), p(1), p(2)}; };
    const bool is_cache = summary.kind == FileKind::Cache;
    nlohmann::json json = {{"file", summary.path.string()},    {"kind", is_cache ? "cache" : "mesh"},
                           {"vertices", summary.vertices},     {"triangles", summary.triangles},
                           {"has_uv", summary.has_tex_coords}, {"box", {point(summary.lowest), point(summary.highest)}},
                           {"sound", summary.is_sound()},      {"problems", summary.problems}};
    if (is_cache) {
        json.update({{"scene", summary.scene_name},
                     {"method", summary.method},
                     {"program_version", summary.program_version},
                     {"grid", {summary.grid_rows, summary.grid_columns}},
                     {"frames", summary.frames},
                     {"frame_rate", summary.frame_rate},
                     {"duration", summary.duration},
                     {"ms_per_frame", summary.cost.median},
                     {"mean_ms_per_frame", summary.cost.mean},
                     {"complete", summary.is_complete},
                     {"planned_frames", summary.planned_frames},
                     {"ending", summary.ending},
                     {"largest_stretch", summary.largest_stretch},
                     {"resumable_frames", summary.resumable_frames},
                     {"colliders", nlohmann::json::array()}});
        if (summary.has_bounds)
            json["error_bound"] = {{"mean", summary.mean_bound}, {"largest", summary.largest_bound}};
        for (const ColliderSummary& collider : summary.colliders)
            json["colliders"].push_back({{"name", collider.name},
                                         {"vertices", collider.vertices},
                                         {"triangles", collider.triangles},
                                         {"deforms", collider.deforms}});
    }
    // Names in a file from outside may hold anything; bytes that are not UTF-8 are replaced instead of refused.
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace tulle::io

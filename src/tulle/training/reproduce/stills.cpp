// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/reproduce/stills.h"

#include "tulle/geometry/miniature.h"
#include "tulle/io/cache_reader.h"
#include "tulle/io/cache_writer.h"
#include "tulle/workflows/render_caches.h"

#include <fmt/format.h>

namespace tulle::training {

namespace fs = std::filesystem;

namespace {

geometry::TriangleMesh every(int step, const geometry::GridSize& grid, const geometry::TriangleMesh& mesh) {
    const geometry::Miniature kept = geometry::make_miniature(grid, step);
    geometry::TriangleMesh coarse{.positions = geometry::sample(kept.fine_vertices(), mesh.positions),
                                  .triangles = geometry::make_grid_cloth(kept.coarse, {}).mesh.triangles,
                                  .tex_coords = {}};
    if (mesh.tex_coords.rows() > 0) coarse.tex_coords = mesh.tex_coords(kept.fine_vertices(), Eigen::all);
    return coarse;
}

// A cache of one frame.
void write_still(const Still& still, const fs::path& file) {
    const io::CacheReader whole(still.cache);
    io::CacheHeader header = whole.header();
    io::CacheFrame frame = whole.frame(whole.frame_count() - 1);
    if (still.step > 1) {
        const geometry::Miniature kept = geometry::make_miniature(header.grid, still.step);
        frame.positions = geometry::sample(kept.fine_vertices(), frame.positions);
        header.mesh = every(still.step, header.grid, header.mesh);
        header.grid = kept.coarse;
    }
    header.method = still.title;
    header.has_velocities = header.has_bounds = false;
    frame.velocities = {};
    frame.bounds = {};
    io::CacheWriter writer(file, header, {.overwrite = true});
    writer.append(frame);
    writer.close();
}

}  // namespace

void draw_stills(const std::vector<Still>& stills, const PanelSize& size, bool is_draft, const fs::path& folder,
                 const fs::path& picture) {
    workflows::RenderRequest request{.caches = {}, .output = picture};
    fs::create_directories(folder);
    for (const Still& still : stills) {
        request.caches.push_back(folder / fmt::format("still-{}.h5", request.caches.size()));
        write_still(still, request.caches.back());
    }
    request.look.size = {.width = size.width * static_cast<int>(stills.size()), .height = size.height};
    if (is_draft) request.look.quality = render::Quality::Draft;
    workflows::render_caches(request);
}

}  // namespace tulle::training

// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/coarse_animation.h"

#include "tulle/core/error.h"
#include "tulle/io/cache_reader.h"
#include "tulle/io/pc2.h"

namespace tulle::workflows {

namespace {

class CachedAnimation final : public Animation {
public:
    explicit CachedAnimation(const UpscaleSettings& settings) : reader_(settings.source) {
        if (settings.grid || settings.frame_rate)
            throw Error("'{}' says itself what grid it is and how fast; --grid and --frame-rate are for point caches",
                        settings.source.string());
    }
    const io::CacheHeader& header() const override { return reader_.header(); }
    long frame_count() const override { return reader_.frame_count(); }
    io::CacheFrame frame(long index) const override { return reader_.frame(index); }

private:
    io::CacheReader reader_;
};

// A point cache is positions only: what they are is said beside it.
class PointAnimation final : public Animation {
public:
    explicit PointAnimation(const UpscaleSettings& settings) : reader_(settings.source) {
        const std::string source = settings.source.string();
        if (!settings.grid)
            throw Error(
                "'{}' does not say how its {} points are connected; give their rows and columns with --grid "
                "ROWSxCOLUMNS",
                source, reader_.vertex_count());
        const geometry::GridSize& grid = *settings.grid;
        if (static_cast<long>(grid.rows) * grid.columns != reader_.vertex_count())
            throw Error("'{}' has {} points, which is not {} rows of {}", source, reader_.vertex_count(), grid.rows,
                        grid.columns);
        if (reader_.frame_count() == 0) throw Error("'{}' has no frames", source);
        header_.mesh = geometry::make_grid_cloth(grid, {}).mesh;
        header_.mesh.positions = reader_.frame(0);
        header_.grid = grid;
        header_.scene_name = settings.source.stem().string();
        header_.frame_rate = settings.frame_rate.value_or(25);
    }
    const io::CacheHeader& header() const override { return header_; }
    long frame_count() const override { return reader_.frame_count(); }
    io::CacheFrame frame(long index) const override {
        return {.positions = reader_.frame(index), .time = static_cast<double>(index) / header_.frame_rate};
    }

private:
    io::Pc2Reader reader_;
    io::CacheHeader header_;
};

}  // namespace

std::unique_ptr<Animation> open_coarse_animation(const UpscaleSettings& settings) {
    const std::string extension = settings.source.extension().string();
    if (extension == ".pc2") return std::make_unique<PointAnimation>(settings);
    if (extension == ".h5" || extension == ".part") return std::make_unique<CachedAnimation>(settings);
    throw Error("'{}' is no animation to upscale; give a cache (.h5) or a point cache (.pc2)",
                settings.source.string());
}

}  // namespace tulle::workflows

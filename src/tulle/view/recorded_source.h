// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/io/cache_reader.h"
#include "tulle/view/panel_source.h"

namespace tulle::view {

// A cache, played.
class RecordedSource final : public PanelSource {
public:
    explicit RecordedSource(const std::filesystem::path& cache);  // throws an Error if it holds no frame

    const geometry::TriangleMesh& rest() const override { return reader_.header().mesh; }
    std::vector<ColliderOutline> colliders() const override;
    std::string title() const override { return reader_.header().method; }
    int simulated_vertices() const override { return reader_.header().mesh.vertex_count(); }
    double frame_rate() const override { return reader_.header().frame_rate; }
    ShownCloth shown() const override;
    bool tells_bounds() const override { return reader_.header().has_bounds; }
    VectorX bounds() const override { return frame_.bounds.cast<double>(); }
    bool advance(StageTimes& stages) override;
    void restart() override { seek(0); }
    void seek(long frame) override;

    const io::CacheReader& reader() const { return reader_; }

private:
    io::CacheReader reader_;
    long index_ = 0;
    io::CacheFrame frame_;
};

}  // namespace tulle::view

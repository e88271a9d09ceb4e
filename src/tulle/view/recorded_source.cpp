// SPDX-License-Identifier: Apache-2.0
#include "tulle/view/recorded_source.h"

#include "tulle/core/error.h"

#include <algorithm>

namespace tulle::view {

RecordedSource::RecordedSource(const std::filesystem::path& cache) : reader_(cache) {
    if (reader_.frame_count() == 0) throw Error("'{}' holds no frame to show", cache.string());
    seek(0);
}

std::vector<ColliderOutline> RecordedSource::colliders() const {
    std::vector<ColliderOutline> outlines;
    for (const io::ColliderMesh& collider : reader_.header().colliders)
        outlines.push_back({.name = collider.name,
                            .kind = collider.deforms ? ColliderOutline::Kind::Deforming : ColliderOutline::Kind::Rigid,
                            .mesh = {collider.rest_positions, collider.triangles, {}}});
    return outlines;
}

ShownCloth RecordedSource::shown() const {
    ShownCloth cloth{
        .positions = frame_.positions, .velocities = frame_.velocities, .time = frame_.time, .frame = index_};
    const auto& colliders = reader_.header().colliders;
    for (size_t i = 0; i < colliders.size(); ++i) {
        const auto number = static_cast<std::uint32_t>(i);
        if (colliders[i].deforms)
            cloth.deformed.push_back({number, frame_.collider_positions[i]});
        else
            cloth.rigid.push_back({number, frame_.collider_transforms[i]});
    }
    return cloth;
}

bool RecordedSource::advance(StageTimes& stages) {
    if (index_ + 1 >= reader_.frame_count()) return false;
    const Stopwatch watch;
    seek(index_ + 1);
    stages["reading"] += watch.milliseconds();
    return true;
}

void RecordedSource::seek(long frame) {
    index_ = std::clamp(frame, 0L, reader_.frame_count() - 1);
    frame_ = reader_.frame(index_);
}

}  // namespace tulle::view

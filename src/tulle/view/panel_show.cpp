// SPDX-License-Identifier: Apache-2.0
// What a panel shows of its source: frames, colours and moments for pictures.
#include "tulle/view/panel.h"

#include <algorithm>
#include <utility>

namespace tulle::view {

Scalars Panel::scalars(const ShownCloth& cloth) {
    Scalars scalars{.kind = settings_.color};
    if (settings_.index == 0 && settings_.color == ColorMode::Difference)
        settings_.reference.put(cloth.frame, cloth.positions);
    if (settings_.color == ColorMode::Strain) scalars.values = strain_.at_vertices(cloth.positions);
    if (settings_.color == ColorMode::Speed) scalars.values = render::speeds(cloth.velocities);
    if (settings_.color == ColorMode::PredictedError) scalars.values = source_->bounds();
    if (settings_.color == ColorMode::Difference) {
        const auto other = settings_.reference.find(cloth.frame);
        if (other && other->rows() == cloth.positions.rows())
            scalars.values = (cloth.positions - *other).rowwise().norm();
    }
    if (scalars.values.size() != cloth.positions.rows()) return {};
    constexpr double fall = 0.98;  // of the scale from frame to frame, if the cloth calms down
    scale_ = std::max({scale_ * fall, scalars.values.maxCoeff(), 1e-6});
    scalars.most = scale_;
    return scalars;
}

void Panel::show() {
    const ShownCloth cloth = source_->shown();
    if (!cloth.positions.allFinite()) return;  // what diverged is not shown; the last frame stays
    FrameMessage message{.panel = settings_.index,
                         .is_jump = std::exchange(is_jump_, false),
                         .topology = settings_.topology,
                         .frame = static_cast<std::uint32_t>(cloth.frame),
                         .time = cloth.time,
                         .positions = cloth.positions,
                         .scalars = scalars(cloth),
                         .rigid = cloth.rigid,
                         .grabs = cloth.grabs,
                         .deformed = cloth.deformed};
    ShownFrame frame{.panel = settings_.index,
                     .number = cloth.frame,
                     .inputs = inputs_shown_,
                     .bytes = std::make_shared<const std::string>(encode(message))};
    {
        const std::lock_guard lock(mutex_);
        status_.frame = cloth.frame;
        status_.time = cloth.time;
    }
    measure_stretch(cloth.positions);
    settings_.on_frame(std::move(frame));
}

void Panel::measure_stretch(const Positions& positions) {
    constexpr auto often_enough = std::chrono::milliseconds(150);
    if (Clock::now() - stretch_measured_ < often_enough) return;
    stretch_measured_ = Clock::now();
    const double worst = strain_.at_vertices(positions).maxCoeff();
    const std::lock_guard lock(mutex_);
    status_.worst_stretch = worst;
}

Snapshot Panel::make_snapshot() const {
    const ShownCloth cloth = source_->shown();
    Snapshot snapshot{
        .title = source_->title(), .rest = source_->rest(), .positions = cloth.positions, .colliders = {}};
    const std::vector<ColliderOutline> outlines = source_->colliders();
    for (const ColliderOutline& outline : outlines) snapshot.colliders.push_back(outline.mesh);
    for (const RigidPose& pose : cloth.rigid)
        for (auto row : snapshot.colliders[pose.collider].positions.rowwise())
            row = (pose.to_world * Vector3(row.transpose())).transpose();
    for (const DeformedCollider& deformed : cloth.deformed)
        snapshot.colliders[deformed.collider].positions = deformed.positions;
    std::erase_if(snapshot.colliders, [](const geometry::TriangleMesh& mesh) { return mesh.positions.rows() == 0; });
    return snapshot;
}

}  // namespace tulle::view

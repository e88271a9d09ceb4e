// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/timer.h"
#include "tulle/live/inputs.h"
#include "tulle/view/binary_messages.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tulle::view {

// A solid beside the cloth.
struct ColliderOutline {
    enum class Kind { Rigid, Deforming, Plane };
    std::string name;
    Kind kind = Kind::Rigid;
    bool is_movable = false;
    geometry::TriangleMesh mesh;                                 // in its own frame; empty for a plane
    Vector3 point = Vector3::Zero(), normal = Vector3::UnitZ();  // of a plane
};

// What a panel shows now. It refers to its source.
struct ShownCloth {
    const Positions& positions;    // |V|×3 [m]
    const Velocities& velocities;  // |V|×3 [m/s], or empty
    double time = 0;               // [s]
    long frame = 0;
    std::vector<RigidPose> rigid = {};
    std::vector<ShownGrab> grabs = {};
    std::vector<DeformedCollider> deformed = {};
};

// Where the frames of a panel come from. Used by one thread at a time.
class PanelSource {
public:
    virtual ~PanelSource() = default;

    virtual const geometry::TriangleMesh& rest() const = 0;
    virtual std::vector<ColliderOutline> colliders() const = 0;
    virtual std::string title() const = 0;
    virtual int simulated_vertices() const = 0;
    virtual double frame_rate() const = 0;  // [1/s]
    virtual ShownCloth shown() const = 0;
    // Whether it says how far off what is shown may be; then |V| [m] that nine of ten vertices keep.
    virtual bool tells_bounds() const { return false; }
    virtual VectorX bounds() const { return {}; }

    // The next frame; false if there is none. Throws an Error if it cannot be made.
    virtual bool advance(StageTimes& stages) = 0;
    virtual void restart() = 0;
    virtual void seek(long /*frame*/) {}
    // Throws an Error if it does not fit.
    virtual void apply(const live::Input& /*input*/) {}
    // Becomes what another source has come to, if that has the same vertices.
    virtual void go_on_from(const PanelSource& /*other*/) {}
    // What was done so far; none: nothing can be done to it. May be called from any thread.
    virtual std::optional<live::Recording> recording() const { return {}; }
};

}  // namespace tulle::view

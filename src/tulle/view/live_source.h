// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/live/live_simulation.h"
#include "tulle/view/panel_source.h"

#include <mutex>

namespace tulle::view {

// A simulation that runs while one looks, and remembers what was done to it.
class LiveSource final : public PanelSource {
public:
    LiveSource(scene::Scene scene, const scene::Method& method);

    const geometry::TriangleMesh& rest() const override { return live_.simulation().model().mesh; }
    std::vector<ColliderOutline> colliders() const override;
    std::string title() const override { return live_.method(); }
    int simulated_vertices() const override { return simulated_vertices_; }
    double frame_rate() const override { return live_.simulation().scene().time.frame_rate; }
    ShownCloth shown() const override;
    bool tells_bounds() const override { return live_.simulation().tells_bounds(); }
    VectorX bounds() const override { return live_.simulation().bounds().cast<double>(); }
    bool advance(StageTimes& stages) override;
    void restart() override;
    void apply(const live::Input& input) override;
    void go_on_from(const PanelSource& other) override;
    std::optional<live::Recording> recording() const override;

    const live::LiveSimulation& live() const { return live_; }

    static constexpr size_t most_inputs = 1'000'000;  // of one recording: hours of pulling

private:
    void begin_recording();
    void record(const live::Input& input);  // while the recording is locked
    std::vector<ShownGrab> grabs() const;

    live::LiveSimulation live_;
    int simulated_vertices_;
    mutable std::mutex mutex_;  // of the recording
    live::Recording recording_;
    bool is_recorded_ = true;  // all that was done
};

}  // namespace tulle::view

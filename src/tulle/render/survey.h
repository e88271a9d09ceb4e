// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/render/panel.h"
#include "tulle/render/strain.h"

#include <vector>

namespace tulle::render {

// The points that reach farthest into many directions: enough to frame all that were added.
class Extremes {
public:
    void add(const Positions& positions);
    bool is_empty() const { return points_.empty(); }
    const std::vector<Vector3>& points() const { return points_; }
    Vector3 low() const;  // corners of the bounding box
    Vector3 high() const;
    double diagonal() const { return is_empty() ? 0 : (high() - low()).norm(); }

private:
    std::vector<Vector3> points_;  // one per direction
};

// A look at the whole motion before the first picture, frame by frame so that it need not fit into memory: where things
// go, how far the cloth stretches, how fast it moves. The camera and the colour scales stay the same for all frames.
class Survey {
public:
    explicit Survey(const std::vector<Panel>& panels);  // throws an Error if a panel cannot be drawn
    void add(const std::vector<PanelFrame>& frames);    // one per panel; throws an Error if one does not fit its panel

    int frame_count() const { return frame_count_; }
    const Extremes& cloth() const { return cloth_; }                                    // of all panels
    const std::vector<std::vector<Extremes>>& colliders() const { return colliders_; }  // of each panel
    Vector3 facing() const { return facing_; }                 // area-weighted mean normal in the first frame
    double largest_strain() const { return largest_strain_; }  // all but one vertex in 200, in any frame
    double largest_speed() const { return largest_speed_; }    // [m/s], likewise
    double largest_value() const { return largest_value_; }    // of PanelFrame::values, likewise

private:
    std::vector<Panel> panels_;
    std::vector<EdgeStrain> strains_;  // of each panel
    Extremes cloth_;
    std::vector<std::vector<Extremes>> colliders_;
    Vector3 facing_ = Vector3::Zero();
    double largest_strain_ = 0;
    double largest_speed_ = 0;
    double largest_value_ = 0;
    int frame_count_ = 0;
};

}  // namespace tulle::render

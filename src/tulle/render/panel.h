// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/triangle_mesh.h"

#include <string>
#include <vector>

namespace tulle::render {

// One cloth and what it touches: the whole picture, or a part of it beside others that it is compared with.
struct Panel {
    std::string title = {};             // written in its corner, such as the method; may be empty
    std::string subtitle = {};          // below it and smaller, such as "2.4 ms per frame"
    geometry::TriangleMesh cloth = {};  // its positions are the rest positions; texture coordinates may be empty
    std::vector<geometry::TriangleMesh> colliders =
        {};  // a flat level one that is wider than the cloth becomes the ground
};

// Where everything in a panel is at one moment.
struct PanelFrame {
    Positions positions = {};    // |V|×3 [m]
    Velocities velocities = {};  // |V|×3 [m/s]; read for Coloring::Speed only, else may be empty
    VectorX values = {};         // |V| in any unit; read for Coloring::Values only, else may be empty
    std::vector<Positions> colliders =
        {};  // one |Vc|×3 [m] per collider of the panel; empty: all where the panel has them
};

// Throws an Error unless the panel can be drawn: indices in range, finite positions.
void check_panel(const Panel& panel);
// Throws an Error unless the frame belongs to the panel: the same numbers of vertices, finite positions.
void check_frame(const Panel& panel, const PanelFrame& frame);

// The place of collider `index` in a frame.
const Positions& collider_positions(const Panel& panel, const PanelFrame& frame, size_t index);

}  // namespace tulle::render

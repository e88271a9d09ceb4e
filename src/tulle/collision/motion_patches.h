// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/box_tree.h"
#include "tulle/collision/cloth_parts.h"

#include <cmath>
#include <vector>

namespace tulle::collision {

// Patches of a few dozen neighbouring vertices, to tell in little time that nothing has come near anything since some
// earlier moment although all of the cloth has moved far: neighbours move alike, and the others have far to go.
class MotionPatches {
public:
    MotionPatches(const ClothParts& parts, const BoxTree& vertex_order);

    // The earlier moment: any two parts that were farther apart than thickness + reach then are of interest.
    void remember(const Positions& positions, double thickness, double reach);
    // True if none of them can come within the thickness while all vertices move from `start` to `end`, or on any part
    // of that way.
    bool still_apart(const Positions& start, const Positions& end);
    // In the motion last looked at, the distance of a part at vertex v and one at vertex w differs by no more than this
    // from what it was at the earlier moment [m].
    double change(int v, int w) const {
        const Shift& a = shifts_[static_cast<size_t>(patch_of_[static_cast<size_t>(v)])];
        const Shift& b = shifts_[static_cast<size_t>(patch_of_[static_cast<size_t>(w)])];
        const double apart_squared = std::max((a.start - b.start).squaredNorm(), (a.end - b.end).squaredNorm());
        return std::sqrt(apart_squared) + a.stray + b.stray;
    }

private:
    struct Patch {
        int first = 0;  // range in vertices_
        int last = 0;
        std::vector<int> ring;  // vertices beyond its border that are joined to its own by an edge
    };
    struct Shift {
        Vector3 start = Vector3::Zero();  // mean displacement since the earlier moment [m]
        Vector3 end = Vector3::Zero();
        double stray = 0;  // how far from that a vertex of a part that begins in the patch is [m]
    };
    struct NearPair {
        int first = 0;
        int second = 0;
        double allowed = 0;  // [m] how much nearer they may come
    };

    void find_rings(const ClothParts& parts);
    Shift shift_of(const Patch& patch, const Positions& start, const Positions& end) const;
    Box box_of(const Patch& patch) const;

    std::vector<int> vertices_;  // by patch
    std::vector<int> patch_of_;  // by vertex
    std::vector<Patch> patches_;
    std::vector<Shift> shifts_;
    BoxTree tree_;            // of patches
    std::vector<Box> boxes_;  // by patch, around all parts that begin in it
    Positions earlier_;       // |V|×3
    std::vector<NearPair> near_pairs_;
    double mean_edge_length_ = 0;
    double far_ = 0;  // [m] pairs that are not near pairs were at least this much farther apart
};

}  // namespace tulle::collision

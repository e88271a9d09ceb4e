// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/box_tree.h"
#include "tulle/core/arrays.h"

#include <array>
#include <span>
#include <utility>
#include <vector>

namespace tulle::collision {

// A cloth cut into triangular patches, each of which is flat where a motion starts, and some triangles fine. Looking at
// whole patches leaves out nearly all pairs of parts that cannot meet.
class SurfacePatches {
public:
    // `corners`: |T|, the corners of the patch to which each triangle belongs, in ascending order.
    SurfacePatches(const Positions& rest_positions, const Triangles& triangles,
                   const std::vector<std::array<int, 3>>& corners);

    struct Patch {
        std::array<int, 3> corners{};
        std::vector<int> vertices;
        std::vector<std::array<int, 3>> triangles;
        std::vector<std::array<int, 2>> edges;  // the lower vertex first
    };
    int count() const { return static_cast<int>(patches_.size()); }
    const Patch& operator[](int patch) const { return patches_[static_cast<size_t>(patch)]; }
    std::vector<int> of_vertices(std::span<const int> vertices) const;  // patches with any of them, in ascending order

    // Pairs of patches (a patch may meet itself), of which one is in `among`, with parts that may come nearer than
    // `gap` [m] while the vertices move from `start` to `end`. In ascending order. All others are as they were when
    // this was last asked.
    std::vector<std::pair<int, int>> find_pairs(const Positions& start, const Positions& end, double gap,
                                                const std::vector<int>& among);

private:
    // Where a patch lies, seen along its normal at the start.
    struct Slab {
        Vector3 normal = Vector3::UnitZ();
        double height = 0;  // [m] of the whole patch at the start
        double low = 0;     // [m] at the end
        double high = 0;
        double lean = 1;  // least cosine of its normal and one of a triangle at the end

        bool hides_nothing(const Vector3& direction) const;  // none of its triangles is seen edge-on from there
    };

    template <typename Visit>
    void visit_pairs_of_leaf(long leaf, const Visit& visit) const;
    template <typename Visit>
    void visit_pairs_of_patch(int patch, const std::vector<char>& is_marked, const Visit& visit) const;
    std::vector<char> marked(const std::vector<int>& patches) const;
    void look_at(int patch, const Positions& start, const Positions& end, double gap);
    Slab slab_of(const Patch& patch, const Positions& start, const Positions& end) const;
    void find_smooth_corners();
    bool stay_apart(int p, int q, const Positions& start, const Positions& end, double gap) const;
    bool lie_side_by_side(const Patch& a, const Patch& b, int shared_corner, const Positions& start,
                          const Positions& end, double gap) const;
    bool plane_separates(const Slab& slab, const Patch& other, const Positions& start, const Positions& end,
                         double gap) const;

    std::vector<Patch> patches_;
    std::vector<std::vector<int>> at_corner_;  // by vertex; empty where no patch has a corner
    std::vector<std::vector<int>> at_vertex_;
    std::vector<Slab> slabs_;
    std::vector<char> is_smooth_;  // by vertex that is a corner: the patches around it are a hill without overhangs
    std::vector<Box> boxes_;       // around all of a patch on its way
    BoxTree tree_;
};

}  // namespace tulle::collision

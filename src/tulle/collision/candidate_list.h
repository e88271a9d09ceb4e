// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/box_tree.h"
#include "tulle/collision/cloth_parts.h"
#include "tulle/collision/motion_patches.h"

#include <span>
#include <vector>

namespace tulle::collision {

struct Candidate {
    PartPair pair;
    double distance = 0;  // [m] when the list was built
};

// All pairs of parts that may come within `thickness` of each other in a step. The list is built with a margin and kept
// for as long as every vertex stays within its margin, seen from the middle of the cloth, or at least no part of the
// cloth comes near another, so that small steps, falls and swings are cheap. It may hold more pairs than needed, never
// fewer: whoever decides by distance decides the same, whenever the list was built.
class CandidateList {
public:
    CandidateList(const ClothParts& parts, double thickness);

    // Covers the motion of each vertex from `start` to `end`, or any part of it. True if the list was built anew; the
    // candidates' distances are then those at `start`.
    bool cover(const Positions& start, const Positions& end);
    std::span<const Candidate> candidates() const { return candidates_; }
    double mean_edge_length() const { return mean_edge_length_; }  // [m] at rest
    // False if the pair stays farther apart than `distance` throughout the motion last covered.
    bool may_come_within(double distance, const Candidate& candidate, const std::array<int, 4>& vertices) const;

private:
    bool still_covers(const Positions& start, const Positions& end);
    void rebuild(const Positions& start, const Positions& end);
    void fit_boxes(const Positions& start, const Positions& end);
    void find_vertex_triangle_pairs(const Positions& start);
    void find_edge_edge_pairs(const Positions& start);
    template <typename FindPairs>
    void collect(long leaves, const FindPairs& find_pairs);
    void keep_if_near(const PartPair& pair, const std::array<int, 4>& vertices, const Positions& start,
                      std::vector<Candidate>& kept) const;
    double reach(PairKind kind, const std::array<int, 4>& vertices, const std::vector<float>& of_vertex) const;

    const ClothParts& parts_;
    double thickness_;
    double mean_edge_length_;
    double widest_margin_;  // [m]
    double margin_ = 0;     // [m] of the present list
    BoxTree vertex_tree_;
    BoxTree triangle_tree_;
    BoxTree edge_tree_;
    std::vector<std::array<int, 3>> triangles_by_slot_;  // their vertices, in the order of the tree
    std::vector<std::array<int, 2>> edges_by_slot_;
    MotionPatches patches_;
    Positions centers_;                // |V|×3, where each vertex was, from the middle of the cloth; empty: no list
    std::vector<Box> boxes_;           // |V|, where each vertex may be, from the middle of the cloth
    std::vector<float> roam_;          // |V|, how far from its center a vertex may be [m]
    std::vector<float> strayed_;       // |V|, how far from its center a vertex is in the motion last covered [m]
    std::vector<char> has_triangles_;  // |V|; vertices in a hole have none, and meet nothing
    bool by_patches_ = false;          // whether the motion last covered is because of the patches
    std::vector<Candidate> candidates_;
};

}  // namespace tulle::collision

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/box_tree.h"
#include "tulle/collision/cloth_parts.h"
#include "tulle/collision/motion_patches.h"
#include "tulle/collision/pair_kernel.h"

#include <span>
#include <vector>

namespace tulle::collision {

struct Candidate {
    PartPair pair;
    std::array<int, 4> vertices{};
    float distance = 0;  // [m] at least, if every vertex keeps to its path

    // How much the distance changes at most if each vertex moves by what is given for it.
    float reach(const std::vector<float>& of_vertex) const {
        const auto of = [&](size_t i) { return of_vertex[static_cast<size_t>(vertices[i])]; };
        if (pair.kind == PairKind::VertexTriangle) return of(0) + std::max({of(1), of(2), of(3)});
        return std::max(of(0), of(1)) + std::max(of(2), of(3));
    }
};

// All pairs of parts that may come within `thickness` of each other in a step. The list is built for a straight path of
// each vertex, seen from the middle of the cloth, and with a margin. It is kept for as long as the vertices stay within
// the margins of their paths, or at least no part of the cloth comes near another; the pairs of a few vertices that
// stray are found anew. So small steps, falls and swings are cheap. It may hold more pairs than needed, never fewer:
// whoever decides by distance decides the same, whenever the list was built.
class CandidateList {
public:
    CandidateList(const ClothParts& parts, double thickness);

    // Covers the motion of each vertex from `start` to `end`, or any part of it. True if the list is another now.
    bool cover(const Positions& start, const Positions& end);
    int times_built() const { return times_built_; }
    // The motion last covered, seen from the middle of the cloth.
    RowMotion motion() const { return {start_rows_.data(), end_rows_.data()}; }
    double rounding() const { return rounding_; }  // [m] covers what single precision does to distances

    std::span<const Candidate> of(PairKind kind) const {
        return kind == PairKind::VertexTriangle ? vertex_triangle_ : edge_edge_;
    }
    // False if the pair stays farther apart than `distance` throughout the motion last covered.
    bool may_come_within(double distance, const Candidate& candidate) const {
        const double change =
            by_patches_ ? patches_.change(candidate.vertices[0], candidate.vertices[3]) : candidate.reach(strayed_);
        return candidate.distance - change <= distance + rounding_;
    }
    double mean_edge_length() const { return mean_edge_length_; }  // [m] at rest

private:
    class Collector;

    void load_motion(const Positions& start, const Positions& end);
    double steps_along_paths(const std::vector<float>& rows) const;
    void measure_straying();
    void choose_paths();
    void set_path(long vertex, const Eigen::Vector3f& start);
    void refit_boxes();
    void build(const Positions& start);
    void follow_strays();
    void find_vertex_triangle_pairs();
    void find_edge_edge_pairs();
    void find_vertex_triangle_pairs_of(const std::vector<char>& vertices);
    void find_edge_edge_pairs_of(const std::vector<char>& vertices);
    void add_vertex_triangle(int vertex, long triangle_slot, Collector& collector) const;
    void add_edge_edge(long slot, long other_slot, Collector& collector) const;
    template <typename FindPairs>
    void collect(bool edge_edge, long count, std::vector<Candidate>& all, const FindPairs& find_pairs) const;

    const ClothParts& parts_;
    double thickness_;
    double mean_edge_length_;
    double widest_margin_;    // [m]
    double margin_ = 0;       // [m] of the present list
    double path_length_ = 0;  // of the present list, in steps
    double start_step_ = 0;   // where on the paths the motion last covered begins, in steps
    double end_step_ = 0;     // and ends
    double rounding_ = 0;     // [m]
    int times_built_ = 0;
    BoxTree vertex_tree_;
    BoxTree triangle_tree_;
    BoxTree edge_tree_;
    std::vector<std::array<int, 3>> triangles_by_slot_;  // their vertices, in the order of the tree
    std::vector<std::array<int, 2>> edges_by_slot_;
    MotionPatches patches_;
    // Four floats a vertex, the last zero, from the middle of the cloth [m].
    std::vector<float> start_rows_, end_rows_;  // the motion last covered
    std::vector<float> path_starts_;            // empty: no list
    std::vector<float> path_steps_;             // how far a path goes in a step
    std::vector<float> path_ends_;
    std::vector<float> roam_;          // |V|, how far from its path a vertex may be [m]
    std::vector<float> strayed_;       // |V|, how far from its path a vertex is in the motion last covered [m]
    long strays_ = 0;                  // vertices that are farther than they may be
    std::vector<Box> boxes_;           // |V|, around all places where a vertex may be
    std::vector<char> has_triangles_;  // |V|; vertices in a hole have none, and meet nothing
    bool patches_know_ = false;        // whether the list has been what it was when the patches looked
    bool by_patches_ = false;          // whether the motion last covered is because of the patches
    std::vector<Candidate> vertex_triangle_, edge_edge_;
};

}  // namespace tulle::collision

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/face_contact.h"
#include "tulle/collision/separation.h"
#include "tulle/collision/surface_patches.h"

#include <span>
#include <vector>

namespace tulle::collision {

struct PatchContactOutcome {
    int contacts = 0;           // pairs of parts that were pushed apart
    int returned_vertices = 0;  // vertices that were taken back towards the start, because pushing was not enough
    int unresolved = 0;         // pairs that pins or colliders keep from being shown to be apart; they need not cross
};

// Keeps a cloth out of itself that goes from flat patches free of intersections to any other shape. Only the end
// counts: nobody sees the way. A pair of parts that a plane separates at the start, and one parallel to it at the end,
// has not met.
class PatchContact {
public:
    // `inverse_masses`: |V|, 0 for vertices that must not be moved.
    PatchContact(SurfacePatches patches, VectorX inverse_masses, double gap);

    // Corrects `end`. `colliders` may be null; they stand still.
    PatchContactOutcome resolve(const Positions& start, Positions& end, const ColliderContact* colliders);

private:
    // Two parts, with the vertices of separation.h, that must stay `gap` apart along the shortest way at the start.
    struct Pair {
        PairKind kind = PairKind::VertexTriangle;
        std::array<int, 4> vertices{};
        Vector3 normal = Vector3::UnitZ();
        double gap = 0;  // [m]

        auto key() const { return std::pair(kind, vertices); }
        int first_count() const { return kind == PairKind::VertexTriangle ? 1 : 2; }  // vertices of the first part
    };
    class Collector;

    void load_rows(const Positions& positions, std::vector<float>& rows) const;
    void load_end(const Positions& end);
    const Box& box_around(int vertex) const { return boxes_[static_cast<size_t>(vertex)]; }
    Box box_around(std::span<const int> vertices) const;
    std::vector<Pair> find_near(const Positions& start, const Positions& end, const std::vector<int>& patches);
    static void add(const std::vector<Pair>& found, std::vector<Pair>& pairs);
    double missing(const Pair& pair, const Positions& end) const;
    void push_apart(const std::vector<Pair>& pairs, Positions& end) const;
    void push_apart(const Pair& pair, Positions& end) const;
    int take_back(const std::vector<Pair>& pairs, double part, const Positions& start, Positions& end) const;
    void keep_outside(const ColliderContact& colliders, const std::vector<int>& vertices, Positions& end) const;

    SurfacePatches patches_;
    VectorX inverse_masses_;
    double gap_;
    Vector3 middle_ = Vector3::Zero();          // of the cloth [m]
    std::vector<float> start_rows_, end_rows_;  // for the kernel, from the middle
    std::vector<Box> boxes_;                    // |V|, around the way of each vertex, from the middle
};

}  // namespace tulle::collision

// SPDX-License-Identifier: Apache-2.0
// Where the midpoints of one level of the hierarchy lie if its networks say nothing: each is a sum over vertices of the
// coarser level, whose weights add up to one. A flat cloth, stretched or not, is reproduced exactly.
#pragma once

#include "tulle/geometry/subdivision.h"
#include "tulle/methods/upscaling/local_frame.h"

#include <map>
#include <span>
#include <type_traits>
#include <vector>

namespace tulle::methods {

class MidpointStencils {
public:
    struct Tap {
        int vertex = 0;
        float weight = 0;
    };

    void add(const std::map<int, double>& weights);  // of the next edge's midpoint

    bool empty() const { return first_.size() == 1; }
    std::span<const Tap> of(long edge) const {
        const auto e = static_cast<size_t>(edge);
        return {taps_.data() + first_[e], taps_.data() + first_[e + 1]};
    }
    // Points of the coarser level are given by `point(vertex)`, as values.
    template <typename PointOf, typename Value = std::invoke_result_t<PointOf, int>>
    Value at(long edge, const PointOf& point) const {
        static_assert(std::is_same_v<Value, typename Value::PlainObject>, "an expression would not outlive its parts");
        Value sum = Value::Zero();
        for (const auto& [vertex, weight] : of(edge)) sum += weight * point(vertex);
        return sum;
    }

private:
    std::vector<Tap> taps_;
    std::vector<int> first_ = {0};  // of each edge, and the end
};

// The butterfly scheme [Dyn, Levin and Gregory 1990], for any mesh: the mean of what both triangles at an edge say,
// which is ½(a+b) + ¼c − ⅛(x1+x2) for the edge ab of a triangle abc with x1 and x2 across its other edges. Beyond the
// border a triangle goes on as if turned by half about its edge's midpoint. On an irregular mesh the scheme would move
// midpoints in the plane of a flat cloth already; what it does at rest is taken off, in the triangle's own sides.
MidpointStencils butterfly_stencils(const geometry::Subdivision& subdivision, const Positions& fine_rest);

// Bicubic interpolation, for grids: unlike the butterfly it does not know along which diagonal their cells are cut.
// Of the edges of subdivide_grid(coarse).
MidpointStencils bicubic_stencils(const geometry::GridSize& coarse);

}  // namespace tulle::methods

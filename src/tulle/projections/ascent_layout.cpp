// SPDX-License-Identifier: Apache-2.0
#include "tulle/projections/ascent_layout.h"

#include <cassert>

namespace tulle::projections {

namespace {

// Lists the rows that pull on each vertex: first those it is the first end of, then the others.
void list_pulls(const Edges& edges, std::span<const ContactPlane> planes, AscentLayout& layout) {
    const auto each_pull = [&](bool plus, const auto& use) {  // use(vertex, row)
        for (int e = 0; e < edges.rows(); ++e) use(edges(e, plus ? 0 : 1), e);
        if (!plus) return;
        for (size_t p = 0; p < planes.size(); ++p)
            use(planes[p].vertex, static_cast<int>(layout.padded_edges) + static_cast<int>(p));
    };
    const auto count = static_cast<size_t>(layout.vertices);
    std::vector<int> pluses(count, 0), minuses(count, 0);
    each_pull(true, [&](int v, int) { ++pluses[static_cast<size_t>(v)]; });
    each_pull(false, [&](int v, int) { ++minuses[static_cast<size_t>(v)]; });
    layout.first_pulls.assign(count + 1, 0);
    layout.first_minuses.assign(count, 0);
    for (size_t v = 0; v < count; ++v) {
        layout.first_minuses[v] = layout.first_pulls[v] + pluses[v];
        layout.first_pulls[v + 1] = layout.first_minuses[v] + minuses[v];
    }
    layout.pulls.resize(static_cast<size_t>(layout.first_pulls[count]));
    std::vector<int> next(layout.first_pulls.begin(), layout.first_pulls.end() - 1);
    const auto put = [&](int v, int row) {
        layout.pulls[static_cast<size_t>(next[static_cast<size_t>(v)]++)] = 4 * row;
    };
    each_pull(true, put);
    each_pull(false, put);
}

}  // namespace

AscentLayout make_layout(const Edges& edges, const VectorX& mobility, std::span<const ContactPlane> planes) {
    AscentLayout layout;
    layout.vertices = mobility.size();
    layout.edges = edges.rows();
    layout.padded_edges = (layout.edges + 3) / 4 * 4;
    layout.planes = static_cast<long>(planes.size());
    list_pulls(edges, planes, layout);
    layout.mobility = numerics::AlignedArray<double>(static_cast<size_t>(layout.vertices));
    for (long v = 0; v < layout.vertices; ++v) layout.mobility.data()[v] = mobility(v);
    layout.ends.assign(static_cast<size_t>(2 * layout.padded_edges), 0);
    layout.steps = numerics::AlignedArray<double>(static_cast<size_t>(layout.rows()));
    layout.inverse_steps = numerics::AlignedArray<double>(static_cast<size_t>(layout.rows()));
    const auto share = [&](int v) {  // w n
        return mobility(v) *
               (layout.first_pulls[static_cast<size_t>(v) + 1] - layout.first_pulls[static_cast<size_t>(v)]);
    };
    const auto set_step = [&](long row, double inverse) {
        assert(inverse > 0);
        layout.inverse_steps.data()[row] = inverse;
        layout.steps.data()[row] = 1 / inverse;
    };
    for (long e = 0; e < layout.edges; ++e) {
        for (int k = 0; k < 2; ++k)
            layout.ends[static_cast<size_t>(2 * e + k)] = 4 * static_cast<unsigned>(edges(e, k));
        set_step(e, share(edges(e, 0)) + share(edges(e, 1)));
    }
    for (size_t p = 0; p < planes.size(); ++p)
        set_step(layout.padded_edges + static_cast<long>(p), share(planes[p].vertex));
    return layout;
}

}  // namespace tulle::projections

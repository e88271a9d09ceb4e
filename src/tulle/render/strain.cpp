// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/strain.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tulle::render {

EdgeStrain::EdgeStrain(const geometry::TriangleMesh& rest) : vertex_count_(rest.positions.rows()) {
    std::vector<std::array<int, 2>> found;
    for (long t = 0; t < rest.triangles.rows(); ++t)
        for (int k = 0; k < 3; ++k) {
            const auto [low, high] = std::minmax(rest.triangles(t, k), rest.triangles(t, (k + 1) % 3));
            found.push_back({low, high});
        }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    edges_.resize(static_cast<long>(found.size()), 2);
    rest_lengths_.resize(edges_.rows());
    for (long e = 0; e < edges_.rows(); ++e) {
        edges_.row(e) << found[static_cast<size_t>(e)][0], found[static_cast<size_t>(e)][1];
        rest_lengths_(e) = (rest.positions.row(edges_(e, 0)) - rest.positions.row(edges_(e, 1))).norm();
    }
}

double EdgeStrain::stretch(const Positions& positions, long edge) const {
    const double length = (positions.row(edges_(edge, 0)) - positions.row(edges_(edge, 1))).norm();
    return rest_lengths_(edge) > 0 ? length / rest_lengths_(edge) - 1 : 0;
}

VectorX EdgeStrain::at_vertices(const Positions& positions) const {
    VectorX strain = VectorX::Zero(vertex_count_);
    for (long e = 0; e < edges_.rows(); ++e)
        for (const int v : edges_.row(e)) strain(v) = std::max(strain(v), stretch(positions, e));
    return strain;
}

VectorX EdgeStrain::signed_at_vertices(const Positions& positions) const {
    VectorX strain = VectorX::Zero(vertex_count_);
    for (long e = 0; e < edges_.rows(); ++e) {
        const double value = stretch(positions, e);
        for (const int v : edges_.row(e))
            if (std::abs(value) > std::abs(strain(v))) strain(v) = value;
    }
    return strain;
}

VectorX speeds(const Velocities& velocities) { return velocities.rowwise().norm(); }

double quantile(VectorX values, double part) {
    if (values.size() == 0) return 0;
    const long index = static_cast<long>(part * static_cast<double>(values.size() - 1));
    std::nth_element(values.data(), values.data() + index, values.data() + values.size());
    return values(index);
}

double rounded_up(double value) {
    if (!(value > 0) || !std::isfinite(value)) return 1;
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0})
        if (step * power >= value * (1 - 1e-9)) return step * power;
    return 10 * power;
}

}  // namespace tulle::render

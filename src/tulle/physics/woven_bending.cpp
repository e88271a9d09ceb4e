// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/woven_bending.h"

#include <array>

namespace tulle::physics {

namespace {

struct HingeList {
    std::vector<std::array<int, 4>> vertices;
    std::vector<std::array<double, 4>> weights;
    std::vector<double> stiffness;

    // Three vertices of a thread; the fourth one of a hinge is the middle again, with no weight.
    void add_thread(int before, int middle, int after, double k) {
        add({before, middle, after, middle}, {1, -2, 1, 0}, k);
    }
    void add(const std::array<int, 4>& v, const std::array<double, 4>& w, double k) {
        vertices.push_back(v);
        weights.push_back(w);
        stiffness.push_back(k);
    }
    Hinges finish() const {
        const auto count = static_cast<long>(stiffness.size());
        Hinges hinges;
        if (count == 0) return hinges;
        hinges.vertices = Eigen::Map<const Quadruples>(vertices.front().data(), count, 4);
        hinges.weights = Eigen::Map<const Rows<double, 4>>(weights.front().data(), count, 4);
        hinges.stiffness = VectorX::Map(stiffness.data(), count);
        return hinges;
    }
};

}  // namespace

Hinges woven_hinges(const geometry::GridCloth& cloth, double flexural_rigidity) {
    const double D = flexural_rigidity;
    if (D == 0) return {};
    const geometry::GridSize& size = cloth.size;
    const auto point = [&](int row, int column) { return cloth.mesh.positions.row(size.index(row, column)); };
    const double a = (point(0, 1) - point(0, 0)).norm(), b = (point(1, 0) - point(0, 0)).norm();  // [m]
    HingeList hinges;
    for (int r = 0; r < size.rows; ++r)
        for (int c = 0; c < size.columns; ++c) {
            const int v = size.index(r, c);
            // A thread on the border stands for half a cell only.
            const double width = r == 0 || r == size.rows - 1 ? b / 2 : b;
            const double height = c == 0 || c == size.columns - 1 ? a / 2 : a;
            if (c > 0 && c + 1 < size.columns) hinges.add_thread(v - 1, v, v + 1, D * width / (a * a * a));
            if (r > 0 && r + 1 < size.rows)
                hinges.add_thread(v - size.columns, v, v + size.columns, D * height / (b * b * b));
            if (r + 1 < size.rows && c + 1 < size.columns)
                hinges.add({v, v + 1, v + size.columns, v + size.columns + 1}, {1, -1, -1, 1}, 2 * D / (a * b));
        }
    return hinges.finish();
}

}  // namespace tulle::physics

// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/energies/bending.h"

namespace tulle::physics {

numerics::SparseMatrix bending_matrix(const Hinges& hinges, int vertex_count) {
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(static_cast<size_t>(16 * hinges.count()));
    for (long h = 0; h < hinges.count(); ++h)
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                entries.emplace_back(hinges.vertices(h, i), hinges.vertices(h, j),
                                     hinges.stiffness(h) * hinges.weights(h, i) * hinges.weights(h, j));
    numerics::SparseMatrix matrix(vertex_count, vertex_count);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

double bending_energy(const Hinges& hinges, const Positions& positions) {
    double energy = 0;
    for (long h = 0; h < hinges.count(); ++h) {
        Vector3 curvature = Vector3::Zero();
        for (int i = 0; i < 4; ++i) curvature += hinges.weights(h, i) * positions.row(hinges.vertices(h, i));
        energy += 0.5 * hinges.stiffness(h) * curvature.squaredNorm();
    }
    return energy;
}

}  // namespace tulle::physics

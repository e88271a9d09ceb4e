// SPDX-License-Identifier: Apache-2.0
// Networks nobody trained and cloths nobody simulated.
#pragma once

#include "tests/neural/symmetries.h"
#include "tulle/core/arrays.h"
#include "tulle/core/random.h"
#include "tulle/geometry/grid_cloth.h"
#include "tulle/methods/upscaling/upscaler.h"

#include <Eigen/Geometry>

#include <cmath>
#include <vector>

namespace tulle::methods::test {

// Says zero whatever it is asked.
inline neural::Network zero_network(const std::vector<int>& sizes) {
    neural::Network network = neural::test::random_network(sizes);
    network.layers.back().weights.setZero();
    network.layers.back().bias.setZero();
    network.normalisation.output_mean.setZero();
    return network;
}

// The same with canonical features.
inline neural::Network silent_network(const neural::Symmetry& symmetry) {
    neural::Network network = neural::test::symmetric_network(symmetry, {32});
    network.layers.back().weights.setZero();
    network.layers.back().bias.setZero();
    return network;
}

// Says the same whatever it is asked.
inline neural::Network constant_network(int inputs, const std::vector<float>& answer) {
    const int outputs = static_cast<int>(answer.size());
    neural::Network network = zero_network({inputs, 16, outputs});
    for (neural::DenseLayer& layer : network.layers) layer.weights.setZero();
    network.layers.back().bias = Eigen::Map<const Eigen::VectorXf>(answer.data(), outputs);
    network.normalisation = neural::Normalisation::identity(inputs, outputs);
    return network;
}

inline neural::Network random_network(const std::vector<int>& sizes, std::uint64_t seed = 1) {
    return neural::test::random_network(sizes, neural::Activation::Relu, seed);
}

// A grid of cells of 5 cm.
inline Positions flat(const geometry::GridSize& size, double spacing = 0.05) {
    return geometry::make_grid_cloth(size, {.width = spacing * (size.columns - 1), .height = spacing * (size.rows - 1)})
        .mesh.positions;
}

// The same, waving: every patch is bent and stretched differently.
inline Positions waving(const Positions& rest, double phase = 0) {
    Positions positions = rest;
    for (long v = 0; v < rest.rows(); ++v) {
        const double x = rest(v, 0), z = rest(v, 2);
        positions(v, 0) += 0.02 * std::sin(9 * z + phase);
        positions(v, 1) += 0.06 * std::sin(7 * x + 3 * z + phase) + 0.02 * std::cos(11 * z - 5 * x);
        positions(v, 2) += 0.015 * std::cos(8 * x - phase);
    }
    return positions;
}

inline Eigen::Isometry3d some_motion(const Vector3& translation) {
    Eigen::Isometry3d motion = Eigen::Isometry3d::Identity();
    motion.rotate(Eigen::AngleAxisd(2.1, Vector3(0.3, -1, 0.6).normalized()));
    motion.pretranslate(translation);
    return motion;
}

inline Positions moved(const Eigen::Isometry3d& motion, const Positions& positions) {
    return (positions * motion.linear().transpose()).rowwise() + motion.translation().transpose();
}

inline double largest_distance(const Positions& a, const Positions& b) { return (a - b).rowwise().norm().maxCoeff(); }

inline Positions upscaled(const Upscaler& upscaler, const Positions& coarse) {
    const std::vector<Positions> frames(static_cast<size_t>(upscaler.frames_seen()), coarse);
    Positions fine;
    upscaler.upscale(frames, fine);
    return fine;
}

}  // namespace tulle::methods::test

// SPDX-License-Identifier: Apache-2.0
// What is measured of a motion, frame after frame: no figure keeps more than three frames. docs/evaluation.md explains
// each of them.
#pragma once

#include "tulle/physics/cloth_model.h"

#include <array>
#include <optional>
#include <vector>

namespace tulle::evaluation {

struct DistanceSummary {
    double mean = 0;  // [m]
    double p95 = 0;   // [m]
    double max = 0;   // [m]
};

// Distances between particles, from a stream of them. Mean and maximum are exact; the percentile is taken from a
// histogram with bins of 1.1 % and is off by half of that at most.
class DistanceStatistics {
public:
    // The distance of every particle in one frame. Returns their mean [m].
    double add(const Positions& positions, const Positions& reference);
    DistanceSummary summary() const;

private:
    void count(double distance);
    double percentile(double share) const;

    // 64 bins for every factor of two from 2⁻⁴⁸ m, far below any rounding error, to 2¹⁶ m; zero is in the first.
    static constexpr int bins_per_octave = 64, lowest_octave = -48, octaves = 64;
    std::vector<long> bins_ = std::vector<long>(size_t{bins_per_octave} * octaves, 0);
    long count_ = 0;
    double sum_ = 0;
    double max_ = 0;
};

// Mean angle between the vertex normals of two shapes of one cloth [rad].
double mean_normal_angle(const Positions& positions, const Positions& reference, const Triangles& triangles);

struct Deformation {
    double stretch_energy = 0;  // [J] of springs within the surface: structural, shear, or along the edges of a mesh
    double bending_energy = 0;  // [J] of skip springs and hinges
    double max_stretch = 0;     // largest length of a structural spring over its rest length; 0 if there is none
};

// Knows what each spring of a cloth is for. The model must outlive it.
class DeformationMeter {
public:
    explicit DeformationMeter(const physics::ClothModel& model);
    Deformation measure(const Positions& positions) const;

private:
    enum class Role { Structural, Shear, Bend };
    const physics::ClothModel& model_;
    std::vector<Role> roles_;  // |E|
};

// Mean norm of the second difference x₊ − 2x + x₋ over all particles and frames [m per frame²]: what trembling looks
// like, besides the motion itself.
class Unrest {
public:
    void add(const Positions& positions);
    std::optional<double> mean() const;  // none before three frames

private:
    std::array<Positions, 2> last_;  // the frame before the last one, the last one
    long frames_ = 0;
    double sum_ = 0;
};

}  // namespace tulle::evaluation

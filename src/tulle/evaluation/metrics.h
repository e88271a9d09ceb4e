// SPDX-License-Identifier: Apache-2.0
// What is measured of one frame, and of distances frame after frame. docs/evaluation.md explains each figure.
#pragma once

#include "tulle/evaluation/histogram.h"
#include "tulle/physics/cloth_model.h"

#include <vector>

namespace tulle::evaluation {

struct DistanceSummary {
    double mean = 0;  // [m]
    double p95 = 0;   // [m]
    double max = 0;   // [m]
};

// Distances between particles, from a stream of them.
class DistanceStatistics {
public:
    // The distance of every particle in one frame. Returns their mean [m].
    double add(const Positions& positions, const Positions& reference);
    DistanceSummary summary() const;

private:
    Histogram distances_;
};

// Angles between the vertex normals of two shapes of one cloth, |V| [rad].
VectorX normal_angles(const Positions& positions, const Positions& reference, const Triangles& triangles);

struct Deformation {
    double stretch_energy = 0;    // [J] of springs within the surface: structural, shear, or along the edges of a mesh
    double bending_energy = 0;    // [J] of skip springs and hinges
    double max_stretch = 0;       // largest length of a structural spring over its rest length; 0 if there is none
    std::vector<double> strains;  // |length over rest length − 1| of every structural spring
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

// The vertex that moves most freely: the one farthest at rest from everything pinned, or from the middle if nothing is.
int tip_of(const physics::ClothModel& model);

}  // namespace tulle::evaluation

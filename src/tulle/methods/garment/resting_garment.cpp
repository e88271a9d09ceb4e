// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/resting_garment.h"

#include "tulle/core/parallel.h"
#include "tulle/physics/energies/bending.h"

#include <algorithm>
#include <cmath>

namespace tulle::methods {

namespace {

constexpr double thinnest = 0.001;  // [m] that layers keep between them whatever presses

Edges acting_pairs(const physics::ClothModel& model, const numerics::SparseMatrix& bending) {
    std::vector<std::pair<int, int>> pairs;
    for (const auto& edge : model.springs.edges.rowwise()) pairs.emplace_back(edge(0), edge(1));
    for (int column = 0; column < bending.outerSize(); ++column)
        for (numerics::SparseMatrix::InnerIterator entry(bending, column); entry; ++entry)
            if (entry.row() < column) pairs.emplace_back(static_cast<int>(entry.row()), column);
    Edges edges(static_cast<long>(pairs.size()), 2);
    for (size_t i = 0; i < pairs.size(); ++i) edges.row(static_cast<long>(i)) << pairs[i].first, pairs[i].second;
    return edges;
}

collision::ClothParts parts_of(const physics::ClothModel& model) {
    return {.triangles = model.mesh.triangles,
            .edges = geometry::mesh_edges(model.mesh).edges,
            .inverse_masses = model.masses.cwiseInverse(),
            .rest_positions = model.mesh.positions};
}

}  // namespace

RestingGarment::RestingGarment(const physics::ClothModel& model, const collision::ClosedTopology& body_topology,
                               const Positions& start, const Positions& body, const RestingGarmentSettings& settings)
    : model_(model),
      settings_(settings),
      bending_(physics::bending_matrix(model.hinges, model.vertex_count())),
      system_(model.vertex_count(), acting_pairs(model, bending_)),
      body_(body_topology, settings.gravity.norm() * model.masses, settings.body),
      parts_(parts_of(model)),
      layers_(parts_, settings.layer_distance),
      never_through_(parts_, {.enabled = true, .thickness = thinnest, .friction = 0}),
      positions_(start),
      velocities_(Velocities::Zero(start.rows(), 3)) {
    for (const auto& edge : model.springs.edges.rowwise())
        pair_of_spring_.push_back(system_.pattern().find(edge(0), edge(1)));
    for (int column = 0; column < bending_.outerSize(); ++column)
        for (numerics::SparseMatrix::InnerIterator entry(bending_, column); entry; ++entry)
            if (entry.row() < column)
                pair_of_bending_.push_back(system_.pattern().find(static_cast<int>(entry.row()), column));
    (void)body_.move_body(start, body);
}

void RestingGarment::step(const Positions& body) { advance(positions_ + body_.move_body(positions_, body)); }

void RestingGarment::step() { advance(positions_); }

void RestingGarment::advance(const Positions& carried_to) {
    const Positions& y = carried_to;
    body_.look(y);
    system_.clear();
    Positions forces = model_.masses * settings_.gravity.transpose();
    add_springs(y, forces);
    add_bending(y, forces);
    add_body(y, forces);
    add_layers(y, forces);
    const VectorX inertia = model_.masses / (settings_.dt * settings_.dt);  // [N/m]
    for (long v = 0; v < y.rows(); ++v) {
        forces.row(v) += inertia(v) * settings_.kept * settings_.dt * velocities_.row(v);
        system_.add(v, inertia(v) * Matrix3::Identity());
    }
    Positions way;
    (void)system_.solve(forces, way, settings_.linear);
    const double farthest = way.rowwise().norm().maxCoeff();
    if (farthest > settings_.longest_way) way *= settings_.longest_way / farthest;
    Positions end = y + way;
    (void)never_through_.resolve(positions_, end, settings_.dt, nullptr);
    velocities_ = (end - y) / settings_.dt;
    positions_ = std::move(end);
}

void RestingGarment::add_springs(const Positions& x, Positions& forces) {
    const physics::Springs& springs = model_.springs;
    for (long e = 0; e < springs.count(); ++e) {
        const int a = springs.edges(e, 0), b = springs.edges(e, 1);
        const Vector3 way = x.row(a) - x.row(b);
        const double length = std::max(way.norm(), 1e-9), k = springs.stiffness(e);
        const Vector3 along = way / length;
        const Vector3 pull = k * (length - springs.rest_lengths(e)) * along;
        forces.row(a) -= pull.transpose();
        forces.row(b) += pull.transpose();
        const double across = k * std::max(0.0, 1 - springs.rest_lengths(e) / length);
        const Vector3 d = std::sqrt(k - across) * along;
        const Matrix3 stiffness = across * Matrix3::Identity() + d * d.transpose();
        system_.add(a, stiffness);
        system_.add(b, stiffness);
        system_.put_spring_between(pair_of_spring_[static_cast<size_t>(e)], -across, d);
    }
}

void RestingGarment::add_bending(const Positions& x, Positions& forces) {
    forces -= stiffening_ * (bending_ * x);
    size_t above = 0;
    for (int column = 0; column < bending_.outerSize(); ++column)
        for (numerics::SparseMatrix::InnerIterator entry(bending_, column); entry; ++entry) {
            const double value = stiffening_ * entry.value();
            if (entry.row() == column) system_.add(column, value * Matrix3::Identity());
            if (entry.row() < column) system_.add_between(pair_of_bending_[above++], value);
        }
}

void RestingGarment::add_body(const Positions& x, Positions& forces) {
    for (int v = 0; v < x.rows(); ++v) {
        const Push push = body_.push(v, x);
        forces.row(v) += push.force.transpose();
        system_.add(v, push.stiffness);
    }
}

// What one layer does to another is stiff only where each vertex stands: at least as stiff as it is, so that steps stay
// stable, and the matrix keeps its pattern.
void RestingGarment::add_layers(const Positions& x, Positions& forces) {
    for (const collision::SelfContactPoint& pair : layers_.find(positions_, x, settings_.layer_distance)) {
        double apart = 0, mass = 0;
        for (size_t i = 0; i < 4; ++i) {
            apart += pair.weights[i] * pair.normal.dot(x.row(pair.vertices[i]));
            mass += std::abs(pair.weights[i]) * model_.masses(pair.vertices[i]) / 2;
        }
        const SoftWall wall{mass * settings_.gravity.norm(), settings_.layer_softness};
        const double depth = pair.goal - apart;
        const Vector3 push = wall.force(depth) * pair.normal;
        const Matrix3 along = wall.stiffness(depth) * pair.normal * pair.normal.transpose();
        for (size_t i = 0; i < 4; ++i) {
            forces.row(pair.vertices[i]) += pair.weights[i] * push.transpose();
            system_.add(pair.vertices[i], 2 * std::abs(pair.weights[i]) * along);
        }
    }
}

}  // namespace tulle::methods

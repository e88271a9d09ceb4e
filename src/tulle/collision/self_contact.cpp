// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/self_contact.h"

#include "tulle/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle::collision {

namespace {

constexpr int passes = 3;               // after some parts were made to move together, the others' way is tried again
constexpr int rounds = 4;               // of detection and pushing apart in each pass
constexpr int sweeps = 10;              // over the contacts of a round
constexpr double near_enough = 0.02;    // of the thickness that may be missing after the sweeps
constexpr double recovery_time = 0.05;  // [s] in which layers that are too close come back to their thickness

}  // namespace

SelfContact::SelfContact(ClothParts parts, const SelfContactSettings& settings)
    : parts_(std::move(parts)), settings_(settings), detection_(parts_, settings.thickness) {}

SelfContactOutcome SelfContact::resolve(const Positions& start, Positions& end, double dt,
                                        const ColliderContact* colliders) {
    const double recovery = settings_.thickness * std::min(1.0, dt / recovery_time);
    SelfContactOutcome outcome;
    outcome.slowed = slow_down(start, end);
    Positions reached;
    const Positions* safe = &start;
    for (int pass = 0; pass < passes; ++pass) {
        std::vector<SelfContactPoint> contacts = detection_.find(*safe, end, recovery);
        if (pass == 0) outcome.contacts = static_cast<int>(contacts.size());
        for (int round = 0; round < rounds && !contacts.empty(); ++round) {
            const Positions before = end;
            push_apart(contacts, start, end);
            if (colliders) keep_outside(contacts, *colliders, start, end);
            contacts = detect_again(std::move(contacts), *safe, before, end, recovery);
        }
        std::erase_if(contacts, [](const SelfContactPoint& contact) { return !contact.hits; });
        outcome.truncated_vertices = outcome.slowed ? static_cast<int>(start.rows()) : 0;
        if (contacts.empty()) return outcome;
        Positions together = end;
        move_together(std::move(contacts), colliders, *safe, together, outcome);
        reached = std::move(together);
        safe = &reached;
    }
    end = reached;
    return outcome;
}

// If a solver blows up, everything passes everything and all pairs of parts would have to be looked at. Then the motion
// relative to the middle of the cloth is scaled down to what can be handled.
bool SelfContact::slow_down(const Positions& start, Positions& end) const {
    const auto count = static_cast<double>(start.rows());
    const Eigen::RowVector3d mean = middle(end) - middle(start);
    const double way =
        parallel_sum(start.rows(), [&](long v) { return (end.row(v) - start.row(v) - mean).norm(); }) / count;
    const double limit = detection_.mean_edge_length() * std::clamp(std::sqrt(1e6 / count), 8.0, 30.0);
    if (!(way > limit)) return false;
    parallel_for(start.rows(), [&](long v) {
        if (!parts_.movable(static_cast<int>(v))) return;
        end.row(v) = start.row(v) + mean + limit / way * (end.row(v) - start.row(v) - mean);
    });
    return true;
}

// What detection would find, given what it found before some of the ends changed.
std::vector<SelfContactPoint> SelfContact::detect_again(std::vector<SelfContactPoint> contacts, const Positions& start,
                                                        const Positions& before, const Positions& end,
                                                        double recovery) {
    std::vector<char> moved(static_cast<size_t>(end.rows()), 0);
    for (long v = 0; v < end.rows(); ++v) moved[static_cast<size_t>(v)] = end.row(v) != before.row(v);
    std::vector<SelfContactPoint> found = detection_.find_moved(start, end, recovery, moved);
    std::erase_if(contacts, [&](const SelfContactPoint& contact) {
        return std::any_of(contact.vertices.begin(), contact.vertices.end(),
                           [&](int v) { return moved[static_cast<size_t>(v)] != 0; });
    });
    found.insert(found.end(), contacts.begin(), contacts.end());
    std::sort(found.begin(), found.end(),
              [](const SelfContactPoint& a, const SelfContactPoint& b) { return a.pair.key() < b.pair.key(); });
    return found;
}

void SelfContact::push_apart(const std::vector<SelfContactPoint>& contacts, const Positions& start,
                             Positions& end) const {
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        double worst = 0;
        for (const SelfContactPoint& contact : contacts) worst = std::max(worst, push_apart(contact, start, end));
        if (worst < near_enough * settings_.thickness) return;
    }
}

// One Gauss–Seidel step on n·Σ wᵢxᵢ ≥ goal, then friction on the sideways part of Σ wᵢ(xᵢ − xᵢ⁰). Both change the
// momentum of none but the pinned. Returns how much was missing [m].
double SelfContact::push_apart(const SelfContactPoint& contact, const Positions& start, Positions& end) const {
    Vector3 apart = Vector3::Zero();
    Vector3 way = Vector3::Zero();
    double give = 0;
    double least = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < 4; ++i) {
        const int v = contact.vertices[i];
        const double weight = contact.weights[i];
        apart += weight * end.row(v);
        way += weight * (end.row(v) - start.row(v));
        give += weight * weight * parts_.inverse_masses(v);
        if (parts_.movable(v)) least = std::min(least, parts_.inverse_masses(v));
    }
    // If all but a vertex of little weight are pinned, that one must not be flung away to make up for it.
    give = std::max(give, 0.1 * least);
    const double missing = contact.goal - contact.normal.dot(apart);
    if (missing <= 0) return 0;
    Vector3 change = missing * contact.normal;
    const Vector3 sideways = way - contact.normal.dot(way) * contact.normal;
    const double length = sideways.norm();
    if (length > 0) change -= std::min(1.0, settings_.friction * missing / length) * sideways;
    for (size_t i = 0; i < 4; ++i) {
        const int v = contact.vertices[i];
        end.row(v) += contact.weights[i] * parts_.inverse_masses(v) / give * change;
    }
    return missing;
}

void SelfContact::keep_outside(const std::vector<SelfContactPoint>& contacts, const ColliderContact& colliders,
                               const Positions& start, Positions& end) const {
    std::vector<int> vertices;
    for (const SelfContactPoint& contact : contacts)
        for (const int v : contact.vertices)
            if (parts_.movable(v)) vertices.push_back(v);
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    parallel_for(static_cast<long>(vertices.size()), [&](long i) {
        const int v = vertices[static_cast<size_t>(i)];
        Vector3 place = end.row(v);
        if (colliders.vertices.resolve(start.row(v), place)) end.row(v) = place;
    });
    (void)colliders.faces.resolve(colliders.vertices, {start, end, nullptr}, vertices);
}

}  // namespace tulle::collision

// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/self_contact.h"

#include "tulle/collision/continuous.h"
#include "tulle/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle::collision {

namespace {

constexpr int passes = 3;               // after some vertices were held back, the others' way is tried again
constexpr int rounds = 4;               // of detection and pushing apart in each pass
constexpr int sweeps = 10;              // over the contacts of a round
constexpr double enough = 0.98;         // of the goal distance counts as reached
constexpr double recovery_time = 0.05;  // [s] in which layers that are too close come back to their thickness
constexpr double touching = 1e-12;      // [m] parts this close at the start cannot be told apart

// How near a pair may come on its way before it counts as passing through. Tighter the closer it already is, so that
// being held back again and again never uses up the distance.
double least_gap(double distance, double target) {
    return distance > 1e-3 * target ? std::min(0.1 * target, 0.5 * distance) : 0.9 * distance;
}

FourPoints between(const FourPoints& start, const FourPoints& end, double time) {
    FourPoints points;
    for (size_t i = 0; i < 4; ++i) points[i] = start[i] + time * (end[i] - start[i]);
    return points;
}

bool in_order(const SelfContactPoint& a, const SelfContactPoint& b) { return a.pair.key() < b.pair.key(); }

auto any_of(const std::vector<char>& flags) {
    return [&flags](const std::array<int, 4>& v) {
        return (flags[static_cast<size_t>(v[0])] | flags[static_cast<size_t>(v[1])] | flags[static_cast<size_t>(v[2])] |
                flags[static_cast<size_t>(v[3])]) != 0;
    };
}

}  // namespace

SelfContact::SelfContact(ClothParts parts, const SelfContactSettings& settings)
    : parts_(std::move(parts)), settings_(settings), candidates_(parts_, settings.thickness) {}

SelfContactOutcome SelfContact::resolve(const Positions& start, Positions& end, double dt,
                                        const ColliderResponse* colliders) {
    const double recovery = settings_.thickness * std::min(1.0, dt / recovery_time);
    SelfContactOutcome outcome;
    outcome.slowed = slow_down(start, end);
    Positions safe = start;
    for (int pass = 0; pass < passes; ++pass) {
        std::vector<SelfContactPoint> contacts = detect(safe, end, recovery);
        if (pass == 0) outcome.contacts = static_cast<int>(contacts.size());
        for (int round = 0; round < rounds && !contacts.empty(); ++round) {
            const Positions before = end;
            push_apart(contacts, start, end);
            if (colliders) keep_outside(contacts, *colliders, start, end);
            contacts = detect_again(std::move(contacts), safe, before, end, recovery);
        }
        std::erase_if(contacts, [](const SelfContactPoint& contact) { return !contact.hits; });
        outcome.truncated_vertices = outcome.slowed ? static_cast<int>(start.rows()) : 0;
        if (contacts.empty()) return outcome;
        Positions reached = end;
        hold_back(std::move(contacts), colliders, safe, reached, outcome);
        safe = std::move(reached);
    }
    end = std::move(safe);
    return outcome;
}

// If a solver blows up, everything passes everything and all pairs of parts would have to be looked at. Then the motion
// relative to the middle of the cloth is scaled down to what can be handled.
bool SelfContact::slow_down(const Positions& start, Positions& end) const {
    const double count = static_cast<double>(start.rows());
    Eigen::RowVector3d mean;
    for (int axis = 0; axis < 3; ++axis)
        mean(axis) = parallel_sum(start.rows(), [&](long v) { return end(v, axis) - start(v, axis); }) / count;
    const double way =
        parallel_sum(start.rows(), [&](long v) { return (end.row(v) - start.row(v) - mean).norm(); }) / count;
    const double limit = candidates_.mean_edge_length() * std::clamp(std::sqrt(1e6 / count), 8.0, 30.0);
    if (!(way > limit)) return false;
    parallel_for(start.rows(), [&](long v) {
        if (!parts_.movable(static_cast<int>(v))) return;
        end.row(v) = start.row(v) + mean + limit / way * (end.row(v) - start.row(v) - mean);
    });
    return true;
}

template <typename Choose>
std::vector<SelfContactPoint> SelfContact::examine_all(const Positions& start, const Positions& end, double recovery,
                                                       const Choose& choose) {
    candidates_.cover(start, end);
    const std::span<const Candidate> candidates = candidates_.candidates();
    std::vector<SelfContactPoint> contacts;
    parallel_ranges(static_cast<long>(candidates.size()), [&](long first, long last) {
        std::vector<SelfContactPoint> found;
        SelfContactPoint contact;
        for (long i = first; i < last; ++i) {
            const Candidate& candidate = candidates[static_cast<size_t>(i)];
            contact.pair = candidate.pair;
            contact.vertices = parts_.vertices(candidate.pair);
            if (choose(contact.vertices) && candidates_.may_touch(candidate, contact.vertices) &&
                examine(start, end, recovery, contact))
                found.push_back(contact);
        }
#pragma omp critical
        contacts.insert(contacts.end(), found.begin(), found.end());
    });
    std::sort(contacts.begin(), contacts.end(), in_order);
    return contacts;
}

std::vector<SelfContactPoint> SelfContact::detect(const Positions& start, const Positions& end, double recovery) {
    return examine_all(start, end, recovery, [](const std::array<int, 4>&) { return true; });
}

// What detect() would find, given what it found before some of the ends changed.
std::vector<SelfContactPoint> SelfContact::detect_again(std::vector<SelfContactPoint> contacts, const Positions& start,
                                                        const Positions& before, const Positions& end,
                                                        double recovery) {
    std::vector<char> moved(static_cast<size_t>(end.rows()), 0);
    for (long v = 0; v < end.rows(); ++v) moved[static_cast<size_t>(v)] = end.row(v) != before.row(v);
    std::vector<SelfContactPoint> found = examine_all(start, end, recovery, any_of(moved));
    std::erase_if(contacts, [&](const SelfContactPoint& contact) { return any_of(moved)(contact.vertices); });
    found.insert(found.end(), contacts.begin(), contacts.end());
    std::sort(found.begin(), found.end(), in_order);
    return found;
}

std::vector<SelfContactPoint> SelfContact::find_hits(const Positions& start, const Positions& end,
                                                     const std::vector<char>& moved) {
    std::vector<SelfContactPoint> hits = examine_all(start, end, 0, any_of(moved));
    std::erase_if(hits, [](const SelfContactPoint& contact) { return !contact.hits; });
    return hits;
}

bool SelfContact::examine(const Positions& start, const Positions& end, double recovery,
                          SelfContactPoint& contact) const {
    const PairKind kind = contact.pair.kind;
    const FourPoints from = gather(contact.vertices, start);
    const FourPoints to = gather(contact.vertices, end);
    const double distance = separation(kind, from).distance();
    const double nearest = distance - relative_reach(kind, from, to);
    if (nearest >= settings_.thickness || distance < touching) return false;
    const double target = target_distance(contact.pair, contact.vertices);
    if (nearest >= target) return false;
    const double gap = least_gap(distance, target);
    const std::optional<double> time = nearest > gap ? std::nullopt : time_of_approach(kind, from, to, gap);
    const Separation apart = separation(kind, time ? between(from, to, *time) : to);
    contact.goal = std::min(target, distance + recovery);
    if (!time && apart.distance() >= enough * contact.goal) return false;
    contact.hits = time.has_value();
    contact.time = time.value_or(1.0);
    contact.weights = apart.weights;
    contact.normal = apart.vector.normalized();
    return true;
}

// Neighbours whose rest distance is less than twice the thickness are only kept half their rest distance apart.
double SelfContact::target_distance(const PartPair& pair, const std::array<int, 4>& vertices) const {
    const double rest_distance = separation(pair.kind, gather(vertices, parts_.rest_positions)).distance();
    return std::min(settings_.thickness, 0.5 * rest_distance);
}

void SelfContact::push_apart(const std::vector<SelfContactPoint>& contacts, const Positions& start,
                             Positions& end) const {
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        double worst = 0;
        for (const SelfContactPoint& contact : contacts) worst = std::max(worst, push_apart(contact, start, end));
        if (worst < (1 - enough) * settings_.thickness) return;
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

void SelfContact::keep_outside(const std::vector<SelfContactPoint>& contacts, const ColliderResponse& colliders,
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
        if (colliders.resolve(start.row(v), place)) end.row(v) = place;
    });
}

}  // namespace tulle::collision

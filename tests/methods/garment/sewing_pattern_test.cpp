// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/mannequin.h"
#include "tulle/collision/posed_mesh.h"
#include "tulle/methods/garment/body_attachment.h"
#include "tulle/methods/garment/drape.h"

#include <doctest/doctest.h>

#include <map>
#include <set>

using namespace tulle;
using namespace tulle::methods;

namespace {

const SewnGarment& shirt() {
    static const SewnGarment sewn = sew(t_shirt_pattern(), 0.03);
    return sewn;
}

const body::Character& mannequin() {
    static const body::Character made = body::make_mannequin({.edge_length = 0.045});
    return made;
}

geometry::TriangleMesh body_mesh() { return {mannequin().skin.positions, mannequin().triangles, {}}; }

// How many closed lines the border is.
int border_loops(const Triangles& triangles) {
    std::map<int, int> next;
    std::set<std::pair<int, int>> edges;
    for (const auto& t : triangles.rowwise())
        for (int k = 0; k < 3; ++k) edges.insert({t(k), t((k + 1) % 3)});
    for (const auto& [a, b] : edges)
        if (!edges.contains({b, a})) next[b] = a;
    int loops = 0;
    while (!next.empty()) {
        ++loops;
        for (int v = next.begin()->first; next.contains(v);) {
            const int after = next.at(v);
            next.erase(v);
            v = after;
        }
    }
    return loops;
}

}  // namespace

TEST_CASE("A T-shirt has a hem, a neckline and two cuffs; a skirt has a waist and a hem") {
    const geometry::TriangleMesh mesh = rest_shape(shirt());
    geometry::check_cloth_mesh(mesh, "shirt");
    CHECK(border_loops(mesh.triangles) == 4);
    const SewnGarment skirt = sew(skirt_pattern(), 0.03);
    geometry::check_cloth_mesh(rest_shape(skirt), "skirt");
    CHECK(border_loops(skirt.triangles) == 2);
}

TEST_CASE("The T-shirt as it comes has about the vertices and edges of the paper's") {
    const SewnGarment sewn = sew(t_shirt_pattern(), 0.0183);
    CHECK(sewn.pattern.rows() == doctest::Approx(2969).epsilon(0.02));
    CHECK(geometry::mesh_edges(rest_shape(sewn)).edges.rows() == doctest::Approx(8787).epsilon(0.02));
}

TEST_CASE("The rest shape of a garment is its pattern: no edge differs by more than half a per cent") {
    const geometry::TriangleMesh mesh = rest_shape(shirt());
    const Edges edges = geometry::mesh_edges(mesh).edges;
    for (const auto& edge : edges.rowwise()) {
        const double cut = (shirt().pattern.row(edge(0)) - shirt().pattern.row(edge(1))).norm();
        const double rest = (mesh.positions.row(edge(0)) - mesh.positions.row(edge(1))).norm();
        CHECK(rest >= cut - 1e-12);
        CHECK(rest <= 1.005 * cut);
    }
    CHECK(mesh.tex_coords.minCoeff() == 0);
    CHECK(mesh.tex_coords.maxCoeff() == doctest::Approx(1));
    // The front is in front, and faces forward; the back is behind it.
    for (long t = 0; t < mesh.triangles.rows(); ++t) {
        const bool is_front = t < shirt().front_triangle_count;
        for (const int v : mesh.triangles.row(t))
            CHECK(shirt().side[static_cast<size_t>(v)] * (is_front ? 1 : -1) <= 0);
        const Vector3 a = mesh.positions.row(mesh.triangles(t, 0)), b = mesh.positions.row(mesh.triangles(t, 1)),
                      c = mesh.positions.row(mesh.triangles(t, 2));
        CHECK(((b - a).cross(c - a).y() < 0) == is_front);
    }
}

TEST_CASE("A garment that is put on is outside of the body and around it") {
    const geometry::TriangleMesh rest = rest_shape(shirt());
    const Positions worn = put_on(shirt(), rest, body_mesh());
    const collision::ClosedTopology topology(body_mesh());
    const collision::PosedMesh solid(topology, mannequin().skin.positions);
    for (const auto& x : worn.rowwise()) CHECK(solid.distance(Vector3(x)) > 0.007);
    CHECK(worn.col(1).minCoeff() < -0.08);
    CHECK(worn.col(1).maxCoeff() > 0.08);
    double mean = 0;
    const Edges edges = geometry::mesh_edges(rest).edges;
    for (const auto& edge : edges.rowwise())
        mean += (worn.row(edge(0)) - worn.row(edge(1))).norm() /
                (rest.positions.row(edge(0)) - rest.positions.row(edge(1))).norm();
    CHECK(mean / static_cast<double>(edges.rows()) == doctest::Approx(1).epsilon(0.06));
}

TEST_CASE("A garment follows its body triangles: rigidly with a rigid body, and offsets go there and back") {
    const geometry::TriangleMesh rest = rest_shape(shirt());
    const Positions worn = put_on(shirt(), rest, body_mesh(), {.iterations = 60});
    const BodyAttachment attachment(worn, rest.triangles, shirt().pattern, body_mesh());
    const Positions& neutral = mannequin().skin.positions;
    const Positions offsets = attachment.to_offsets(worn, neutral);
    CHECK((attachment.from_offsets(offsets, neutral) - worn).cwiseAbs().maxCoeff() < 1e-12);
    CHECK(offsets.col(2).minCoeff() > 0);  // outside
    // A body that is turned and moved turns and moves the garment; the offsets stay.
    const Matrix3 turn = Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()).toRotationMatrix();
    const auto moved = [&](const Positions& x) {
        return Positions((x * turn.transpose()).rowwise() + Eigen::RowVector3d(1, 2, 3));
    };
    CHECK((attachment.from_offsets(offsets, moved(neutral)) - moved(worn)).cwiseAbs().maxCoeff() < 1e-12);
    // In another pose it is still on the surface.
    const Positions posed =
        mannequin().posed(body::random_pose(mannequin().skeleton, body::mannequin_upper_joints(), 5));
    const collision::ClosedTopology topology(body_mesh());
    const collision::PosedMesh solid(topology, posed);
    const Positions wrapped = attachment.wrapped(posed);
    for (const auto& x : wrapped.rowwise()) CHECK(std::abs(solid.distance(Vector3(x))) < 1e-9);
    for (const Matrix3& frame : attachment.frames(posed))
        CHECK((frame.transpose() * frame - Matrix3::Identity()).norm() < 1e-9);
}

TEST_CASE("Offsets are written along the pattern: u grows where the first column points") {
    const geometry::TriangleMesh rest = rest_shape(shirt());
    const Positions worn = put_on(shirt(), rest, body_mesh(), {.iterations = 60});
    const BodyAttachment attachment(worn, rest.triangles, shirt().pattern, body_mesh());
    const std::vector<Matrix3> frames = attachment.frames(mannequin().skin.positions);
    long agree = 0;  // u runs across the body: to its left in front and behind
    for (const Matrix3& frame : frames) agree += frame(0, 0) > 0 ? 1 : 0;
    CHECK(static_cast<double>(agree) > 0.9 * static_cast<double>(frames.size()));
}

// SPDX-License-Identifier: Apache-2.0
#include "tests/collision/fixtures.h"
#include "tulle/core/parallel.h"

#include <doctest/doctest.h>

namespace tulle::collision {

namespace {

constexpr SelfContactSettings rough = {.enabled = true, .thickness = 0.002, .friction = 0.2};

std::shared_ptr<Colliders> floor_and_ball() {
    auto colliders = std::make_shared<Colliders>();
    colliders->push_back(collider_of(make_plane({0, 0, -0.1}, {0, 0, 1})));
    colliders->push_back(collider_of(make_sphere({0.2, 0.2, -0.05}, 0.1)));
    for (Collider& collider : *colliders) collider.friction = 0.3;
    return colliders;
}

SpringSheet start() {
    SpringSheet sheet = crumpling_sheet(20, 3, 41);
    sheet.gravity = {0, 0, -9.81};
    return sheet;
}

}  // namespace

TEST_CASE("A crumpling sheet has the same bits on 1, 2, 3 and 8 threads") {
    const int threads_before = thread_count();
    Positions reference;
    for (const int threads : {1, 2, 3, 8}) {
        CAPTURE(threads);
        set_thread_count(threads);
        SpringSheet sheet = start();
        ContactPass pass = sheet.make_pass(floor_and_ball(), rough);
        int contacts = 0;
        for (int i = 0; i < 40; ++i) contacts += sheet.step(pass, 0.002).self_contacts;
        CHECK(contacts > 100);
        if (threads == 1) reference = sheet.positions;
        CHECK((sheet.positions.array() == reference.array()).all());
    }
    set_thread_count(threads_before);
}

TEST_CASE("A candidate list that was built earlier gives the same bits as a new one") {
    SpringSheet kept = start();
    SpringSheet fresh = start();
    const auto colliders = floor_and_ball();
    ContactPass pass = kept.make_pass(colliders, rough);
    int contacts = 0;
    for (int i = 0; i < 80; ++i) {
        contacts += kept.step(pass, 0.0005).self_contacts;
        ContactPass new_pass = fresh.make_pass(colliders, rough);
        fresh.step(new_pass, 0.0005);
        REQUIRE((kept.positions.array() == fresh.positions.array()).all());
        REQUIRE((kept.velocities.array() == fresh.velocities.array()).all());
    }
    CHECK(contacts > 100);
}

}  // namespace tulle::collision

// SPDX-License-Identifier: Apache-2.0
// A page and a body: clips and joints.
#include "tests/view/live_server.h"

#include <doctest/doctest.h>

using namespace tulle;
using test::LiveClient;
using test::LiveServer;
using Json = nlohmann::json;

namespace {

// A cloth that nothing holds lies beside the mannequin.
const char* const dancer = R"(
name = "dancer"
[time]
frame_rate = 50
frames = 10
[cloth]
kind = "grid"
rows = 5
columns = 5
height = 0.4
width = 0.4
origin = [2, 0, 1]
mass = 0.002
[body]
clip = "dance"
lead_in = 0.2
)";

// How far the body of a frame reaches upward [m]. It is the only collider, and comes at the end.
double top_of_body(const LiveClient::Message& frame) {
    const size_t cloth = frame.at<std::uint32_t>(24);
    const size_t body = 80 + (6 * cloth + 3) / 4 * 4;
    return frame.at<float>(body + 8 + 8) + frame.at<float>(body + 8 + 12 + 8);
}

}  // namespace

TEST_CASE("A body stands still or plays a clip, and its joints are turned as far as they go") {
    LiveServer server({"admm"}, dancer);
    LiveClient client(server);
    const Json body = client.wait_for_text("scene").json()["body"];
    CHECK(body["clips"] == Json({"", "dance", "walk"}));
    CHECK(body["clip"] == "dance");
    const auto shoulder = std::find_if(body["joints"].begin(), body["joints"].end(),
                                       [](const Json& joint) { return joint["name"] == "left_shoulder"; });
    REQUIRE(shoulder != body["joints"].end());
    CHECK((*shoulder)["high"][1].get<double>() == doctest::Approx(65 * M_PI / 180));

    client.send({{"type", "clip"}, {"name", ""}, {"seq", 1}});
    client.wait_for(
        [](const auto& m) { return !m.is_binary && m.json()["type"] == "scene" && m.json()["body"]["clip"] == ""; });
    const double standing = top_of_body(client.wait_for_frame(0, 3));
    CHECK(standing == doctest::Approx(1.75).epsilon(0.02));
    CHECK(top_of_body(client.wait_for_frame(0, 30)) == doctest::Approx(standing));
    client.send({{"type", "joint"}, {"name", "left_hip"}, {"angles", {1.3, 0, 0}}, {"seq", 2}});
    client.send({{"type", "joint"}, {"name", "pelvis"}, {"angles", {0.3, 0, 0}}, {"seq", 3}});
    const Json status = client
                            .wait_for([](const auto& m) {
                                return !m.is_binary && m.json()["type"] == "status" && m.json()["joints"].size() == 2;
                            })
                            .json();
    CHECK(status["joints"]["left_hip"] == Json({1.3, 0.0, 0.0}));
    const long now = client.wait_for_frame(0).frame();
    CHECK(top_of_body(client.wait_for_frame(0, now + 40)) < standing - 0.02);  // it bows
    client.send({{"type", "joint"}, {"name", "left_knee"}, {"angles", {3, 0, 0}}, {"seq", 4}});
    CHECK(client.wait_for_text("error").json()["seq"] == 4);
    client.send({{"type", "joint"}, {"name", "tail"}, {"angles", {0, 0, 0}}, {"seq", 5}});
    CHECK(client.wait_for_text("error").json()["seq"] == 5);
    client.send({{"type", "reset"}});
    client.wait_for(
        [](const auto& m) { return !m.is_binary && m.json()["type"] == "status" && m.json()["joints"].empty(); });
    const long later = client.wait_for_frame(0).frame();
    CHECK(top_of_body(client.wait_for_frame(0, later + 40)) == doctest::Approx(standing));
}

TEST_CASE("Where there is no body no joint can be turned") {
    LiveServer server({"admm"});
    LiveClient client(server);
    CHECK(client.wait_for_text("scene").json()["body"].is_null());
    client.send({{"type", "joint"}, {"name", "left_knee"}, {"angles", {1, 0, 0}}, {"seq", 1}});
    CHECK(client.wait_for_text("error").json()["seq"] == 1);
}

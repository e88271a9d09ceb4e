// SPDX-License-Identifier: Apache-2.0
#include "tests/view/live_server.h"
#include "tulle/io/cache_reader.h"
#include "tulle/workflows/replay.h"

#include <doctest/doctest.h>

using namespace tulle;
using test::LiveClient;
using test::LiveServer;
using Json = nlohmann::json;

namespace {

constexpr size_t corner = 13 * 19 - 1;
constexpr int corner_triangle = 2 * 12 * 18 - 1;

int corner_of_triangle(const LiveClient::Message& topology, int vertex) {
    for (int k = 0; k < 3; ++k)
        if (topology.at<std::uint32_t>(32 + 4 * static_cast<size_t>(3 * corner_triangle + k)) ==
            static_cast<std::uint32_t>(vertex))
            return k;
    return -1;
}

Json place(const Vector3& v) { return {v.x(), v.y(), v.z()}; }

}  // namespace

TEST_CASE("A client is greeted, told the scene and its triangles, and sees both panels move") {
    LiveServer server;
    LiveClient client(server);
    const Json hello = client.receive().json();
    CHECK(hello["type"] == "hello");
    CHECK(hello["scenes"][0]["name"] == "small");
    CHECK(hello["scenes"][0]["description"] == "A small flag");
    const Json scene = client.receive().json();
    CHECK(scene["type"] == "scene");
    CHECK(scene["panels"].size() == 2);
    CHECK(scene["panels"][0]["vertices"] == 13 * 19);
    CHECK(scene["panels"][1]["simulated_vertices"] == 7 * 10);
    CHECK(scene["colliders"][0]["movable"] == true);
    CHECK(scene["grabbable"] == true);
    const LiveClient::Message topology = client.receive();
    CHECK(topology.type() == 1);
    CHECK(topology.at<std::uint32_t>(8) == 13 * 19);
    CHECK(topology.at<std::uint32_t>(12) == 2 * 12 * 18);
    CHECK(topology.at<std::uint32_t>(4) == scene["panels"][0]["topology"]);
    for (const int panel : {0, 1}) {
        const auto first = client.wait_for_frame(panel);
        const auto later = client.wait_for_frame(panel, first.frame() + 5);
        CHECK(later.at<double>(16) > first.at<double>(16));
        CHECK((later.position(corner) - first.position(corner)).norm() > 1e-3);
    }
}

TEST_CASE("A hand pulls the corner of both cloths, and the frames say which input they show") {
    LiveServer server;
    LiveClient client(server);
    const auto topology = client.wait_for([](const auto& m) { return m.type() == 1 && m.panel() == 0; });
    const int k = corner_of_triangle(topology, static_cast<int>(corner));
    REQUIRE(k >= 0);
    std::array<double, 3> weights{};
    weights[static_cast<size_t>(k)] = 1;
    const Vector3 target(0.8, -0.35, 1.6);
    client.send({{"type", "grab"},
                 {"pointer", 0},
                 {"panel", 0},
                 {"triangle", corner_triangle},
                 {"weights", weights},
                 {"target", place(target)},
                 {"seq", 77}});
    for (const int panel : {0, 1}) {
        const auto shown = client.wait_for([&](const auto& m) {
            return m.type() == 2 && m.panel() == panel && m.template at<std::uint32_t>(12) == 77;
        });
        REQUIRE_FALSE(shown.bytes.empty());
        CHECK(shown.at<std::uint32_t>(72) == 1);
        const auto pulled = client.wait_for_frame(panel, shown.frame() + 60);
        CHECK((pulled.position(corner) - target).norm() < 0.3);
        CHECK(pulled.position(corner).y() < -0.1);
    }
    client.send({{"type", "release"}, {"pointer", 0}, {"seq", 78}});
    const auto free =
        client.wait_for([](const auto& m) { return m.type() == 2 && m.template at<std::uint32_t>(12) == 78; });
    CHECK(free.at<std::uint32_t>(72) == 0);
}

TEST_CASE("Pause stops, step goes on by one frame, restart begins anew") {
    LiveServer server({"admm"});
    LiveClient client(server);
    client.wait_for_frame(0, 3);
    client.send({{"type", "pause"}});
    const auto is_paused = [&] {
        return client.wait_for([](const auto& m) { return !m.is_binary && m.json().value("playing", true) == false; });
    };
    is_paused();
    const Json first = client.wait_for_text("status").json(), second = client.wait_for_text("status").json();
    CHECK(first["panels"][0]["frame"] == second["panels"][0]["frame"]);
    const long frame = second["panels"][0]["frame"];
    client.send({{"type", "step"}});
    CHECK(client.wait_for_frame(0, frame).frame() == frame + 1);
    client.send({{"type", "restart"}});
    CHECK(client.wait_for([](const auto& m) { return m.type() == 2 && m.frame() == 0; }).at<std::uint16_t>(2) == 2);
}

TEST_CASE("Wind turns the flag, and stiffness is changed in the background while the cloth runs on") {
    LiveServer server({"admm"});
    LiveClient client(server);
    client.wait_for_frame(0, 5);
    client.send({{"type", "set"}, {"name", "wind"}, {"value", {0, 15, 0}}, {"seq", 1}});
    const auto start = client.wait_for_frame(0);
    CHECK(client.wait_for_frame(0, start.frame() + 30).position(corner).y() > 0.1);
    client.send({{"type", "set"}, {"name", "stretch"}, {"value", 3}, {"seq", 2}});
    const Json busy = client
                          .wait_for([](const auto& m) {
                              return !m.is_binary && m.json().value("busy", std::string()).starts_with("factorising");
                          })
                          .json();
    const long before = busy["panels"][0]["frame"];
    const Json scene = client.wait_for_text("scene").json();
    for (const Json& parameter : scene["parameters"])
        if (parameter["name"] == "stretch") CHECK(parameter["value"] == 3);
    CHECK(client.wait_for_frame(0, before).frame() > before);  // it went on where it was
    client.send({{"type", "set"}, {"name", "stretch"}, {"value", 1000}, {"seq", 3}});
    CHECK(client.wait_for_text("error").json()["seq"] == 3);
}

TEST_CASE("Methods are exchanged, and those that do not fit are refused while the old ones run on") {
    LiveServer server({"admm"});
    LiveClient client(server);
    client.wait_for_frame(0, 2);
    client.send({{"type", "methods"}, {"methods", {"xpbd", "admm:5", "bicubic"}}, {"seq", 1}});
    CHECK(client
              .wait_for([](const auto& m) {
                  return !m.is_binary && m.json()["type"] == "scene" && m.json()["panels"].size() == 3;
              })
              .json()["panels"][1]["title"] == "admm:5");
    client.wait_for_frame(2, 2);
    client.send({{"type", "methods"}, {"methods", {"garment"}}, {"seq", 2}});
    CHECK(client.wait_for_text("error").json()["seq"] == 2);
    client.send({{"type", "methods"}, {"methods", {"magic"}}, {"seq", 3}});
    CHECK(client.wait_for_text("error").json()["seq"] == 3);
    const long now = client.wait_for_frame(2).frame();
    CHECK(client.wait_for_frame(2, now + 2).frame() > now);
    client.send({{"type", "open"}, {"scene", "../../etc/passwd"}, {"seq", 4}});
    CHECK(client.wait_for_text("error").json()["seq"] == 4);
}

TEST_CASE("Colours that the panels have no values for are refused, and go when the method that has them goes") {
    LiveServer server({"admm", "miniature"});
    LiveClient client(server);
    const Json scene = client.wait_for_text("scene").json();
    CHECK(scene["colors"] == Json({"fabric", "strain", "speed", "error", "difference"}));
    client.send({{"type", "color"}, {"mode", "error"}, {"seq", 1}});
    const auto colored = client.wait_for(
        [](const auto& m) { return m.type() == 2 && m.panel() == 1 && (m.template at<std::uint16_t>(2) & 1); });
    CHECK(colored.at<std::uint32_t>(28) == 3);
    client.send({{"type", "methods"}, {"methods", {"admm", "bilinear"}}, {"seq", 2}});
    client.wait_for(
        [](const auto& m) { return !m.is_binary && m.json()["type"] == "status" && m.json()["color"] == "fabric"; });
    client.send({{"type", "color"}, {"mode", "error"}, {"seq", 3}});
    CHECK(client.wait_for_text("error").json()["seq"] == 3);
}

TEST_CASE("What was seen is saved, and a replay of it has the same bits") {
    LiveServer server({"admm"});
    LiveClient client(server);
    client.wait_for_frame(0, 3);
    client.send({{"type", "set"}, {"name", "wind"}, {"value", {1, 9, 0}}});
    client.wait_for_frame(0, 10);
    client.send({{"type", "collider"}, {"name", "ball"}, {"offset", {-2.5, 0.3, 1.6}}});
    client.wait_for_frame(0, 30);
    client.send({{"type", "set"}, {"name", "bend"}, {"value", 4}});
    client.wait_for_text("scene");
    client.wait_for_frame(0, 40);
    client.send({{"type", "pause"}});
    client.wait_for([](const auto& m) { return !m.is_binary && m.json().value("playing", true) == false; });
    client.send({{"type", "color"}, {"mode", "strain"}});
    const auto last =
        client.wait_for([](const auto& m) { return m.type() == 2 && (m.template at<std::uint16_t>(2) & 1); });
    client.send({{"type", "save"}, {"what", "cache"}, {"panel", 0}, {"seq", 9}});
    const Json saved = client
                           .wait_for([](const auto& m) {
                               return !m.is_binary && (m.json()["type"] == "saved" || m.json()["type"] == "error");
                           })
                           .json();
    CAPTURE(saved.dump());
    REQUIRE(saved["type"] == "saved");
    const std::string path = saved["path"];
    const io::CacheReader cache(path);
    CHECK(cache.frame_count() == last.frame() + 1);
    const Positions shown = cache.positions(last.frame());
    for (size_t v = 0; v <= corner; ++v)
        CHECK((last.position(v) - shown.row(static_cast<long>(v)).transpose()).norm() < 1e-4);
    const workflows::SimulateReport again =
        workflows::replay(live::read_recording(path), {.cache = server.folder() / "again.h5"});
    CHECK(again.frames == last.frame());
    CHECK(io::CacheReader(server.folder() / "again.h5").checkpoint()->positions == cache.checkpoint()->positions);
    for (const char* what : {"picture", "gltf"}) {
        client.send({{"type", "save"}, {"what", what}, {"panel", 0}, {"seq", 10}});
        CHECK(std::filesystem::file_size(client.wait_for_text("saved").json()["path"].get<std::string>()) > 1000);
    }
}

TEST_CASE("A cache is played, sought and not grabbed") {
    const test::TemporaryFolder folder;
    {
        LiveServer server({"admm"});
        LiveClient client(server);
        client.wait_for_frame(0, 20);
        client.send({{"type", "save"}, {"what", "cache"}, {"panel", 0}});
        std::filesystem::copy(client.wait_for_text("saved").json()["path"].get<std::string>(), folder.path() / "a.h5");
    }
    std::filesystem::create_directories(folder.path() / "page");
    std::ofstream(folder.path() / "page" / "index.html") << "x";
    const io::CacheReader cache(folder.path() / "a.h5");
    view::Server server({.port = 0, .token = "t", .page = view::PageFiles(folder.path() / "page")});
    view::Session session({.plan = {.caches = {folder.path() / "a.h5", folder.path() / "a.h5"}}}, server.post());
    struct Watcher : view::Client {
        void wake() override {}
    } watcher;
    session.attach(watcher);
    const Json hello = Json::parse(*watcher.outbox().next()->bytes),
               scene = Json::parse(*watcher.outbox().next()->bytes);
    CHECK(hello["scenes"].empty());
    CHECK(scene["kind"] == "recorded");
    CHECK(scene["frames"] == cache.frame_count());
    CHECK(scene["grabbable"] == false);
    session.receive(watcher, view::parse_client_message(R"({"type":"seek","frame":12})"));
    session.receive(watcher, view::parse_client_message(R"({"type":"pause"})"));
    session.receive(watcher,
                    view::parse_client_message(
                        R"({"type":"grab","pointer":0,"panel":0,"triangle":0,"weights":[1,0,0],"target":[0,0,0]})"));
    bool was_refused = false;
    while (const auto item = watcher.outbox().next())
        was_refused = was_refused || item->bytes->find("cannot be grabbed") != std::string::npos;
    CHECK(was_refused);
    session.detach(watcher);
}

// SPDX-License-Identifier: Apache-2.0
#include "tests/view/live_server.h"
#include "tulle/core/random.h"

#include <doctest/doctest.h>

#include <fstream>

using namespace tulle;
using test::LiveClient;
using test::LiveServer;
using test::raw_exchange;
namespace net = boost::asio;

namespace {

std::string random_bytes(Random& random, size_t count) {
    std::string bytes(count, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random.uniform(0, 256));
    return bytes;
}

bool is_alive(const LiveServer& server) {
    LiveClient client(server);
    const long first = client.wait_for_frame(0).frame();
    return client.wait_for_frame(0, first).frame() > first;
}

long resident_kilobytes() {
    std::ifstream file("/proc/self/status");
    for (std::string word; file >> word;)
        if (word == "VmRSS:") {
            long kilobytes = 0;
            file >> kilobytes;
            return kilobytes;
        }
    return 0;
}

std::string get(const LiveServer& server, const std::string& path, const std::string& host) {
    return raw_exchange(server.port(), "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
}

}  // namespace

TEST_CASE("The page is sent, and nothing else, whatever path is asked for") {
    LiveServer server({"admm"});
    const std::string page = get(server, "/?token=secret", server.host());
    CHECK(page.starts_with("HTTP/1.1 200"));
    CHECK(page.find("the page") != std::string::npos);
    CHECK(page.find("Content-Security-Policy") != std::string::npos);
    for (const std::string path : {"/../small.toml", "/%2e%2e/small.toml", "/..%2fsmall.toml", "/page/../../small.toml",
                                   "//etc/passwd", "/index.html/../../small.toml", "/./index.html", "/small.toml",
                                   "/index.html%00.txt", "\\..\\small.toml", "http://evil/index.html"}) {
        CAPTURE(path);
        const std::string answer = get(server, path, server.host());
        CHECK(answer.starts_with("HTTP/1.1 4"));
        CHECK(answer.find("name = ") == std::string::npos);
    }
    CHECK(get(server, "/", "evil.example").starts_with("HTTP/1.1 403"));
    CHECK(raw_exchange(server.port(), "POST / HTTP/1.1\r\nHost: " + server.host() + "\r\nContent-Length: 0\r\n\r\n")
              .starts_with("HTTP/1.1 405"));
}

TEST_CASE("Without the token, or from another page, nobody connects") {
    LiveServer server({"admm"});
    CHECK_THROWS(LiveClient(server, "/live"));
    CHECK_THROWS(LiveClient(server, "/live?token=wrong"));
    CHECK_THROWS(LiveClient(server, "/elsewhere?token=secret"));
    CHECK_THROWS(LiveClient(server, "/live?token=secret", "http://evil.example"));
    CHECK_THROWS(LiveClient(server, "/live?token=secret", "null"));
    CHECK_NOTHROW(LiveClient(server, "/live?token=secret"));
    CHECK(is_alive(server));
}

TEST_CASE("A hostile message ends its connection with a reason, and nothing else") {
    LiveServer server({"admm"});
    LiveClient bystander(server);
    const auto reason_for = [&](const std::function<void(LiveClient&)>& misbehave) {
        LiveClient client(server);
        misbehave(client);
        client.has_ended();
        return client.reason();
    };
    const auto bad = reason_for([](LiveClient& c) { c.send_text(R"({"type":"fly"})"); });
    CHECK(bad.code == 1008);
    CHECK(bad.reason == "there is no message of that type");
    CHECK(reason_for([](LiveClient& c) { c.send_text(std::string(2000, '[')); }).code == 1008);
    CHECK(reason_for([](LiveClient& c) { c.send_text("{\"type\":\"" + std::string(5000, 'x')); }).code == 1009);
    CHECK(reason_for([](LiveClient& c) { c.send_binary("abc"); }).code == 1003);
    CHECK(reason_for([](LiveClient& c) {
              for (int i = 0; i < 2000; ++i) c.send_text(R"({"type":"play"})");
          }).code == 1008);
    CHECK_FALSE(bystander.wait_for_frame(0, 1).bytes.empty());
}

TEST_CASE("A thousand hostile messages and requests are survived") {
    LiveServer server({"admm"});
    Random random(5);
    const std::vector<std::string> words = {"GET ",
                                            "/live?token=",
                                            "HTTP/1.1",
                                            "\r\n",
                                            "Host: ",
                                            "Upgrade: websocket",
                                            "Sec-WebSocket-Key: ",
                                            "\r\n\r\n",
                                            "Content-Length: 99999999999999",
                                            "{",
                                            "["};
    for (int i = 0; i < 300; ++i) {  // random bytes, half requests, requests of odd parts
        std::string request = i % 3 == 0 ? random_bytes(random, 300) : "";
        for (int k = 0; i % 3 != 0 && k < 12; ++k)
            request += words[static_cast<size_t>(random.uniform(0, static_cast<double>(words.size())))];
        net::io_context io;
        net::ip::tcp::socket socket(io);
        socket.connect({net::ip::make_address("127.0.0.1"), server.port()});
        test::beast::error_code ignored;
        net::write(socket, net::buffer(request), ignored);
    }
    const std::vector<std::string> sound = {
        R"({"type":"grab","pointer":0,"panel":0,"triangle":3,"weights":[0.2,0.3,0.5],"target":[1,2,3],"seq":1})",
        R"({"type":"set","name":"wind","value":[1,2,0]})",
        R"({"type":"ack","panel":3,"frame":4000000})",
        R"({"type":"drag","pointer":9,"target":[1e4,-1e4,1e4]})",
        R"({"type":"seek","frame":3})",
        R"({"type":"collider","name":"ball","offset":[9,9,9]})",
        R"({"type":"joint","name":"left_elbow","angles":[1,0,0]})",
        R"({"type":"color","mode":"difference"})"};
    for (int i = 0; i < 700; ++i) {
        LiveClient client(server);
        std::string text = i % 5 == 0 ? random_bytes(random, 200) : sound[static_cast<size_t>(i) % sound.size()];
        for (int k = 0; k < i % 4; ++k)
            text[static_cast<size_t>(random.uniform(0, static_cast<double>(text.size())))] =
                static_cast<char>(random.uniform(0, 256));
        client.send_text(text);
    }
    CHECK(is_alive(server));
}

TEST_CASE("A client that does not read slows nobody and makes no memory grow") {
    LiveServer server({"admm"});
    LiveClient idle(server), reader(server);
    reader.send({{"type", "speed"}, {"value", 100}});
    reader.wait_for_frame(0, 100);
    const long before = resident_kilobytes();
    CHECK(reader.wait_for_frame(0, 2000).frame() > 2000);
    CHECK(resident_kilobytes() - before < 8192);
}

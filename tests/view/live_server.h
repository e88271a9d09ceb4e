// SPDX-License-Identifier: Apache-2.0
// The real server on a free port of this machine, and a client that speaks to it over the real wire.
#pragma once

#include "tests/support/temporary_folder.h"
#include "tulle/view/server.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

namespace tulle::test {

namespace net = boost::asio;
namespace beast = boost::beast;

inline const char* const small_flag = R"(
name = "small"
description = "A small flag"
method = "admm"
[time]
frame_rate = 50
frames = 10
[cloth]
kind = "grid"
rows = 13
columns = 19
height = 0.6
width = 0.9
origin = [0, 0, 2]
along_columns = [1, 0, 0]
along_rows = [0, 0, -1]
mass = 0.002
[[pins]]
column = "first"
[wind]
velocity = [0, 0, 0]
normal = 2
tangential = 0.2
[[colliders]]
name = "ball"
shape = "sphere"
center = [3, 0, 0]
radius = 0.2
[solver]
steps_per_frame = 1
)";

class LiveServer {
public:
    explicit LiveServer(const std::vector<std::string>& methods = {"admm", "bilinear"},
                        const std::string& scene = small_flag) {
        std::filesystem::create_directories(folder_.path() / "page");
        std::ofstream(folder_.path() / "page" / "index.html") << "<html>the page</html>";
        std::ofstream(folder_.path() / "small.toml") << scene;
        server_ = std::make_unique<view::Server>(
            view::ServerSettings{.port = 0, .token = "secret", .page = view::PageFiles(folder_.path() / "page")});
        session_ = std::make_unique<view::Session>(
            view::SessionSettings{.plan = {.scene = folder_.path() / "small.toml", .methods = methods},
                                  .save_to = folder_.path() / "saved"},
            server_->post());
        thread_ = std::thread([this] { server_->run(*session_, [this] { return ends_.load(); }); });
    }
    ~LiveServer() { end(); }
    void end() {
        ends_ = true;
        if (thread_.joinable()) thread_.join();
    }

    std::uint16_t port() const { return server_->port(); }
    std::string host() const { return "127.0.0.1:" + std::to_string(port()); }
    std::filesystem::path folder() const { return folder_.path(); }

private:
    TemporaryFolder folder_;
    std::unique_ptr<view::Server> server_;
    std::unique_ptr<view::Session> session_;
    std::atomic<bool> ends_ = false;
    std::thread thread_;
};

// Sends some bytes and reads what comes until the other side ends, or nothing more comes for a while.
inline std::string raw_exchange(std::uint16_t port, const std::string& bytes) {
    net::io_context io;
    net::ip::tcp::socket socket(io);
    socket.connect({net::ip::make_address("127.0.0.1"), port});
    beast::error_code failed;
    net::write(socket, net::buffer(bytes), failed);
    std::string answer;
    char part[4096];
    bool is_waiting = true;
    while (is_waiting) {
        size_t count = 0;
        bool is_done = false;
        socket.async_read_some(net::buffer(part), [&](beast::error_code code, size_t n) {
            is_done = true;
            count = n;
            is_waiting = !code;
        });
        io.restart();
        io.run_for(std::chrono::milliseconds(300));
        if (!is_done) {
            socket.cancel();
            io.restart();
            io.run();
            break;
        }
        answer.append(part, count);
    }
    return answer;
}

class LiveClient {
public:
    using Json = nlohmann::json;

    explicit LiveClient(const LiveServer& server, const std::string& target = "/live?token=secret",
                        const std::string& origin = {})
        : socket_(io_) {
        beast::get_lowest_layer(socket_).connect({net::ip::make_address("127.0.0.1"), server.port()});
        const std::string from = origin.empty() ? "http://" + server.host() : origin;
        socket_.set_option(beast::websocket::stream_base::decorator(
            [from](beast::websocket::request_type& request) { request.set("Origin", from); }));
        socket_.read_message_max(0);  // browsers have no limit, and a million vertices have 21 MB of triangles
        socket_.handshake(server.host(), target);
    }

    void send(const Json& message) { send_text(message.dump()); }
    void send_text(const std::string& text) {
        socket_.text(true);
        beast::error_code failed;
        socket_.write(net::buffer(text), failed);
    }
    void send_binary(const std::string& bytes) {
        socket_.binary(true);
        beast::error_code failed;
        socket_.write(net::buffer(bytes), failed);
    }

    // The next message; an empty text if the connection has ended.
    struct Message {
        bool is_binary = false;
        std::string bytes;
        Json json() const { return Json::parse(bytes); }
        int type() const { return is_binary ? bytes[0] : 0; }
        int panel() const { return bytes[1]; }
        template <typename Value>
        Value at(size_t offset) const {
            Value value;
            if (offset + sizeof(Value) > bytes.size()) throw std::out_of_range("the message is too short");
            std::memcpy(&value, bytes.data() + offset, sizeof(Value));
            return value;
        }
        long frame() const { return at<std::uint32_t>(8); }
        Vector3 position(size_t vertex) const {
            Vector3 place;
            for (size_t k = 0; k < 3; ++k)
                place(static_cast<long>(k)) = at<float>(32 + 4 * k) + at<std::uint16_t>(80 + 2 * (3 * vertex + k)) /
                                                                          65535.0 * at<float>(44 + 4 * k);
            return place;
        }
    };
    Message receive() {
        beast::flat_buffer buffer;
        beast::error_code failed;
        beast::get_lowest_layer(socket_).expires_after(std::chrono::seconds(20));
        socket_.read(buffer, failed);
        if (failed) {
            failed_ = failed;
            return {};
        }
        Message message{socket_.got_binary(), beast::buffers_to_string(buffer.data())};
        if (message.type() == 2) send({{"type", "ack"}, {"panel", message.panel()}, {"frame", message.frame()}});
        return message;
    }
    // The first message that fits; everything before it is dropped.
    Message wait_for(const std::function<bool(const Message&)>& fits) {
        while (true) {
            Message message = receive();
            if (message.bytes.empty() || fits(message)) return message;
        }
    }
    Message wait_for_text(const std::string& type) {
        return wait_for([&](const Message& m) { return !m.is_binary && m.json().at("type") == type; });
    }
    Message wait_for_frame(int panel, long after = -1) {
        return wait_for([&](const Message& m) { return m.type() == 2 && m.panel() == panel && m.frame() > after; });
    }
    bool has_ended() {
        wait_for([](const Message&) { return false; });
        return true;
    }
    beast::websocket::close_reason reason() const { return socket_.reason(); }

private:
    net::io_context io_;
    beast::websocket::stream<beast::tcp_stream> socket_;
    beast::error_code failed_;
};

}  // namespace tulle::test

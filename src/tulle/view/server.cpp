// SPDX-License-Identifier: Apache-2.0
#include "tulle/view/server.h"

#include "tulle/core/error.h"
#include "tulle/view/connection.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

namespace tulle::view {

using Tcp = net::ip::tcp;

namespace {

Tcp::acceptor listen(net::io_context& io, const ServerSettings& settings) {
    beast::error_code failed;
    const auto address = net::ip::make_address(settings.address, failed);
    if (failed) throw Error("'{}' is no address of this machine; write one such as 0.0.0.0", settings.address);
    for (int i = 0; i < std::max(1, settings.ports_to_try); ++i) {
        const Tcp::endpoint place(address, static_cast<std::uint16_t>(settings.port + i));
        Tcp::acceptor acceptor(io);
        acceptor.open(place.protocol(), failed);
        if (!failed) acceptor.set_option(net::socket_base::reuse_address(true), failed);
        if (!failed) acceptor.bind(place, failed);
        if (!failed) acceptor.listen(net::socket_base::max_listen_connections, failed);
        if (!failed) return acceptor;
        if (failed != net::error::address_in_use) break;
    }
    throw Error("cannot listen at {} port {}: {}; name another with --port", settings.address, settings.port,
                failed.message());
}

}  // namespace

struct Server::Implementation {
    explicit Implementation(ServerSettings settings) : acceptor(listen(io, settings)), timer(io) {
        const Tcp::endpoint place = acceptor.local_endpoint();
        hall.rules = {.token = settings.token, .is_loopback = place.address().is_loopback(), .port = place.port()};
        hall.page = std::move(settings.page);
    }

    void accept() {
        acceptor.async_accept([this](beast::error_code failed, Tcp::socket socket) {
            if (failed == net::error::operation_aborted) return;
            if (!failed && hall.connections < Hall::most_connections)
                std::make_shared<HttpConnection>(std::move(socket), hall)->read();
            accept();
        });
    }

    void tick(const std::function<bool()>& wants_stop) {
        constexpr auto often = std::chrono::milliseconds(50);
        constexpr int ticks_per_status = 4;
        timer.expires_after(often);
        timer.async_wait([this, &wants_stop](beast::error_code failed) {
            if (failed) return;
            if (wants_stop()) return say_goodbye();
            if (++ticks % ticks_per_status == 0) hall.session->send_status();
            tick(wants_stop);
        });
    }

    void say_goodbye() {
        beast::error_code ignored;
        acceptor.close(ignored);
        const std::set<LiveConnection*> all = hall.live;
        for (LiveConnection* connection : all)
            connection->close(websocket::close_code::going_away, "`tulle view` was ended");
        timer.expires_after(std::chrono::milliseconds(200));  // for the words to arrive
        timer.async_wait([this](beast::error_code) { io.stop(); });
    }

    Hall hall;  // outlives the connections, which the handlers of `io` keep
    net::io_context io{1};
    Tcp::acceptor acceptor;
    net::steady_timer timer;
    int ticks = 0;
};

Server::Server(ServerSettings settings) : implementation_(std::make_unique<Implementation>(std::move(settings))) {}
Server::~Server() = default;

std::uint16_t Server::port() const { return implementation_->hall.rules.port; }
bool Server::is_loopback() const { return implementation_->hall.rules.is_loopback; }

std::string Server::address() const {
    const auto place = implementation_->acceptor.local_endpoint().address();
    return fmt::format(fmt::runtime(place.is_v6() ? "http://[{}]:{}/?token={}" : "http://{}:{}/?token={}"),
                       place.to_string(), port(), implementation_->hall.rules.token);
}

Session::Post Server::post() {
    return [&io = implementation_->io](std::function<void()> job) { net::post(io, std::move(job)); };
}

void Server::run(Session& session, const std::function<bool()>& wants_stop) {
    implementation_->hall.session = &session;
    implementation_->accept();
    implementation_->tick(wants_stop);
    implementation_->io.run();
    // Those that have not said goodbye yet must not look at the session any more.
    const std::set<LiveConnection*> all = implementation_->hall.live;
    for (LiveConnection* connection : all) session.detach(*connection);
    implementation_->hall.live.clear();
}

}  // namespace tulle::view

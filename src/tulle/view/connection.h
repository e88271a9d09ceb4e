// SPDX-License-Identifier: Apache-2.0
// Only for the .cpp files of this folder that speak HTTP: Boost.Beast takes long to compile.
#pragma once

#include "tulle/view/access.h"
#include "tulle/view/page_files.h"
#include "tulle/view/session.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <set>

namespace tulle::view {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;

class LiveConnection;

// What all connections of a server share. It outlives them.
struct Hall {
    AccessRules rules;
    PageFiles page;
    Session* session = nullptr;
    int connections = 0;
    std::set<LiveConnection*> live;  // as far as they are open

    static constexpr int most_connections = 64;
    static constexpr size_t most_live = 8;
};

// Reads requests and sends files until it becomes a LiveConnection or ends. Kept alive by the handler it waits in.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
public:
    HttpConnection(net::ip::tcp::socket socket, Hall& hall);
    ~HttpConnection();

    void read();

private:
    using Request = http::request<http::empty_body>;

    void on_request(beast::error_code failed);
    void refuse(http::status status, const std::string& reason, bool keep_alive);
    void send_file(const Request& request, const PageFile& file);
    template <typename Response>
    void send(Response response);
    void become_live(Request request);

    beast::tcp_stream stream_;
    beast::flat_buffer buffer_;
    std::optional<http::request_parser<http::empty_body>> parser_;
    Hall& hall_;
};

// A page that looks and touches.
class LiveConnection final : public Client, public std::enable_shared_from_this<LiveConnection> {
public:
    LiveConnection(beast::tcp_stream stream, Hall& hall);
    ~LiveConnection() override;

    void accept(http::request<http::empty_body> request);
    void wake() override;
    void close(websocket::close_code code, const std::string& reason);

private:
    void on_accept(beast::error_code failed);
    void read();
    void on_read(beast::error_code failed);
    void write_next();
    void leave();

    websocket::stream<beast::tcp_stream> socket_;
    beast::flat_buffer buffer_;
    RateLimit rate_;
    Hall& hall_;
    bool is_open_ = false;
    bool is_writing_ = false;
    Outbox::Item sending_;
    std::array<char, 80> frame_header_;  // with the client's own seq in it
};

}  // namespace tulle::view

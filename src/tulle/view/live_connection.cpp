// SPDX-License-Identifier: Apache-2.0
#include "tulle/view/connection.h"

#include "tulle/view/binary_messages.h"

#include <chrono>
#include <cstring>

namespace tulle::view {

namespace {

constexpr double messages_per_second = 600;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();  // [s]
}

websocket::stream_base::timeout timeouts() {
    return {.handshake_timeout = std::chrono::seconds(10),
            .idle_timeout = std::chrono::seconds(60),
            .keep_alive_pings = true};
}

}  // namespace

LiveConnection::LiveConnection(beast::tcp_stream stream, Hall& hall)
    : socket_(std::move(stream)), rate_(messages_per_second), hall_(hall) {
    ++hall_.connections;
}

LiveConnection::~LiveConnection() {
    leave();
    --hall_.connections;
}

void LiveConnection::accept(http::request<http::empty_body> request) {
    socket_.set_option(timeouts());
    socket_.read_message_max(longest_message);
    socket_.auto_fragment(false);
    beast::get_lowest_layer(socket_).socket().set_option(net::ip::tcp::no_delay(true));
    const auto kept = std::make_shared<http::request<http::empty_body>>(std::move(request));
    socket_.async_accept(*kept,
                         [self = shared_from_this(), kept](beast::error_code failed) { self->on_accept(failed); });
}

void LiveConnection::on_accept(beast::error_code failed) {
    if (failed) return;
    is_open_ = true;
    if (hall_.live.size() >= Hall::most_live)
        return close(websocket::close_code::try_again_later, "there are already 8 pages open");
    hall_.live.insert(this);
    hall_.session->attach(*this);
    read();
}

void LiveConnection::leave() {
    is_open_ = false;
    if (hall_.live.erase(this) > 0) hall_.session->detach(*this);
}

void LiveConnection::read() {
    socket_.async_read(buffer_,
                       [self = shared_from_this()](beast::error_code failed, size_t) { self->on_read(failed); });
}

void LiveConnection::on_read(beast::error_code failed) {
    if (failed) return leave();
    if (!is_open_) return;
    if (!socket_.got_text()) return close(websocket::close_code::unknown_data, "only text is understood");
    const auto data = buffer_.cdata();
    try {
        const ClientMessage message = parse_client_message({static_cast<const char*>(data.data()), data.size()});
        const auto* ack = std::get_if<AckMessage>(&message.body);
        const bool is_awaited = ack && outbox().ack(*ack);  // there are only as many as frames were sent
        if (!is_awaited && !rate_.take(now()))
            return close(websocket::close_code::policy_error, "more than 600 messages came in a second");
        if (ack)
            wake();
        else
            hall_.session->receive(*this, message);
    } catch (const BadMessage& bad) {
        return close(websocket::close_code::policy_error, bad.what());
    }
    buffer_.consume(buffer_.size());
    if (is_open_) read();
}

void LiveConnection::close(websocket::close_code code, const std::string& reason) {
    if (!is_open_) return;
    leave();
    constexpr size_t longest_reason = 123;  // RFC 6455
    socket_.async_close({code, reason.substr(0, longest_reason)}, [self = shared_from_this()](beast::error_code) {});
}

void LiveConnection::wake() {
    if (outbox().is_overfull()) return close(websocket::close_code::policy_error, "the page does not read");
    if (is_open_ && !is_writing_) write_next();
}

void LiveConnection::write_next() {
    std::optional<Outbox::Item> item = outbox().next();
    if (!item) return;
    sending_ = std::move(*item);
    is_writing_ = true;
    socket_.binary(sending_.is_binary);
    const std::string& bytes = *sending_.bytes;
    // Of a frame only the header differs from client to client.
    const size_t own = sending_.seq ? frame_header_.size() : 0;
    std::memcpy(frame_header_.data(), bytes.data(), own);
    if (sending_.seq) std::memcpy(frame_header_.data() + seq_offset, &*sending_.seq, sizeof(std::uint32_t));
    const std::array<net::const_buffer, 2> parts = {net::buffer(frame_header_.data(), own),
                                                    net::buffer(bytes.data() + own, bytes.size() - own)};
    socket_.async_write(parts, [self = shared_from_this()](beast::error_code failed, size_t) {
        self->is_writing_ = false;
        self->sending_ = {};
        if (failed) return self->leave();
        if (self->is_open_) self->write_next();
    });
}

}  // namespace tulle::view

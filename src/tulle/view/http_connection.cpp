// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/version.h"
#include "tulle/view/connection.h"

namespace tulle::view {

namespace {

constexpr auto patience = std::chrono::seconds(20);  // for a request, or for one to take an answer
constexpr std::uint32_t longest_header = 8192;       // [bytes]

std::string_view view_of(beast::string_view text) { return {text.data(), text.size()}; }

// Nothing may be loaded from elsewhere, framed elsewhere, or told where it came from.
template <typename Response>
void set_common(Response& response) {
    response.set(http::field::server, std::string("tulle/") + version);
    response.set("Content-Security-Policy",
                 "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
                 "worker-src 'self' blob:; frame-ancestors 'none'");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Referrer-Policy", "no-referrer");
    response.set("Cross-Origin-Resource-Policy", "same-origin");
}

bool accepts_gzip(const http::request<http::empty_body>& request) {
    return view_of(request[http::field::accept_encoding]).find("gzip") != std::string_view::npos;
}

}  // namespace

HttpConnection::HttpConnection(net::ip::tcp::socket socket, Hall& hall) : stream_(std::move(socket)), hall_(hall) {
    ++hall_.connections;
}

HttpConnection::~HttpConnection() { --hall_.connections; }

void HttpConnection::read() {
    parser_.emplace();
    parser_->header_limit(longest_header);
    parser_->body_limit(0);
    stream_.expires_after(patience);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](beast::error_code failed, size_t) { self->on_request(failed); });
}

void HttpConnection::on_request(beast::error_code failed) {
    if (failed == http::error::header_limit || failed == http::error::body_limit)
        return refuse(http::status::payload_too_large, "the request is too large", false);
    if (failed == http::error::end_of_stream || failed == beast::error::timeout) return;
    if (failed) {  // also what is no HTTP
        if (failed.category() == make_error_code(http::error::bad_method).category())
            return refuse(http::status::bad_request, "this is no HTTP request", false);
        return;
    }
    Request request = parser_->release();
    const std::string_view host = view_of(request[http::field::host]);
    if (const auto reason = reason_against_host(hall_.rules, host))
        return refuse(http::status::forbidden, *reason, false);
    const std::string_view path = path_of(view_of(request.target()));
    if (path == "/live") return become_live(std::move(request));
    if (request.method() != http::verb::get && request.method() != http::verb::head)
        return refuse(http::status::method_not_allowed, "only GET and HEAD are answered", false);
    const PageFile* file = hall_.page.find(path);
    if (!file) return refuse(http::status::not_found, "there is no such file", request.keep_alive());
    send_file(request, *file);
}

void HttpConnection::become_live(Request request) {
    if (!websocket::is_upgrade(request))
        return refuse(http::status::upgrade_required, "this address is for WebSockets", false);
    if (const auto reason = reason_against_socket(hall_.rules, view_of(request[http::field::host]),
                                                  view_of(request[http::field::origin]), view_of(request.target())))
        return refuse(http::status::forbidden, *reason, false);
    stream_.expires_never();  // a WebSocket has its own timeouts
    std::make_shared<LiveConnection>(std::move(stream_), hall_)->accept(std::move(request));
}

void HttpConnection::refuse(http::status status, const std::string& reason, bool keep_alive) {
    http::response<http::string_body> response(status, 11);
    set_common(response);
    response.set(http::field::content_type, "text/plain; charset=utf-8");
    response.set(http::field::cache_control, "no-store");
    response.keep_alive(keep_alive);
    response.body() = reason + "\n";
    response.prepare_payload();
    send(std::move(response));
}

void HttpConnection::send_file(const Request& request, const PageFile& file) {
    const bool is_gzipped = !file.gzipped.empty() && accepts_gzip(request);
    const std::string& bytes = is_gzipped ? file.gzipped : file.bytes;
    http::response<http::span_body<const char>> response(http::status::ok, request.version());
    set_common(response);
    response.set(http::field::content_type, file.type);
    response.set(http::field::cache_control, file.is_lasting ? "public, max-age=31536000, immutable" : "no-cache");
    response.set(http::field::vary, "Accept-Encoding");
    if (is_gzipped) response.set(http::field::content_encoding, "gzip");
    response.keep_alive(request.keep_alive());
    response.content_length(bytes.size());
    if (request.method() == http::verb::get) response.body() = beast::span<const char>(bytes.data(), bytes.size());
    send(std::move(response));
}

template <typename Response>
void HttpConnection::send(Response response) {
    // Shared, because the response must live until it is sent.
    const auto kept = std::make_shared<Response>(std::move(response));
    stream_.expires_after(patience);
    http::async_write(stream_, *kept, [self = shared_from_this(), kept](beast::error_code failed, size_t) {
        if (failed) return;
        if (kept->need_eof()) {
            self->stream_.socket().shutdown(net::ip::tcp::socket::shutdown_send, failed);
            return;
        }
        self->read();
    });
}

}  // namespace tulle::view

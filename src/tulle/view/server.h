// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/view/page_files.h"
#include "tulle/view/session.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace tulle::view {

struct ServerSettings {
    std::string address = "127.0.0.1";
    std::uint16_t port = 8642;
    int ports_to_try = 1;  // the next ones if that is taken; port 0: any free one
    std::string token;
    PageFiles page;
};

// HTTP for the built page and a WebSocket for the session (apps/viewer/PROTOCOL.md), on one thread. Whatever a client
// sends ends at worst its own connection.
class Server {
public:
    // Throws an Error if the address cannot be listened at.
    explicit Server(ServerSettings settings);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    std::uint16_t port() const;
    bool is_loopback() const;
    std::string address() const;  // for a browser, with the token
    Session::Post post();         // runs something on the thread of run(); drops it once that has ended

    // Until `wants_stop`, which is asked again and again. Then all clients are told.
    void run(Session& session, const std::function<bool()>& wants_stop);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace tulle::view

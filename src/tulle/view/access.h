// SPDX-License-Identifier: Apache-2.0
// Who may look and touch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tulle::view {

struct AccessRules {
    std::string token;
    bool is_loopback = true;  // then only loopback names are hosts of ours
    std::uint16_t port = 0;
};

// All return why a request is refused; none: it is not.
std::optional<std::string> reason_against_host(const AccessRules& rules, std::string_view host);
// Another page in the same browser can reach the server too, but cannot hide where it comes from.
std::optional<std::string> reason_against_socket(const AccessRules& rules, std::string_view host,
                                                 std::string_view origin, std::string_view target);

// In a time that tells nothing of where they differ.
bool is_same_secret(std::string_view a, std::string_view b);

std::string make_token();  // 128 random bits
// The token in the file, which is made if it is not there; only its owner may read it. Throws an Error if that cannot
// be.
std::string kept_token(const std::filesystem::path& file);

// "/live?token=1&x=2": the path, and the value of a name in the query.
std::string_view path_of(std::string_view target);
std::string_view query_value(std::string_view target, std::string_view name);

}  // namespace tulle::view

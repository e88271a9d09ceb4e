// SPDX-License-Identifier: Apache-2.0
#include "tulle/view/access.h"

#include "tulle/core/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>

namespace tulle::view {

namespace {

constexpr size_t token_length = 32;

bool is_token(std::string_view text) {
    return text.size() == token_length && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

}  // namespace

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

std::string_view query_value(std::string_view target, std::string_view name) {
    const size_t mark = target.find('?');
    std::string_view rest = mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
    while (!rest.empty()) {
        const std::string_view pair = rest.substr(0, rest.find('&'));
        if (pair.size() > name.size() && pair.starts_with(name) && pair[name.size()] == '=')
            return pair.substr(name.size() + 1);
        rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    }
    return {};
}

std::optional<std::string> reason_against_host(const AccessRules& rules, std::string_view host) {
    if (!rules.is_loopback) return {};
    for (const char* name : {"127.0.0.1", "localhost", "[::1]"})
        if (host == fmt::format("{}:{}", name, rules.port)) return {};
    return "this server answers to 127.0.0.1 and localhost only";
}

std::optional<std::string> reason_against_socket(const AccessRules& rules, std::string_view host,
                                                 std::string_view origin, std::string_view target) {
    if (auto reason = reason_against_host(rules, host)) return reason;
    if (host.empty() || origin != fmt::format("http://{}", host))
        return "only the page that this server sent may connect; open the address that `tulle view` printed";
    if (!is_same_secret(query_value(target, "token"), rules.token))
        return "the token is missing or wrong; open the address that `tulle view` printed";
    return {};
}

bool is_same_secret(std::string_view a, std::string_view b) {
    unsigned difference = a.size() == b.size() ? 0 : 1;
    for (size_t i = 0; i < b.size(); ++i)
        difference |= static_cast<unsigned char>(b[i]) ^ static_cast<unsigned char>(i < a.size() ? a[i] : '\0');
    return difference == 0;
}

std::string make_token() {
    std::random_device random;  // of the system
    std::string token;
    while (token.size() < token_length) token += fmt::format("{:08x}", random());
    return token;
}

std::string kept_token(const std::filesystem::path& file) {
    std::error_code failed;
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), failed);
    const int made = ::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (made < 0) throw Error("cannot keep the token in '{}': {}", file.string(), std::strerror(errno));
    char kept[token_length + 1] = {};
    const ssize_t read = ::read(made, kept, token_length + 1);
    std::string token(kept, read > 0 ? static_cast<size_t>(read) : 0);
    struct stat facts {};
    const bool is_private =
        ::fstat(made, &facts) == 0 && facts.st_uid == ::geteuid() && (facts.st_mode & (S_IRWXG | S_IRWXO)) == 0;
    bool is_kept = is_private && is_token(token);
    if (is_private && read == 0) {
        token = make_token();
        is_kept = ::write(made, token.data(), token.size()) == static_cast<ssize_t>(token.size());
    }
    ::close(made);
    if (!is_kept)
        throw Error("'{}' holds no token, or others may read it; remove it or name another file", file.string());
    return token;
}

}  // namespace tulle::view

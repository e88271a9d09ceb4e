// SPDX-License-Identifier: Apache-2.0
// What the pages of `tulle evaluate` have in common.
#pragma once

#include <string>

namespace tulle::workflows {

std::string escape_html(const std::string& text);

// From the doctype to the heading; html_end goes after the content.
std::string html_begin(const std::string& title);
inline constexpr const char* html_end = "</body>\n</html>\n";

}  // namespace tulle::workflows

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tulle::app {

// Where there is a display and a browser; else nothing happens.
void open_browser(const std::string& address);

}  // namespace tulle::app

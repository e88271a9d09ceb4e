// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tulle::app {

// While it lives, the first Ctrl-C (or SIGTERM) only sets a flag, so that a long job can end properly; a second one
// ends the program as usual.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    bool interrupted() const;
};

}  // namespace tulle::app

// SPDX-License-Identifier: Apache-2.0
#include "apps/common/interrupt.h"

#include <csignal>

namespace tulle::app {

namespace {

volatile std::sig_atomic_t signalled = 0;  // a signal handler can reach nothing else

void note_signal(int signal) {
    signalled = 1;
    std::signal(signal, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
    signalled = 0;
    std::signal(SIGINT, note_signal);
    std::signal(SIGTERM, note_signal);
}

InterruptGuard::~InterruptGuard() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

bool InterruptGuard::interrupted() const { return signalled != 0; }

}  // namespace tulle::app

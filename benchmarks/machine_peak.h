// SPDX-License-Identifier: Apache-2.0
// What this machine can do at most: the yardstick that every result is stored with.
#pragma once

namespace tulle::bench {

struct MachinePeak {
    int threads = 1;
    double gflops = 0;            // single precision, multiplications and additions
    double gigabytes_second = 0;  // read from memory
};

// The best of several short runs on `threads` threads.
MachinePeak measure_peak(int threads);

}  // namespace tulle::bench

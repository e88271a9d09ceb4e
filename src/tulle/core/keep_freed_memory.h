// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>  // tells whether this is glibc
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace tulle {

// For the beginning of main(). Frames need the same arrays again and again; giving them back to the system in between
// costs dozens of page faults a frame, a tenth of the time of the fastest methods.
inline void keep_freed_memory() {
#if defined(__GLIBC__)
    mallopt(M_TRIM_THRESHOLD, 256 << 20);  // bytes
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
}

}  // namespace tulle

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <xmmintrin.h>

namespace tulle::training {

// While it lives, this thread takes numbers too small for full precision as zero. Weights that fade away would
// otherwise slow every product a hundredfold.
class FlushDenormals {
public:
    FlushDenormals() { _mm_setcsr(before_ | flush_results | zero_operands); }
    ~FlushDenormals() { _mm_setcsr(before_); }
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

private:
    static constexpr unsigned flush_results = 0x8000;
    static constexpr unsigned zero_operands = 0x0040;
    unsigned before_ = _mm_getcsr();
};

}  // namespace tulle::training

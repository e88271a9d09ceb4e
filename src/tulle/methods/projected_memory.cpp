// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/projected_memory.h"

#include "tulle/core/error.h"

#include <algorithm>
#include <cstring>

namespace tulle::methods {

namespace {

// Numbers one after the other, the sizes among them.
class Numbers {
public:
    Numbers() = default;
    explicit Numbers(std::span<const std::byte> bytes) : numbers_(bytes.size() / sizeof(double)) {
        std::memcpy(numbers_.data(), bytes.data(), numbers_.size() * sizeof(double));
    }
    void add(const Positions& rows) {
        numbers_.push_back(static_cast<double>(rows.rows()));
        numbers_.insert(numbers_.end(), rows.data(), rows.data() + rows.size());
    }
    void add(long count) { numbers_.push_back(static_cast<double>(count)); }
    long count() { return static_cast<long>(next()); }
    Positions rows() {
        const long rows = count();
        if (rows < 0 || static_cast<size_t>(3 * rows) > numbers_.size() - next_) fail();
        const Positions taken = Eigen::Map<const Positions>(numbers_.data() + next_, rows, 3);
        next_ += static_cast<size_t>(3 * rows);
        return taken;
    }
    std::vector<std::byte> bytes() const {
        std::vector<std::byte> bytes(numbers_.size() * sizeof(double));
        std::memcpy(bytes.data(), numbers_.data(), bytes.size());
        return bytes;
    }

private:
    double next() {
        if (next_ >= numbers_.size()) fail();
        return numbers_[next_++];
    }
    [[noreturn]] static void fail() {
        throw Error("the cache was made with another projection; start again without --resume");
    }
    std::vector<double> numbers_;
    size_t next_ = 0;
};

void write(const projections::Projected& projected, Numbers& numbers) {
    numbers.add(projected.input);
    numbers.add(projected.positions);
    // Planes come and go; the next projection starts from the forces of edges alone.
    numbers.add(Positions(projected.multipliers.topRows(
        std::max(0L, projected.multipliers.rows() - static_cast<long>(projected.planes.size())))));
    numbers.add(static_cast<long>(projected.stages.size()));
    for (const projections::Projected& stage : projected.stages) write(stage, numbers);
}

projections::Projected read(Numbers& numbers, int depth = 0) {
    projections::Projected projected;
    projected.input = numbers.rows();
    projected.positions = numbers.rows();
    projected.multipliers = numbers.rows();
    const long stages = numbers.count();
    for (long i = 0; i < stages && depth < 2; ++i) projected.stages.push_back(read(numbers, depth + 1));
    return projected;
}

}  // namespace

std::vector<std::byte> to_bytes(const projections::Projected& projected) {
    Numbers numbers;
    write(projected, numbers);
    return numbers.bytes();
}

projections::Projected projected_of(std::span<const std::byte> bytes) {
    Numbers numbers(bytes);
    return read(numbers);
}

}  // namespace tulle::methods

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

#include <deque>
#include <memory>
#include <mutex>

namespace tulle::view {

// The last frames of the first panel, for the others to be compared with. Any thread may ask.
class ReferenceFrames {
public:
    void put(long frame, const Positions& positions) {
        auto kept =
            std::make_shared<const Positions>(positions);  // shared: it may be dropped while it is compared with
        const std::lock_guard lock(mutex_);
        frames_.push_back({frame, std::move(kept)});
        if (frames_.size() > most) frames_.pop_front();
    }
    std::shared_ptr<const Positions> find(long frame) const {
        const std::lock_guard lock(mutex_);
        for (auto kept = frames_.rbegin(); kept != frames_.rend(); ++kept)
            if (kept->frame == frame) return kept->positions;
        return nullptr;
    }

private:
    static constexpr size_t most = 6;
    struct Kept {
        long frame;
        std::shared_ptr<const Positions> positions;
    };
    mutable std::mutex mutex_;
    std::deque<Kept> frames_;
};

}  // namespace tulle::view

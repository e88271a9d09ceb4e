// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/view/client_message.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tulle::view {

// Shared, because several clients are sent the same bytes and none knows who is last.
using SharedBytes = std::shared_ptr<const std::string>;

struct ShownFrame {
    int panel = 0;
    long number = 0;
    std::uint64_t inputs = 0;  // how many inputs of the session it shows
    SharedBytes bytes;
};

// What is still to be sent to one client. Frames and status: the newest wins; of a panel at most two frames are under
// way that the client has not acknowledged. So its size is bounded whatever the client does.
class Outbox {
public:
    struct Item {
        SharedBytes bytes;
        bool is_binary = false;
        std::optional<std::uint32_t> seq;  // of a frame: what its header must say
    };

    void put_text(SharedBytes text) { queue_.push_back({std::move(text), false, {}}); }
    void put_binary(SharedBytes bytes) { queue_.push_back({std::move(bytes), true, {}}); }
    void put_status(SharedBytes status) { status_ = std::move(status); }
    void put_frame(const ShownFrame& frame) { panels_.at(static_cast<size_t>(frame.panel)).newest = frame; }
    bool ack(const AckMessage& ack);  // false: no such frame is under way
    // Panels were exchanged: frames that were under way no longer count.
    void forget_frames();
    // The client's own number of an input, and the session's.
    void note_input(std::uint32_t seq, std::uint64_t number) { inputs_.push_back({seq, number}); }

    std::optional<Item> next();                              // what may be sent now
    bool is_overfull() const { return queue_.size() > 64; }  // the client does not read

private:
    struct PanelFrames {
        std::optional<ShownFrame> newest;
        std::vector<long> under_way;
    };
    struct NotedInput {
        std::uint32_t seq;
        std::uint64_t number;
    };
    std::uint32_t seq_shown_by(const ShownFrame& frame);

    std::deque<Item> queue_;
    SharedBytes status_;
    std::array<PanelFrames, most_panels> panels_;
    size_t next_panel_ = 0;
    std::deque<NotedInput> inputs_;  // not yet shown by all panels
    std::array<std::uint32_t, most_panels> seq_shown_{};
};

}  // namespace tulle::view

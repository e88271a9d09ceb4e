// SPDX-License-Identifier: Apache-2.0
#include "tulle/view/outbox.h"

#include <algorithm>
#include <utility>

namespace tulle::view {

namespace {

constexpr size_t most_under_way = 2;
constexpr size_t most_inputs = 4096;  // a client whose frames stand still forgets when it said what

}  // namespace

bool Outbox::ack(const AckMessage& ack) {
    return std::erase(panels_.at(static_cast<size_t>(ack.panel)).under_way, ack.frame) > 0;
}

void Outbox::forget_frames() {
    for (PanelFrames& panel : panels_) panel = {};
}

std::uint32_t Outbox::seq_shown_by(const ShownFrame& frame) {
    while (inputs_.size() > most_inputs) inputs_.pop_front();
    std::uint32_t& shown = seq_shown_.at(static_cast<size_t>(frame.panel));
    for (const NotedInput& input : inputs_)
        if (input.number <= frame.inputs) shown = std::max(shown, input.seq);
    return shown;
}

std::optional<Outbox::Item> Outbox::next() {
    if (!queue_.empty()) {
        Item item = std::move(queue_.front());
        queue_.pop_front();
        return item;
    }
    if (status_) return Item{std::exchange(status_, nullptr), false, {}};
    for (size_t i = 0; i < panels_.size(); ++i) {
        PanelFrames& panel = panels_[(next_panel_ + i) % panels_.size()];
        if (!panel.newest || panel.under_way.size() >= most_under_way) continue;
        next_panel_ = (next_panel_ + i + 1) % panels_.size();
        const ShownFrame frame = *std::exchange(panel.newest, std::nullopt);
        panel.under_way.push_back(frame.number);
        return Item{frame.bytes, true, seq_shown_by(frame)};
    }
    return std::nullopt;
}

}  // namespace tulle::view

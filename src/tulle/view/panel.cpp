// SPDX-License-Identifier: Apache-2.0
#include "tulle/view/panel.h"

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"

#include <algorithm>
#include <utility>

namespace tulle::view {

namespace {

constexpr size_t most_waiting = 2000;  // inputs

// An input that makes the one before it pointless.
bool supersedes(const live::Input& next, const live::Input& before) {
    if (next.index() != before.index()) return false;
    if (const auto* drag = std::get_if<live::DragInput>(&next))
        return drag->pointer == std::get<live::DragInput>(before).pointer;
    if (const auto* collider = std::get_if<live::ColliderInput>(&next))
        return collider->name == std::get<live::ColliderInput>(before).name;
    if (const auto* joint = std::get_if<live::JointInput>(&next))
        return joint->name == std::get<live::JointInput>(before).name;
    return std::holds_alternative<live::WindInput>(next) || std::holds_alternative<live::GravityInput>(next);
}

}  // namespace

struct Panel::Orders {
    bool ends = false;
    bool restarts = false;
    bool shows = false;
    int steps = 0;
    std::optional<long> seek;
    std::optional<ColorMode> color;
    std::vector<live::Input> inputs;
    std::uint64_t inputs_number = 0;
    std::unique_ptr<PanelSource> source;
    std::vector<std::promise<Snapshot>> snapshots;

    bool is_urgent() const {
        return ends || restarts || shows || seek || color || source || !snapshots.empty() || steps > 0;
    }
};

Panel::Panel(std::unique_ptr<PanelSource> source, PanelSettings settings)
    : settings_(std::move(settings)),
      source_(std::move(source)),
      strain_(source_->rest()),
      orders_(std::make_unique<Orders>()),
      is_playing_(settings_.is_playing),
      speed_(settings_.speed),
      status_taken_(Clock::now()) {
    orders_->shows = true;
    begin_pace();
    thread_ = std::thread([this] { run(); });
}

Panel::~Panel() {
    {
        const std::lock_guard lock(mutex_);
        orders_->ends = true;
    }
    changed_.notify_all();
    thread_.join();
}

void Panel::begin_pace() {
    pace_start_ = Clock::now();
    paced_frames_ = 0;
}

void Panel::play(bool is_playing) {
    const std::lock_guard lock(mutex_);
    is_playing_ = is_playing;
    if (is_playing && is_over_ && status_.message.empty()) orders_->restarts = true;  // recorded frames, once more
    begin_pace();
    changed_.notify_all();
}

void Panel::step() {
    const std::lock_guard lock(mutex_);
    is_playing_ = false;
    orders_->steps = std::min(orders_->steps + 1, 100);
    changed_.notify_all();
}

void Panel::restart(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    orders_->restarts = true;
    orders_->inputs_number = number;
    changed_.notify_all();
}

void Panel::seek(long frame) {
    const std::lock_guard lock(mutex_);
    orders_->seek = frame;
    changed_.notify_all();
}

void Panel::set_speed(double speed) {
    const std::lock_guard lock(mutex_);
    speed_ = speed;
    begin_pace();
    changed_.notify_all();
}

void Panel::set_color(ColorMode color) {
    const std::lock_guard lock(mutex_);
    orders_->color = color;
    changed_.notify_all();
}

void Panel::add_input(live::Input input, std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    std::vector<live::Input>& waiting = orders_->inputs;
    if (!waiting.empty() && supersedes(input, waiting.back())) waiting.pop_back();
    if (waiting.size() >= most_waiting) throw Error("too much was done while the cloth stands still; let it play");
    waiting.push_back(std::move(input));
    orders_->inputs_number = number;
}

void Panel::replace(std::unique_ptr<PanelSource> source) {
    const std::lock_guard lock(mutex_);
    orders_->source = std::move(source);
    changed_.notify_all();
}

void Panel::show_again() {
    const std::lock_guard lock(mutex_);
    orders_->shows = true;
    changed_.notify_all();
}

std::future<Snapshot> Panel::snapshot() {
    const std::lock_guard lock(mutex_);
    orders_->snapshots.emplace_back();
    changed_.notify_all();
    return orders_->snapshots.back().get_future();
}

std::optional<live::Recording> Panel::recording() {
    const std::lock_guard lock(mutex_);
    return source_->recording();
}

PanelStatus Panel::take_status() {
    const std::lock_guard lock(mutex_);
    const double seconds = std::chrono::duration<double>(Clock::now() - status_taken_).count();
    constexpr double long_enough = 0.15;  // [s] to count frames
    PanelStatus taken = status_;
    if (seconds < long_enough) {
        taken.frames_per_second = last_means_.frames_per_second;
        taken.milliseconds = last_means_.milliseconds;
        taken.stages = last_means_.stages;
        return taken;
    }
    const auto frames = static_cast<double>(frames_since_);
    taken.frames_per_second = seconds > 0 ? frames / seconds : 0;
    if (frames_since_ > 0) {
        taken.milliseconds /= frames;
        for (auto& [stage, milliseconds] : taken.stages) milliseconds /= frames;
    }
    status_.milliseconds = 0;
    status_.stages.clear();
    frames_since_ = 0;
    status_taken_ = Clock::now();
    last_means_ = taken;
    return taken;
}

Panel::Clock::time_point Panel::due() const {
    const double seconds = static_cast<double>(paced_frames_ + 1) / (source_->frame_rate() * speed_);
    return pace_start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

bool Panel::wait(Orders& orders) {
    std::unique_lock lock(mutex_);
    while (!orders_->is_urgent()) {
        if (!is_playing_ || is_over_) {
            changed_.wait(lock);
            continue;
        }
        const Clock::time_point next = due();
        const Clock::time_point now = Clock::now();
        if (now >= next) {
            // What cannot be kept up with is not caught up with either.
            constexpr auto most_behind = std::chrono::milliseconds(250);
            if (now - next > most_behind) begin_pace();
            ++paced_frames_;
            orders_->steps = 1;
            break;
        }
        changed_.wait_until(lock, next);
    }
    orders = std::exchange(*orders_, Orders());
    if (orders.steps == 0 && !orders.restarts) {  // inputs wait for the frame that shows them
        orders_->inputs = std::exchange(orders.inputs, {});
        orders_->inputs_number = orders.inputs_number;
    }
    return !orders.ends;
}

void Panel::run() {
    set_thread_count(settings_.threads);
    Orders orders;
    while (wait(orders)) {
        carry_out(orders);
        show();
    }
}

void Panel::carry_out(Orders& orders) {
    try {
        if (orders.source) {
            orders.source->go_on_from(*source_);
            const std::lock_guard lock(mutex_);
            std::swap(source_, orders.source);
            is_over_ = false;
            status_.message.clear();
        }
        if (orders.color) settings_.color = *orders.color, scale_ = 0;
        if (orders.restarts) source_->restart();
        if (orders.seek) source_->seek(*orders.seek);
        if (orders.restarts || orders.seek) {
            is_jump_ = true;
            const std::lock_guard lock(mutex_);
            is_over_ = false;
            status_.message.clear();
            begin_pace();
        }
    } catch (const std::exception& error) {
        settings_.on_problem(error.what());
    }
    for (const live::Input& input : orders.inputs) try {
            source_->apply(input);
        } catch (const Error& error) {
            settings_.on_problem(error.what());
        }
    if (orders.steps > 0 || orders.restarts) inputs_shown_ = std::max(inputs_shown_, orders.inputs_number);
    for (int i = 0; i < orders.steps; ++i) advance();
    for (std::promise<Snapshot>& promise : orders.snapshots) promise.set_value(make_snapshot());
}

void Panel::advance() {
    StageTimes stages;
    std::string problem;
    bool has_more = false;
    const Stopwatch watch;
    try {
        has_more = source_->advance(stages);
    } catch (const std::exception& error) {
        problem = fmt::format("{}; restart it", error.what());
    }
    const double milliseconds = watch.milliseconds();
    const std::lock_guard lock(mutex_);
    if (!has_more) {
        is_over_ = true;
        status_.message = problem;
        return;
    }
    status_.milliseconds += milliseconds;
    accumulate(status_.stages, stages);
    ++frames_since_;
}

}  // namespace tulle::view

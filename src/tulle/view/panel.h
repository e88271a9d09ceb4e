// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/render/strain.h"
#include "tulle/view/outbox.h"
#include "tulle/view/panel_source.h"
#include "tulle/view/reference_frames.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

namespace tulle::view {

// A moment of a panel, for a picture.
struct Snapshot {
    std::string title;
    geometry::TriangleMesh rest;
    Positions positions;
    std::vector<geometry::TriangleMesh> colliders;  // where they are
};

struct PanelStatus {
    long frame = 0;
    double time = 0;  // [s]
    double frames_per_second = 0;
    double milliseconds = 0;  // mean of a frame
    StageTimes stages;        // likewise
    double worst_stretch = 0;
    std::string message;  // why it stands still; empty: it does not
};

struct PanelSettings {
    int index = 0;
    std::uint32_t topology = 0;
    int threads = 1;
    bool is_playing = true;
    double speed = 1;
    ColorMode color = ColorMode::Fabric;
    ReferenceFrames& reference;                   // must outlive the panel
    std::function<void(ShownFrame)> on_frame;     // called by the panel's own thread
    std::function<void(std::string)> on_problem;  // likewise: an input that did not fit
};

// One cloth that runs on a thread of its own, at the pace of the clock, whoever looks.
class Panel {
public:
    Panel(std::unique_ptr<PanelSource> source, PanelSettings settings);
    ~Panel();
    Panel(const Panel&) = delete;
    Panel& operator=(const Panel&) = delete;

    void play(bool is_playing);
    void step();
    void restart(std::uint64_t number);
    void seek(long frame);
    void set_speed(double speed);
    void set_color(ColorMode color);
    // `number`: the session's count, which frames that show the input carry. Throws an Error if too many wait.
    void add_input(live::Input input, std::uint64_t number);
    // From the next frame on. It goes on from the old one where it can.
    void replace(std::unique_ptr<PanelSource> source);
    void show_again();  // the same frame, for a client that has come
    PanelStatus take_status();
    std::future<Snapshot> snapshot();
    std::optional<live::Recording> recording();

private:
    struct Orders;
    using Clock = std::chrono::steady_clock;

    void run();
    bool wait(Orders& orders);  // false: end
    void carry_out(Orders& orders);
    void advance();
    void show();
    Scalars scalars(const ShownCloth& cloth);
    void measure_stretch(const Positions& positions);
    Snapshot make_snapshot() const;
    Clock::time_point due() const;
    void begin_pace();

    PanelSettings settings_;
    std::unique_ptr<PanelSource> source_;  // of the thread; exchanged under the mutex
    render::EdgeStrain strain_;
    double scale_ = 0;  // of the colours, moves slowly
    std::uint64_t inputs_shown_ = 0;
    bool is_jump_ = true;
    Clock::time_point stretch_measured_;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::unique_ptr<Orders> orders_;  // what is still to be done
    bool is_playing_;
    bool is_over_ = false;  // failed, or at the last recorded frame
    double speed_;
    Clock::time_point pace_start_;
    long paced_frames_ = 0;
    PanelStatus status_;  // sums since it was taken last
    PanelStatus last_means_;
    long frames_since_ = 0;
    Clock::time_point status_taken_;
    std::thread thread_;
};

}  // namespace tulle::view

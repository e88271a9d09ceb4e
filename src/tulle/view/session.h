// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/view/outbox.h"
#include "tulle/view/session_text.h"
#include "tulle/view/stage.h"
#include "tulle/view/worker.h"

#include <atomic>
#include <functional>
#include <set>

namespace tulle::view {

// Somebody who looks.
class Client {
public:
    virtual ~Client() = default;
    virtual void wake() = 0;  // its outbox has something new

    Outbox& outbox() { return outbox_; }

private:
    Outbox outbox_;
};

struct SessionSettings {
    StagePlan plan;
    std::filesystem::path save_to = "out";
    int threads = 2;  // for all panels together
};

// What all clients see and may change. All calls come from one thread, on which `post` runs what other threads hand it.
class Session {
public:
    using Post = std::function<void(std::function<void()>)>;

    // Throws an Error if the scene, a method or a cache cannot be used.
    Session(SessionSettings settings, Post post);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    void attach(Client& client);
    void detach(Client& client);
    void receive(Client& client, const ClientMessage& message);
    void send_status();  // to be called several times a second

private:
    // The newest frame of a panel on its way from the panel's thread to this one.
    struct Gate {
        std::mutex mutex;
        std::optional<ShownFrame> newest;
        bool is_posted = false;
    };

    void open(PreparedStage stage);
    void exchange(PreparedStage stage);
    void start_panels();
    void introduce(Client& client);
    void tell_all(const std::string& text);
    void on_frame(ShownFrame frame);
    void deliver(int panel);
    void prepare_in_background(StagePlan plan, std::string busy, std::optional<std::uint32_t> seq);
    void act(Client& client, const ClientMessage& message);
    void add_input(const live::Input& input);
    void set_color(ColorMode color);
    void turn(const live::JointInput& joint);
    const Parameter& parameter_named(const std::string& name) const;
    void set_value(const std::string& name, std::optional<ParameterValue> value, std::optional<std::uint32_t> seq);
    void save(const SaveMessage& wish, std::optional<std::uint32_t> seq);
    void rebuild(StagePlan plan, std::optional<std::uint32_t> seq);

    void handle(const AckMessage&, Client&, const ClientMessage&) {}  // its connection has seen to it
    void handle(const PlayMessage&, Client&, const ClientMessage&);
    void handle(const PauseMessage&, Client&, const ClientMessage&);
    void handle(const StepMessage&, Client&, const ClientMessage&);
    void handle(const RestartMessage&, Client&, const ClientMessage&);
    void handle(const SpeedMessage&, Client&, const ClientMessage&);
    void handle(const SeekMessage&, Client&, const ClientMessage&);
    void handle(const OpenMessage&, Client&, const ClientMessage&);
    void handle(const MethodsMessage&, Client&, const ClientMessage&);
    void handle(const GrabMessage&, Client&, const ClientMessage&);
    void handle(const live::DragInput&, Client&, const ClientMessage&);
    void handle(const live::ReleaseInput&, Client&, const ClientMessage&);
    void handle(const ColliderMessage&, Client&, const ClientMessage&);
    void handle(const JointMessage&, Client&, const ClientMessage&);
    void handle(const SetMessage&, Client&, const ClientMessage&);
    void handle(const ResetMessage&, Client&, const ClientMessage&);
    void handle(const ClipMessage&, Client&, const ClientMessage&);
    void handle(const ColorMessage&, Client&, const ClientMessage&);
    void handle(const SaveMessage&, Client&, const ClientMessage&);

    SessionSettings settings_;
    Post post_;
    std::vector<ListedScene> scenes_;
    PreparedStage stage_;                     // its sources have gone into the panels
    StagePlan wanted_;                        // what is shown, or being prepared
    ParameterValues values_;                  // all that differ from the scene
    std::map<std::string, Vector3> offsets_;  // [m]
    std::map<std::string, Vector3> joints_;   // [rad] of those that were turned
    bool is_playing_ = true;
    double speed_ = 1;
    ColorMode color_ = ColorMode::Fabric;
    std::string busy_;
    std::uint64_t inputs_ = 0;        // so far
    std::uint64_t preparations_ = 0;  // so far; only the newest counts
    std::uint32_t next_topology_ = 1;
    std::vector<SharedBytes> topologies_;
    std::set<Client*> clients_;
    std::array<Gate, most_panels> gates_;
    std::atomic<bool> ends_ = false;
    ReferenceFrames reference_;
    std::vector<std::unique_ptr<Panel>> panels_;
    Worker builder_, saver_;  // first to end
};

}  // namespace tulle::view

// SPDX-License-Identifier: Apache-2.0
#include "tulle/view/session.h"

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"

#include <algorithm>
#include <utility>

namespace tulle::view {

namespace {

SharedBytes shared(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

// The same cloths in the same panels: they can go on where they are.
bool is_same_cloth(const PreparedStage& a, const PreparedStage& b) {
    if (a.plan.scene != b.plan.scene || a.plan.clip != b.plan.clip || a.panels.size() != b.panels.size()) return false;
    for (size_t i = 0; i < a.panels.size(); ++i)
        if (a.panels[i].vertices != b.panels[i].vertices || a.panels[i].triangles != b.panels[i].triangles)
            return false;
    return true;
}

}  // namespace

Session::Session(SessionSettings settings, Post post)
    : settings_(std::move(settings)), post_(std::move(post)), wanted_(settings_.plan) {
    if (!wanted_.scene.empty()) {
        const std::filesystem::path folder = wanted_.scene.parent_path();
        scenes_ = list_scenes(folder.empty() ? "." : folder);
    }
    open(prepare(wanted_));
}

Session::~Session() { ends_ = true; }

void Session::open(PreparedStage stage) {
    panels_.clear();
    const bool is_other = stage.plan.scene != stage_.plan.scene;
    stage_ = std::move(stage);
    if (is_other) {
        offsets_.clear();
        joints_.clear();
        values_ = stage_.plan.values;
    }
    if (is_other || !offers(stage_, color_)) color_ = ColorMode::Fabric;
    for (const ColliderOutline& collider : stage_.colliders)
        if (collider.is_movable) offsets_.try_emplace(collider.name, Vector3::Zero());
    topologies_.clear();
    for (size_t i = 0; i < stage_.panels.size(); ++i) {
        stage_.panels[i].topology = next_topology_++;
        topologies_.push_back(shared(encode(TopologyMessage{
            .panel = static_cast<int>(i), .topology = stage_.panels[i].topology, .mesh = stage_.sources[i]->rest()})));
    }
    stage_.first_collider_topology = next_topology_;
    next_topology_ += static_cast<std::uint32_t>(stage_.colliders.size());
    for (size_t i = 0; i < stage_.colliders.size(); ++i)
        if (const ColliderOutline& collider = stage_.colliders[i]; collider.kind != ColliderOutline::Kind::Plane)
            topologies_.push_back(
                shared(encode(TopologyMessage{.panel = collider_panel,
                                              .topology = stage_.first_collider_topology + static_cast<uint32_t>(i),
                                              .collider = static_cast<std::uint32_t>(i),
                                              .mesh = collider.mesh,
                                              .with_positions = collider.kind == ColliderOutline::Kind::Rigid})));
    for (Client* client : clients_) introduce(*client);
    start_panels();
}

void Session::start_panels() {
    const int threads = std::max(1, settings_.threads / static_cast<int>(stage_.sources.size()));
    for (size_t i = 0; i < stage_.sources.size(); ++i)
        panels_.push_back(std::make_unique<Panel>(
            std::move(stage_.sources[i]),
            PanelSettings{.index = static_cast<int>(i),
                          .topology = stage_.panels[i].topology,
                          .threads = threads,
                          .is_playing = is_playing_,
                          .speed = speed_,
                          .color = color_,
                          .reference = reference_,
                          .on_frame = [this](ShownFrame frame) { on_frame(std::move(frame)); },
                          .on_problem =
                              [this](std::string problem) {
                                  post_([this, problem = std::move(problem)] { tell_all(error_text(problem, {})); });
                              }}));
    stage_.sources.clear();
    if (const auto wind = values_.find("wind"); wind != values_.end())
        add_input(live::WindInput{std::get<Vector3>(wind->second)});
    if (const auto gravity = values_.find("gravity"); gravity != values_.end())
        add_input(live::GravityInput{std::get<Vector3>(gravity->second)});
    for (const auto& [name, offset] : offsets_)
        if (offset != Vector3::Zero()) add_input(live::ColliderInput{name, offset});
    for (const auto& [name, angles] : joints_) add_input(live::JointInput{name, angles});
}

// The panels run on, each with its new source from its next frame on.
void Session::exchange(PreparedStage stage) {
    if (!is_same_cloth(stage, stage_)) return open(std::move(stage));
    for (size_t i = 0; i < panels_.size(); ++i) {
        stage.panels[i].topology = stage_.panels[i].topology;
        panels_[i]->replace(std::move(stage.sources[i]));
    }
    stage.first_collider_topology = stage_.first_collider_topology;
    stage.sources.clear();
    stage_ = std::move(stage);
    if (!offers(stage_, color_)) set_color(ColorMode::Fabric);
    for (Client* client : clients_) introduce(*client);
}

void Session::prepare_in_background(StagePlan plan, std::string busy, std::optional<std::uint32_t> seq) {
    wanted_ = plan;
    busy_ = std::move(busy);
    const std::uint64_t number = ++preparations_;
    const auto finish = [this, number](const std::function<void()>& then) {
        post_([this, number, then] {
            if (number != preparations_) return;  // something newer is being prepared
            busy_.clear();
            then();
            send_status();
        });
    };
    builder_.do_only([this, plan = std::move(plan), seq, finish] {
        set_thread_count(1);  // the panels have the rest
        try {
            // Shared, because a std::function must be copyable.
            const auto stage = std::make_shared<PreparedStage>(prepare(plan));
            finish([this, stage] {
                const std::string note = stage->note;
                exchange(std::move(*stage));
                wanted_ = stage_.plan;
                if (!note.empty()) tell_all(note_text(note));
            });
        } catch (const std::exception& error) {
            const std::string sentence = error.what();
            finish([this, sentence, seq] {
                wanted_ = stage_.plan;
                for (const auto& parameter : stage_.parameters)  // what could not be done is not so
                    if (parameter.rebuilds) values_.erase(parameter.name);
                for (const auto& [name, value] : stage_.plan.values) values_[name] = value;
                tell_all(error_text(sentence, seq));
            });
        }
    });
    send_status();
}

void Session::attach(Client& client) {
    clients_.insert(&client);
    client.outbox().put_text(
        shared(hello_text(scenes_, std::filesystem::absolute(settings_.save_to).lexically_normal().string())));
    introduce(client);
    for (const auto& panel : panels_) panel->show_again();
    send_status();
}

void Session::detach(Client& client) { clients_.erase(&client); }

void Session::introduce(Client& client) {
    client.outbox().forget_frames();
    client.outbox().put_text(shared(scene_text(stage_, values_)));
    for (const SharedBytes& topology : topologies_) client.outbox().put_binary(topology);
    client.wake();
}

void Session::tell_all(const std::string& text) {
    const SharedBytes bytes = shared(text);
    for (Client* client : clients_) {
        client->outbox().put_text(bytes);
        client->wake();
    }
}

void Session::send_status() {
    StatusFacts facts{.is_playing = is_playing_,
                      .speed = speed_,
                      .color = color_,
                      .busy = busy_,
                      .values = {},
                      .offsets = offsets_,
                      .joints = joints_,
                      .clients = clients_.size(),
                      .panels = {}};
    for (const Parameter& parameter : stage_.parameters) {
        const auto found = values_.find(parameter.name);
        facts.values[parameter.name] = found == values_.end() ? parameter.fallback : found->second;
    }
    for (const auto& panel : panels_) facts.panels.push_back(panel->take_status());
    const SharedBytes text = shared(status_text(facts));
    for (Client* client : clients_) {
        client->outbox().put_status(text);
        client->wake();
    }
}

// Called by the threads of the panels. However slow the other thread is, one frame waits for it at most.
void Session::on_frame(ShownFrame frame) {
    const int panel = frame.panel;
    Gate& gate = gates_[static_cast<size_t>(panel)];
    const std::lock_guard lock(gate.mutex);
    gate.newest = std::move(frame);
    if (std::exchange(gate.is_posted, true)) return;
    post_([this, panel] { deliver(panel); });
}

void Session::deliver(int panel) {
    std::optional<ShownFrame> frame;
    {
        Gate& gate = gates_[static_cast<size_t>(panel)];
        const std::lock_guard lock(gate.mutex);
        gate.is_posted = false;
        frame = std::exchange(gate.newest, std::nullopt);
    }
    for (Client* client : clients_) {
        client->outbox().put_frame(*frame);
        client->wake();
    }
}

}  // namespace tulle::view

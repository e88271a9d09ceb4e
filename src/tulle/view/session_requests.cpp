// SPDX-License-Identifier: Apache-2.0
// What a session does when a page asks for something.
#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/scene/method.h"
#include "tulle/view/saving.h"
#include "tulle/view/session.h"

#include <fmt/format.h>

#include <algorithm>

namespace tulle::view {

namespace {

const char* word(SaveKind kind) {
    constexpr const char* words[] = {"cache", "picture", "gltf"};
    return words[static_cast<int>(kind)];
}

}  // namespace

void Session::receive(Client& client, const ClientMessage& message) {
    ++inputs_;
    if (message.seq) client.outbox().note_input(*message.seq, inputs_);
    try {
        act(client, message);
    } catch (const Error& error) {
        client.outbox().put_text(std::make_shared<const std::string>(error_text(error.what(), message.seq)));
        client.wake();
    }
}

void Session::act(Client& client, const ClientMessage& message) {
    std::visit([&](const auto& body) { handle(body, client, message); }, message.body);
}

void Session::add_input(const live::Input& input) {
    for (const auto& panel : panels_) panel->add_input(input, inputs_);
}

void Session::handle(const PlayMessage&, Client&, const ClientMessage&) {
    is_playing_ = true;
    for (const auto& panel : panels_) panel->play(true);
    send_status();
}

void Session::handle(const PauseMessage&, Client&, const ClientMessage&) {
    is_playing_ = false;
    for (const auto& panel : panels_) panel->play(false);
    send_status();
}

void Session::handle(const StepMessage&, Client&, const ClientMessage&) {
    is_playing_ = false;
    for (const auto& panel : panels_) panel->step();
    send_status();
}

void Session::handle(const RestartMessage&, Client&, const ClientMessage&) {
    for (const auto& panel : panels_) panel->restart(inputs_);
    send_status();
}

void Session::handle(const SpeedMessage& speed, Client&, const ClientMessage&) {
    speed_ = speed.value;
    for (const auto& panel : panels_) panel->set_speed(speed_);
    send_status();
}

void Session::handle(const SeekMessage& seek, Client&, const ClientMessage&) {
    if (stage_.scene)
        throw Error("only recorded frames can be sought; restart, or open a cache with `tulle view X.h5`");
    for (const auto& panel : panels_) panel->seek(seek.frame);
}

void Session::handle(const OpenMessage& open, Client&, const ClientMessage& message) {
    const auto found = std::find_if(scenes_.begin(), scenes_.end(),
                                    [&](const ListedScene& scene) { return scene.name == open.scene; });
    if (found == scenes_.end()) throw Error("there is no scene '{}'", open.scene);
    prepare_in_background({.scene = found->file, .methods = wanted_.methods, .leaves_out_misfits = true},
                          fmt::format("preparing {}", found->name), message.seq);
}

void Session::handle(const MethodsMessage& methods, Client&, const ClientMessage& message) {
    if (!stage_.scene) throw Error("these frames are recorded; open a scene to choose methods");
    for (const std::string& method : methods.methods) static_cast<void>(scene::parse_method(method));
    StagePlan plan = wanted_;
    plan.methods = methods.methods;
    rebuild(std::move(plan), message.seq);
}

void Session::rebuild(StagePlan plan, std::optional<std::uint32_t> seq) {
    const int vertices = stage_.panels.front().vertices;
    prepare_in_background(plan, fmt::format("factorising {} vertices for {}", vertices, fmt::join(plan.methods, ", ")),
                          seq);
}

void Session::handle(const GrabMessage& grab, Client&, const ClientMessage&) {
    if (!stage_.is_grabbable)
        throw Error(stage_.scene ? "a garment that a network infers from the pose cannot be grabbed; choose admm"
                                 : "recorded frames cannot be grabbed; open a scene");
    if (static_cast<size_t>(grab.panel) >= panels_.size() || grab.input.triangle >= stage_.panels.front().triangles)
        throw Error("there is no triangle {} in panel {}", grab.input.triangle, grab.panel);
    for (size_t i = 0; i < panels_.size(); ++i)
        if (grab.everywhere || i == static_cast<size_t>(grab.panel)) panels_[i]->add_input(grab.input, inputs_);
}

void Session::handle(const live::DragInput& drag, Client&, const ClientMessage&) { add_input(drag); }
void Session::handle(const live::ReleaseInput& release, Client&, const ClientMessage&) { add_input(release); }

void Session::handle(const ColliderMessage& collider, Client&, const ClientMessage&) {
    const auto found = offsets_.find(collider.input.name);
    if (found == offsets_.end()) throw Error("there is no collider '{}' that can be moved", collider.input.name);
    found->second = collider.input.offset;
    add_input(collider.input);
}

void Session::handle(const JointMessage& joint, Client&, const ClientMessage&) {
    if (!stage_.body) throw Error("there is no body here");
    live::require_turnable(stage_.body->joints, joint.input.name, joint.input.angles);
    turn(joint.input);
    send_status();
}

void Session::turn(const live::JointInput& joint) {
    joints_.erase(joint.name);
    if (joint.angles != Vector3::Zero()) joints_[joint.name] = joint.angles;
    add_input(joint);
}

const Parameter& Session::parameter_named(const std::string& name) const {
    const auto found = std::find_if(stage_.parameters.begin(), stage_.parameters.end(),
                                    [&](const Parameter& parameter) { return parameter.name == name; });
    if (found == stage_.parameters.end()) throw Error("there is nothing called '{}' to set here", name);
    return *found;
}

void Session::set_value(const std::string& name, std::optional<ParameterValue> value,
                        std::optional<std::uint32_t> seq) {
    const Parameter& parameter = parameter_named(name);
    if (value) check_value(parameter, *value);
    const ParameterValue now = value.value_or(parameter.fallback);
    values_.erase(name);
    if (now != parameter.fallback) values_[name] = now;
    if (name == "wind") return add_input(live::WindInput{std::get<Vector3>(now)});
    if (name == "gravity") return add_input(live::GravityInput{std::get<Vector3>(now)});
    StagePlan plan = wanted_;
    plan.values = values_;
    plan.values.erase("wind");
    plan.values.erase("gravity");
    if (plan.values != wanted_.values) rebuild(std::move(plan), seq);
}

void Session::handle(const SetMessage& set, Client&, const ClientMessage& message) {
    set_value(set.name, set.value, message.seq);
    send_status();
}

void Session::handle(const ResetMessage& reset, Client&, const ClientMessage& message) {
    if (reset.name) {
        set_value(*reset.name, {}, message.seq);
    } else {
        const std::vector<Parameter> all = stage_.parameters;
        for (const Parameter& parameter : all) set_value(parameter.name, {}, message.seq);
        for (auto& [name, offset] : offsets_) {
            offset = Vector3::Zero();
            add_input(live::ColliderInput{name, offset});
        }
        const std::map<std::string, Vector3> turned = joints_;
        for (const auto& [name, angles] : turned) turn({name, Vector3::Zero()});
    }
    send_status();
}

void Session::handle(const ClipMessage& clip, Client&, const ClientMessage& message) {
    const bool is_there = stage_.body && std::find(stage_.body->clips.begin(), stage_.body->clips.end(), clip.name) !=
                                             stage_.body->clips.end();
    if (!is_there) throw Error("there is no clip '{}' here", clip.name);
    StagePlan plan = wanted_;
    plan.clip = clip.name;
    rebuild(std::move(plan), message.seq);
}

void Session::handle(const ColorMessage& color, Client&, const ClientMessage&) {
    if (!offers(stage_, color.mode)) throw Error("these panels cannot be coloured so");
    set_color(color.mode);
    send_status();
}

void Session::set_color(ColorMode color) {
    color_ = color;
    for (const auto& panel : panels_) panel->set_color(color);
}

void Session::handle(const SaveMessage& wish, Client&, const ClientMessage& message) { save(wish, message.seq); }

void Session::save(const SaveMessage& wish, std::optional<std::uint32_t> seq) {
    const auto index = static_cast<size_t>(wish.panel);
    if (index >= panels_.size()) throw Error("there is no panel {}", wish.panel);
    const std::string name = stage_.name + "-" + stage_.panels[index].title;
    const bool is_picture = wish.what == SaveKind::Picture;
    const std::optional<live::Recording> recording = is_picture ? std::nullopt : panels_[index]->recording();
    if (!recording && wish.what == SaveKind::Cache) throw Error("these frames are a cache already");
    const std::filesystem::path cache = stage_.scene ? std::filesystem::path() : stage_.plan.caches[index];
    // Shared, because a std::function must be copyable.
    const auto snapshot = std::make_shared<std::future<Snapshot>>();
    if (is_picture) *snapshot = panels_[index]->snapshot();
    const auto write = [=, this, folder = settings_.save_to, is_y_up = stage_.up.y() > 0.5]() -> Saved {
        const auto wants_stop = [this] { return ends_.load(); };
        if (is_picture) return save_picture(snapshot->get(), wish, is_y_up, folder, name);
        if (wish.what == SaveKind::Cache) return save_cache(*recording, folder, name, wants_stop);
        return recording ? save_gltf(*recording, folder, name, wants_stop) : save_gltf(cache, folder, name);
    };
    const bool is_taken = saver_.do_after([this, write, seq, what = std::string(word(wish.what))] {
        set_thread_count(1);
        std::string answer;
        try {
            const Saved saved = write();
            answer = saved_text(what, saved.path.string(), saved.note, seq);
        } catch (const std::future_error&) {
            answer = error_text("the panel went before its picture was taken; save again", seq);
        } catch (const std::exception& error) {
            answer = error_text(error.what(), seq);
        }
        post_([this, answer] { tell_all(answer); });
    });
    if (!is_taken) throw Error("too much is being saved already; wait until it is done");
}

}  // namespace tulle::view

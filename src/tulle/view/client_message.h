// SPDX-License-Identifier: Apache-2.0
// What a page may say, as apps/viewer/PROTOCOL.md lists it. Whoever says anything else is not a page of ours.
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/core/error.h"
#include "tulle/live/inputs.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tulle::view {

inline constexpr size_t longest_message = 4096;  // [bytes]
inline constexpr int deepest_message = 8;        // levels
inline constexpr int most_panels = 4;

// A message that no page of ours sends; the sentence is the reason for closing.
struct BadMessage : Error {
    using Error::Error;
};

enum class ColorMode : std::uint32_t { Fabric = 0, Strain = 1, Speed = 2, PredictedError = 3, Difference = 4 };
enum class SaveKind { Cache, Picture, Gltf };

using ParameterValue = std::variant<double, Vector3, std::string>;

struct AckMessage {
    int panel = 0;
    long frame = 0;
};
struct PlayMessage {};
struct PauseMessage {};
struct StepMessage {};
struct RestartMessage {};
struct SpeedMessage {
    double value = 1;
};
struct SeekMessage {
    long frame = 0;
};
struct OpenMessage {
    std::string scene;
};
struct MethodsMessage {
    std::vector<std::string> methods;
};
struct GrabMessage {
    live::GrabInput input;
    int panel = 0;
    bool everywhere = true;
};
struct ColliderMessage {
    live::ColliderInput input;
};
struct JointMessage {
    live::JointInput input;
};
struct SetMessage {
    std::string name;
    ParameterValue value;
};
struct ResetMessage {
    std::optional<std::string> name;  // none: everything
};
struct ClipMessage {
    std::string name;
};
struct ColorMessage {
    ColorMode mode = ColorMode::Fabric;
};
struct PictureCamera {
    Vector3 eye, target;
    double field_of_view = 35;  // [deg]
};
struct SaveMessage {
    SaveKind what = SaveKind::Cache;
    int panel = 0;
    std::optional<PictureCamera> camera;
    std::array<int, 2> size = {1280, 720};
};

using ClientBody =
    std::variant<AckMessage, PlayMessage, PauseMessage, StepMessage, RestartMessage, SpeedMessage, SeekMessage,
                 OpenMessage, MethodsMessage, GrabMessage, live::DragInput, live::ReleaseInput, ColliderMessage,
                 JointMessage, SetMessage, ResetMessage, ClipMessage, ColorMessage, SaveMessage>;

struct ClientMessage {
    ClientBody body;
    std::optional<std::uint32_t> seq;
};

// Throws BadMessage.
ClientMessage parse_client_message(std::string_view text);

// Lets through so many messages a second, and as many at once.
class RateLimit {
public:
    explicit RateLimit(double per_second) : per_second_(per_second), left_(per_second) {}
    [[nodiscard]] bool take(double now /* [s] */);

private:
    double per_second_;
    double left_;
    double last_ = 0;
};

}  // namespace tulle::view

// SPDX-License-Identifier: Apache-2.0
// What a person does to a running cloth, and the record of it from which the same bits can be had again.
#pragma once

#include "tulle/body/skeleton.h"
#include "tulle/core/arrays.h"

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace tulle::live {

// Takes hold of a point of the cloth that is shown.
struct GrabInput {
    int pointer = 0;                    // which hand; one that holds already lets go first
    int triangle = 0;                   // of the cloth
    Vector3 weights = Vector3::Zero();  // of its corners, with a sum of one
    Vector3 target = Vector3::Zero();   // [m]
};
struct DragInput {
    int pointer = 0;
    Vector3 target = Vector3::Zero();  // [m]
};
struct ReleaseInput {
    int pointer = 0;
};
struct WindInput {
    Vector3 velocity = Vector3::Zero();  // [m/s]
};
struct GravityInput {
    Vector3 acceleration = Vector3::Zero();  // [m/s²]
};
struct ColliderInput {
    std::string name;
    Vector3 offset = Vector3::Zero();  // [m] from where the scene puts it
};
// Turns a joint of the body further than its clip has it.
struct JointInput {
    std::string name;
    body::JointAngles angles = body::JointAngles::Zero();  // [rad]
};
// From here on it is another scene with the same vertices, or another method.
struct RebuildInput {
    std::string scene;  // TOML
    std::string method;
};
using Input =
    std::variant<GrabInput, DragInput, ReleaseInput, WindInput, GravityInput, ColliderInput, JointInput, RebuildInput>;

struct TimedInput {
    long frame = 0;  // after which it acts, 0 at the start
    Input input;
};

struct Recording {
    std::string scene;               // TOML, as it began
    std::filesystem::path folder;    // what file names in the scene are relative to
    std::string method;              // as it began
    long frames = 0;                 // after the first
    std::vector<TimedInput> inputs;  // ascending in frames
};

// JSON; numbers are read back to the same bits. Throws an Error that names `source` for anything else.
std::string to_text(const Recording& recording);
Recording parse_recording(const std::string& text, const std::string& source);

// Beside a cache: out/flag.h5 → out/flag.inputs.json.
std::filesystem::path recording_path(const std::filesystem::path& cache);
void write_recording(const Recording& recording, const std::filesystem::path& path);
// `path`: the recording itself, or the cache it lies beside.
Recording read_recording(const std::filesystem::path& path);

}  // namespace tulle::live

// SPDX-License-Identifier: Apache-2.0
#include "tulle/view/client_message.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <set>

namespace tulle::view {

namespace {

using Json = nlohmann::json;

constexpr double farthest = 1e4;  // [m] of any place that a page may name

// Before the text is parsed, so that no parser ever sees a deep one.
void require_shallow(std::string_view text) {
    int depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < text.size(); ++i) {
        if (in_string && text[i] == '\\')
            ++i;
        else if (text[i] == '"')
            in_string = !in_string;
        else if (!in_string && (text[i] == '{' || text[i] == '['))
            ++depth;
        else if (!in_string && (text[i] == '}' || text[i] == ']'))
            --depth;
        if (depth > deepest_message) throw BadMessage("a message has more than {} levels", deepest_message);
    }
}

// An object whose every key must be asked for.
class Fields {
public:
    explicit Fields(const Json& object) : object_(object) {
        if (!object.is_object()) throw BadMessage("a message must be a JSON object");
    }

    bool has(const char* key) const { return object_.contains(key); }
    const Json& at(const char* key) {
        const auto found = object_.find(key);
        if (found == object_.end()) throw BadMessage("'{}' is missing", key);
        asked_.insert(key);
        return *found;
    }
    double number(const char* key, double least, double most) { return checked(at(key), key, least, most); }
    long integer(const char* key, long least, long most) {
        const Json& value = at(key);
        const bool is_small = value.is_number_unsigned()
                                  ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most)
                                  : value.is_number_integer();
        if (!is_small || value.get<long>() < least || value.get<long>() > most)
            throw BadMessage("'{}' must be a whole number from {} to {}", key, least, most);
        return value.get<long>();
    }
    std::string word(const char* key) { return text_of(at(key), key); }
    bool boolean(const char* key) {
        if (!at(key).is_boolean()) throw BadMessage("'{}' must be true or false", key);
        return at(key).get<bool>();
    }
    Vector3 vector(const char* key, double most = farthest) { return vector_of(at(key), key, most); }
    void finish() const {
        for (const auto& [key, value] : object_.items())
            if (!asked_.contains(key)) throw BadMessage("a message has a key that does not belong there");
    }

    static double checked(const Json& value, const char* key, double least, double most) {
        if (!value.is_number()) throw BadMessage("'{}' must be a number", key);
        const double number = value.get<double>();
        if (!(number >= least - 1e-9 && number <= most + 1e-9))
            throw BadMessage("'{}' must be from {} to {}", key, least, most);
        return std::clamp(number, least, most);
    }
    static std::string text_of(const Json& value, const char* key) {
        if (!value.is_string() || value.get_ref<const std::string&>().size() > 100)
            throw BadMessage("'{}' must be a short text", key);
        return value.get<std::string>();
    }
    static Vector3 vector_of(const Json& value, const char* key, double most) {
        if (!value.is_array() || value.size() != 3) throw BadMessage("'{}' must be three numbers", key);
        return {checked(value[0], key, -most, most), checked(value[1], key, -most, most),
                checked(value[2], key, -most, most)};
    }

private:
    const Json& object_;
    std::set<std::string> asked_;
};

int pointer_of(Fields& fields) { return static_cast<int>(fields.integer("pointer", 0, 9)); }
int panel_of(Fields& fields) { return static_cast<int>(fields.integer("panel", 0, most_panels - 1)); }

template <typename Kind>
Kind choice(Fields& fields, const char* key, const std::map<std::string, Kind>& kinds) {
    const auto found = kinds.find(fields.word(key));
    if (found == kinds.end()) throw BadMessage("'{}' is none of the words that it may be", key);
    return found->second;
}

ClientBody read_methods(Fields& fields) {
    const Json& list = fields.at("methods");
    if (!list.is_array() || list.empty() || list.size() > most_panels)
        throw BadMessage("'methods' must be 1 to {} names", most_panels);
    MethodsMessage message;
    for (const Json& name : list) message.methods.push_back(Fields::text_of(name, "methods"));
    return message;
}

ClientBody read_grab(Fields& fields) {
    constexpr long most_triangles = 1L << 31;
    GrabMessage message{.input = {.pointer = pointer_of(fields),
                                  .triangle = static_cast<int>(fields.integer("triangle", 0, most_triangles - 1)),
                                  .weights = fields.vector("weights", 1.001),
                                  .target = fields.vector("target")},
                        .panel = panel_of(fields),
                        .everywhere = fields.has("everywhere") ? fields.boolean("everywhere") : true};
    const Vector3& weights = message.input.weights;
    if (std::abs(weights.sum() - 1) > 1e-3 || weights.minCoeff() < -1e-3)
        throw BadMessage("'weights' must be at least zero and sum to one");
    return message;
}

ClientBody read_set(Fields& fields) {
    SetMessage message{.name = fields.word("name"), .value = 0.0};
    const Json& value = fields.at("value");
    if (value.is_array())
        message.value = Fields::vector_of(value, "value", farthest);
    else if (value.is_string())
        message.value = Fields::text_of(value, "value");
    else
        message.value = Fields::checked(value, "value", -1e9, 1e9);
    return message;
}

ClientBody read_save(Fields& fields) {
    SaveMessage message{
        .what = choice<SaveKind>(
            fields, "what", {{"cache", SaveKind::Cache}, {"picture", SaveKind::Picture}, {"gltf", SaveKind::Gltf}}),
        .panel = panel_of(fields),
        .camera = {}};
    if (fields.has("camera")) {
        Fields camera(fields.at("camera"));
        message.camera = {.eye = camera.vector("eye"),
                          .target = camera.vector("target"),
                          .field_of_view = camera.number("field_of_view", 1, 150)};
        camera.finish();
    }
    if (fields.has("size")) {
        const Json& size = fields.at("size");
        if (!size.is_array() || size.size() != 2) throw BadMessage("'size' must be two numbers");
        for (size_t i = 0; i < 2; ++i) message.size[i] = static_cast<int>(Fields::checked(size[i], "size", 16, 3840));
    }
    return message;
}

using Reader = std::function<ClientBody(Fields&)>;

const std::map<std::string, Reader>& readers() {
    using live::DragInput, live::ReleaseInput, live::ColliderInput, live::JointInput;
    constexpr long most_frames = 1L << 31;
    static const std::map<std::string, Reader> table = {
        {"ack",
         [](Fields& f) {
             return AckMessage{panel_of(f), f.integer("frame", 0, most_frames)};
         }},
        {"play", [](Fields&) { return PlayMessage{}; }},
        {"pause", [](Fields&) { return PauseMessage{}; }},
        {"step", [](Fields&) { return StepMessage{}; }},
        {"restart", [](Fields&) { return RestartMessage{}; }},
        {"speed", [](Fields& f) { return SpeedMessage{f.number("value", 0.02, 100)}; }},
        {"seek", [](Fields& f) { return SeekMessage{f.integer("frame", 0, most_frames)}; }},
        {"open", [](Fields& f) { return OpenMessage{f.word("scene")}; }},
        {"methods", read_methods},
        {"grab", read_grab},
        {"drag",
         [](Fields& f) {
             return DragInput{pointer_of(f), f.vector("target")};
         }},
        {"release", [](Fields& f) { return ReleaseInput{pointer_of(f)}; }},
        {"collider",
         [](Fields& f) {
             return ColliderMessage{ColliderInput{f.word("name"), f.vector("offset", 10)}};
         }},
        {"joint",
         [](Fields& f) {
             return JointMessage{JointInput{f.word("name"), f.vector("angles", 2 * std::numbers::pi)}};
         }},
        {"set", read_set},
        {"reset", [](Fields& f) { return ResetMessage{f.has("name") ? std::optional(f.word("name")) : std::nullopt}; }},
        {"clip", [](Fields& f) { return ClipMessage{f.word("name")}; }},
        {"color",
         [](Fields& f) {
             return ColorMessage{choice<ColorMode>(f, "mode",
                                                   {{"fabric", ColorMode::Fabric},
                                                    {"strain", ColorMode::Strain},
                                                    {"speed", ColorMode::Speed},
                                                    {"error", ColorMode::PredictedError},
                                                    {"difference", ColorMode::Difference}})};
         }},
        {"save", read_save}};
    return table;
}

}  // namespace

ClientMessage parse_client_message(std::string_view text) {
    if (text.size() > longest_message) throw BadMessage("a message is longer than {} bytes", longest_message);
    require_shallow(text);
    const Json root = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (root.is_discarded()) throw BadMessage("a message is no JSON");
    Fields fields(root);
    const auto reader = readers().find(fields.word("type"));
    if (reader == readers().end()) throw BadMessage("there is no message of that type");
    ClientMessage message{.body = reader->second(fields), .seq = {}};
    if (fields.has("seq"))
        message.seq = static_cast<std::uint32_t>(fields.integer("seq", 0, std::numeric_limits<std::uint32_t>::max()));
    fields.finish();
    return message;
}

bool RateLimit::take(double now) {
    left_ = std::min(per_second_, left_ + (now - last_) * per_second_);
    last_ = now;
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
}

}  // namespace tulle::view

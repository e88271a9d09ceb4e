// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/checkpoint.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tulle::training {

namespace {

using Json = nlohmann::json;
constexpr std::string_view magic = checkpoint_format.beginning;
constexpr size_t frame_size = 24;  // magic, size of the JSON, hash
constexpr size_t largest_header = 64u << 20;

std::uint64_t hash_of(std::string_view bytes) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
    return hash;
}

template <typename T>
void append(std::string& bytes, const T* values, size_t count) {
    const size_t end = bytes.size();
    bytes.resize(end + count * sizeof(T));
    if (count > 0) std::memcpy(bytes.data() + end, values, count * sizeof(T));
}

Json history_to_json(const std::vector<EpochRecord>& history) {
    Json rows = Json::array();
    for (const EpochRecord& r : history)
        rows.push_back({r.epoch, r.samples_seen, r.seconds, r.learning_rate, r.training_loss, r.validation_loss,
                        r.validation_error});
    return rows;
}

std::vector<EpochRecord> history_from_json(const Json& rows) {
    std::vector<EpochRecord> history;
    for (const Json& row : rows)
        history.push_back({.epoch = row.at(0).get<int>(),
                           .samples_seen = row.at(1).get<long>(),
                           .seconds = row.at(2).get<double>(),
                           .learning_rate = row.at(3).get<double>(),
                           .training_loss = row.at(4).get<double>(),
                           .validation_loss = row.at(5).get<double>(),
                           .validation_error = row.at(6).get<double>()});
    return history;
}

Json to_json(const TrainingState& state, const Identity& identity) {
    return {{"format", "tulle-training"},
            {"version", 1},
            {"parameters", state.parameters.size()},
            {"identity", identity},
            {"epoch", state.epoch},
            {"epoch_samples", state.epoch_samples},
            {"samples_seen", state.samples_seen},
            {"step", state.step},
            {"seconds", state.seconds},
            {"epoch_loss_sum", state.epoch_loss_sum},
            {"initial_validation_loss", state.initial_validation_loss},
            {"best_validation_loss", state.best_validation_loss},
            {"best_epoch", state.best_epoch},
            {"history", history_to_json(state.history)}};
}

TrainingState from_json(const Json& json) {
    TrainingState state;
    json.at("epoch").get_to(state.epoch);
    json.at("epoch_samples").get_to(state.epoch_samples);
    json.at("samples_seen").get_to(state.samples_seen);
    json.at("step").get_to(state.step);
    json.at("seconds").get_to(state.seconds);
    json.at("epoch_loss_sum").get_to(state.epoch_loss_sum);
    json.at("initial_validation_loss").get_to(state.initial_validation_loss);
    json.at("best_validation_loss").get_to(state.best_validation_loss);
    json.at("best_epoch").get_to(state.best_epoch);
    state.history = history_from_json(json.at("history"));
    return state;
}

class Reader {
public:
    Reader(const std::filesystem::path& path) : path_(path.string()) {
        constexpr std::uintmax_t largest_file = 4ULL << 30;
        bytes_ = read_file(path, largest_file);
    }

    [[noreturn]] void refuse(const std::string& reason) const {
        throw Error("cannot resume from '{}': {}; remove it to begin again", path_, reason);
    }

    TrainingState read(const Identity& identity, long parameter_count) const {
        const Json header = parse_header();
        const auto count = static_cast<size_t>(parameter_count);
        try {
            if (header.at("format") != "tulle-training" || header.at("version") != 1)
                refuse("it is of another version");
            compare(header.at("identity").get<Identity>(), identity);
            if (header.at("parameters") != count) refuse("it has another number of weights");
            TrainingState state = from_json(header);
            check_numbers(state);
            take_arrays(state, count);
            return state;
        } catch (const Json::exception&) {
            refuse("its header lacks an entry or has one of the wrong kind");
        }
    }

private:
    std::uint64_t number_at(size_t offset) const {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes_.data() + offset, sizeof value);
        return value;
    }

    Json parse_header() const {
        if (bytes_.size() < frame_size || !bytes_.starts_with(magic)) refuse("it is not a checkpoint of a training");
        const size_t hashed = bytes_.size() - sizeof(std::uint64_t);
        if (hash_of({bytes_.data(), hashed}) != number_at(hashed)) refuse("it is damaged");
        if (header_size() > std::min(largest_header, bytes_.size() - frame_size)) refuse("its header is too long");
        const char* begin = bytes_.data() + 16;
        Json header = Json::parse(begin, begin + header_size(), nullptr, false);
        if (!header.is_object()) refuse("its header cannot be read");
        return header;
    }

    size_t header_size() const { return number_at(magic.size()); }

    void compare(const Identity& stored, const Identity& now) const {
        for (const auto& [name, value] : now) {
            const auto found = stored.find(name);
            if (found == stored.end() || found->second != value)
                refuse(fmt::format("its {} was {}, now it is {}", name,
                                   found == stored.end() ? "not given" : found->second, value));
        }
    }

    void check_numbers(const TrainingState& state) const {
        const bool sound = state.epoch >= 0 && state.epoch_samples >= 0 && state.samples_seen >= 0 && state.step >= 0 &&
                           std::isfinite(state.seconds) && state.seconds >= 0 && std::isfinite(state.epoch_loss_sum) &&
                           state.history.size() == static_cast<size_t>(state.epoch);
        if (!sound) refuse("its numbers are out of range");
    }

    void take_arrays(TrainingState& state, size_t count) const {
        if (bytes_.size() - frame_size - header_size() != 4 * count * sizeof(float)) refuse("it has the wrong size");
        const char* next = bytes_.data() + 16 + header_size();
        for (std::vector<float>* array :
             {&state.parameters, &state.moments.first, &state.moments.second, &state.best_parameters}) {
            array->resize(count);
            std::memcpy(array->data(), next, count * sizeof(float));
            next += count * sizeof(float);
            if (!std::all_of(array->begin(), array->end(), [](float x) { return std::isfinite(x); }))
                refuse("it holds a number that is not finite");
        }
    }

    std::string path_;
    std::string bytes_;
};

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const TrainingState& state, const Identity& identity) {
    const std::string header = to_json(state, identity).dump();
    const std::uint64_t size = header.size();
    std::string bytes(magic);
    append(bytes, &size, 1);
    bytes += header;
    for (const std::vector<float>* array :
         {&state.parameters, &state.moments.first, &state.moments.second, &state.best_parameters})
        append(bytes, array->data(), array->size());
    const std::uint64_t hash = hash_of(bytes);
    append(bytes, &hash, 1);
    write_file(path, bytes, checkpoint_format);
}

TrainingState read_checkpoint(const std::filesystem::path& path, const Identity& identity, long parameter_count) {
    return Reader(path).read(identity, parameter_count);
}

}  // namespace tulle::training

// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/checkpoint.h"

#include "tulle/core/random.h"

#include <array>
#include <bit>
#include <cstring>

namespace tulle::io {

namespace {

constexpr hsize_t state_chunk = 4096;  // [bytes]

const std::array<std::string, 2> state_names{"/checkpoint/state_0", "/checkpoint/state_1"};

using Record = std::array<std::uint64_t, 4>;  // frame, time, state size, checksum

std::uint64_t checksum(std::uint64_t seed, const void* data, size_t bytes) {
    const auto* cursor = static_cast<const char*>(data);
    std::uint64_t sum = mix(seed ^ bytes);
    for (std::uint64_t word = 0; bytes > 0; word = 0) {
        const size_t count = std::min(bytes, sizeof word);
        std::memcpy(&word, cursor, count);
        sum = mix(sum ^ word);
        cursor += count;
        bytes -= count;
    }
    return sum;
}

Record make_record(const Checkpoint& checkpoint) {
    Record record{static_cast<std::uint64_t>(checkpoint.frame), std::bit_cast<std::uint64_t>(checkpoint.time),
                  checkpoint.memory.size(), 0};
    const size_t bytes = static_cast<size_t>(checkpoint.positions.size()) * sizeof(double);
    std::uint64_t sum = checksum(0, record.data(), 3 * sizeof(std::uint64_t));
    sum = checksum(sum, checkpoint.positions.data(), bytes);
    sum = checksum(sum, checkpoint.velocities.data(), bytes);
    record[3] = checksum(sum, checkpoint.memory.data(), checkpoint.memory.size());
    return record;
}

std::optional<Checkpoint> read_slot(const hdf5::InputFile& file, long vertex_count, hsize_t slot) {
    const auto record_array = file.integers("/checkpoint/record", 2);
    const auto positions = file.floats("/checkpoint/positions", 3);
    const auto velocities = file.floats("/checkpoint/velocities", 3);
    const auto state = file.integers(state_names[slot], 1);
    const hdf5::Shape expected{2, static_cast<hsize_t>(vertex_count), 3};
    if (record_array.shape() != hdf5::Shape{2, 4} || positions.shape() != expected || velocities.shape() != expected)
        file.fail("/checkpoint does not fit the mesh");

    Record record;
    record_array.read_rows(slot, 1, record.data());
    Checkpoint checkpoint;
    checkpoint.frame = static_cast<long>(record[0]);
    checkpoint.time = std::bit_cast<double>(record[1]);
    if (checkpoint.frame < 0 || record[2] > state.shape()[0]) return std::nullopt;
    checkpoint.positions.resize(vertex_count, 3);
    checkpoint.velocities.resize(vertex_count, 3);
    positions.read_rows(slot, 1, checkpoint.positions.data());
    velocities.read_rows(slot, 1, checkpoint.velocities.data());
    checkpoint.memory.resize(record[2]);
    state.read_rows(0, record[2], checkpoint.memory.data());
    const bool is_finite = checkpoint.positions.allFinite() && checkpoint.velocities.allFinite();
    if (!is_finite || make_record(checkpoint) != record) return std::nullopt;
    return checkpoint;
}

}  // namespace

CheckpointWriter::CheckpointWriter(const hdf5::OutputFile& file, long vertex_count) {
    const auto group = file.create_group("/checkpoint");
    const Record unused{};  // its checksum is wrong
    const std::array<Record, 2> records{unused, unused};
    const Rows<double, 3> zeros = Rows<double, 3>::Zero(2 * vertex_count, 3);
    const hdf5::Shape shape{2, static_cast<hsize_t>(vertex_count), 3};
    // Written in full now, so that later writes never change the structure of the file.
    record_ = file.create_array("/checkpoint/record", {2, 4}, records[0].data());
    positions_ = file.create_array("/checkpoint/positions", shape, zeros.data());
    velocities_ = file.create_array("/checkpoint/velocities", shape, zeros.data());
    for (size_t slot = 0; slot < 2; ++slot)
        states_[slot] = file.create_growing(state_names[slot], {state_chunk}, H5T_NATIVE_UINT8);
}

void CheckpointWriter::write(const hdf5::OutputFile& file, const Checkpoint& checkpoint) const {
    const auto slot = static_cast<hsize_t>(checkpoint.frame % 2);
    const auto vertices = static_cast<hsize_t>(checkpoint.positions.rows());
    file.write(positions_, {slot, 0, 0}, {1, vertices, 3}, checkpoint.positions.data());
    file.write(velocities_, {slot, 0, 0}, {1, vertices, 3}, checkpoint.velocities.data());
    const hsize_t state_size = checkpoint.memory.size();
    if (state_size > 0) {
        file.write(states_[slot], {0}, {state_size}, checkpoint.memory.data());
        file.flush(states_[slot]);
    }
    file.write(record_, {slot, 0}, {1, 4}, make_record(checkpoint).data());
    file.flush(positions_);
    file.flush(velocities_);
    file.flush(record_);
}

void CheckpointWriter::close() {
    for (hdf5::Handle* dataset : {&record_, &positions_, &velocities_, &states_[0], &states_[1]}) dataset->close();
}

std::optional<Checkpoint> read_checkpoint(const hdf5::InputFile& file, long vertex_count, long frame_count) {
    std::optional<Checkpoint> newest;
    if (!file.has("/checkpoint")) return newest;
    for (const hsize_t slot : {0, 1}) {
        std::optional<Checkpoint> candidate = read_slot(file, vertex_count, slot);
        if (!candidate || candidate->frame >= frame_count || (newest && newest->frame > candidate->frame)) continue;
        newest = std::move(candidate);
    }
    return newest;
}

}  // namespace tulle::io

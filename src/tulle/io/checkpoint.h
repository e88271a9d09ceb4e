// SPDX-License-Identifier: Apache-2.0
// /checkpoint of a sequence cache: the newest frames in full precision, in two slots that take turns (frame % 2), so
// that whatever moment a run is killed at, one slot is whole.
//
//   /checkpoint/record      2×4 u64: frame index, bits of the time (f64), bytes of method state, checksum of the slot
//   /checkpoint/positions   2×|V|×3 f64 [m]     /checkpoint/velocities  2×|V|×3 f64 [m/s]
//   /checkpoint/state_0 and state_1   B u8, what the method wants to remember in each slot; B grows as needed
//
// A slot whose checksum does not fit was never used or is torn.
// Only for the .cpp files of this folder.
#pragma once

#include "tulle/io/cache.h"
#include "tulle/io/hdf5_read.h"
#include "tulle/io/hdf5_write.h"

#include <array>
#include <optional>

namespace tulle::io {

class CheckpointWriter {
public:
    CheckpointWriter(const hdf5::OutputFile& file, long vertex_count);
    void write(const hdf5::OutputFile& file, const Checkpoint& checkpoint) const;
    void close();

private:
    hdf5::Handle record_, positions_, velocities_;
    std::array<hdf5::Handle, 2> states_;
};

// The newest whole checkpoint that belongs to one of the first `frame_count` frames, if there is one.
std::optional<Checkpoint> read_checkpoint(const hdf5::InputFile& file, long vertex_count, long frame_count);

}  // namespace tulle::io

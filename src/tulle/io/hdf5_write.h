// SPDX-License-Identifier: Apache-2.0
// Creating and filling HDF5 files. Failures throw an Error that names the file.
#pragma once

#include "tulle/io/hdf5_handle.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tulle::io::hdf5 {

using Shape = std::vector<hsize_t>;

class OutputFile {
public:
    // Creates `path` or empties it. Errors speak of `shown_path`, the name the file will have in the end.
    OutputFile(const std::filesystem::path& path, std::string shown_path);

    hid_t id() const { return file_; }
    void start_streaming();  // SWMR: from here on datasets only grow, and a reader can look at any moment
    void close();
    [[noreturn]] void fail(const std::string& what) const;

    Handle create_group(const std::string& name) const;
    void set_attribute(const std::string& name, const std::string& value) const;
    void set_attribute(const std::string& name, double value) const;
    void set_attribute(const std::string& name, std::uint64_t value) const;

    // A dataset of fixed shape, filled with `data`.
    template <typename Scalar>
    Handle create_array(const std::string& name, const Shape& shape, const Scalar* data) const {
        return create_array(name, shape, native_type<Scalar>(), data);
    }
    // A dataset that grows along its first dimension, stored in pieces of shape `chunk`; empty at first.
    Handle create_growing(const std::string& name, const Shape& chunk, hid_t type) const;

    // Writes the block of shape `count` at `start`; a growing dataset is made large enough.
    template <typename Scalar>
    void write(const Handle& dataset, const Shape& start, const Shape& count, const Scalar* data) const {
        write(dataset, start, count, native_type<Scalar>(), data);
    }
    void flush(const Handle& dataset) const;
    void flush() const;

private:
    Handle create_array(const std::string& name, const Shape& shape, hid_t type, const void* data) const;
    void write(const Handle& dataset, const Shape& start, const Shape& count, hid_t type, const void* data) const;
    void set_attribute(const std::string& name, hid_t type, const void* value) const;

    std::string shown_path_;
    Handle file_;
};

}  // namespace tulle::io::hdf5

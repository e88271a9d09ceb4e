// SPDX-License-Identifier: Apache-2.0
// Reading HDF5 files that may be broken or made to harm: nothing is believed before it is checked against the size of
// the file, and only data inside the file itself are read. Failures throw an Error that names file and dataset.
#pragma once

#include "tulle/core/error.h"
#include "tulle/io/hdf5_handle.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tulle::io::hdf5 {

using Shape = std::vector<hsize_t>;

class InputFile;

// A dataset whose shape fits into the file.
class InputArray {
public:
    const Shape& shape() const { return shape_; }

    // Rows [first, first + count) of the first dimension, converted to Scalar, into `data`.
    template <typename Scalar>
    void read_rows(hsize_t first, hsize_t count, Scalar* data) const {
        read_rows(first, count, native_type<Scalar>(), data);
    }

private:
    friend class InputFile;
    InputArray(const InputFile& file, std::string name, size_t rank, H5T_class_t kind);
    void check_layout();
    void check_rows_are_in_file(hsize_t first, hsize_t count) const;
    void read_rows(hsize_t first, hsize_t count, hid_t type, void* data) const;
    [[noreturn]] void fail(const std::string& what) const;

    const InputFile* file_;
    std::string name_;
    Handle dataset_;
    Shape shape_;
    Shape chunk_;  // empty: not stored in chunks
};

class InputFile {
public:
    explicit InputFile(std::filesystem::path path);  // complete, or still being written (SWMR), or left by a killed run
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    const std::filesystem::path& path() const { return path_; }
    [[noreturn]] void fail(const std::string& what) const;

    bool has(const std::string& name) const;  // a path such as "/colliders/ball", through no soft or external links
    std::vector<std::string> names_in(const std::string& group) const;  // in order of creation, else sorted
    InputArray floats(const std::string& name, size_t rank) const { return {*this, name, rank, H5T_FLOAT}; }
    InputArray integers(const std::string& name, size_t rank) const { return {*this, name, rank, H5T_INTEGER}; }

    bool has_attribute(const std::string& name) const;
    std::string text_attribute(const std::string& name) const;
    double number_attribute(const std::string& name) const;
    std::uint64_t integer_attribute(const std::string& name) const;

private:
    friend class InputArray;
    Handle open_attribute(const std::string& name, H5T_class_t kind) const;
    std::uint64_t size_on_disk() const;  // [bytes], now: a file that is being written grows

    std::filesystem::path path_;
    Handle file_;
};

}  // namespace tulle::io::hdf5

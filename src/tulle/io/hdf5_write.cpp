// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/hdf5_write.h"

#include "tulle/core/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace tulle::io::hdf5 {

OutputFile::OutputFile(const std::filesystem::path& path, std::string shown_path) : shown_path_(std::move(shown_path)) {
    errno = 0;
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    // SWMR needs the newest format of every structure.
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    file_ = Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
    if (!file_.valid()) fail("create the file");
}

void OutputFile::fail(const std::string& what) const {
    const std::string reason = errno != 0 ? std::strerror(errno) : "the HDF5 library refused";
    throw Error("cannot write '{}': could not {} ({})", shown_path_, what, reason);
}

void OutputFile::start_streaming() {
    if (H5Fstart_swmr_write(file_) < 0) fail("start streaming");
}

void OutputFile::close() {
    errno = 0;
    if (H5Fflush(file_, H5F_SCOPE_GLOBAL) < 0 || !file_.close()) fail("close the file");
}

Handle OutputFile::create_group(const std::string& name) const {
    const Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    Handle group(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose);
    if (!group.valid()) fail("create the group " + name);
    return group;
}

void OutputFile::set_attribute(const std::string& name, hid_t type, const void* value) const {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(H5Acreate2(file_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    if (!attribute.valid() || H5Awrite(attribute, type, value) < 0) fail("write the attribute " + name);
}

void OutputFile::set_attribute(const std::string& name, const std::string& value) const {
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, value.size() + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    set_attribute(name, type, value.c_str());
}

void OutputFile::set_attribute(const std::string& name, double value) const {
    set_attribute(name, H5T_NATIVE_DOUBLE, &value);
}

void OutputFile::set_attribute(const std::string& name, std::uint64_t value) const {
    set_attribute(name, H5T_NATIVE_UINT64, &value);
}

Handle OutputFile::create_array(const std::string& name, const Shape& shape, hid_t type, const void* data) const {
    const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
    Handle dataset(H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    if (!dataset.valid()) fail("create " + name);
    const bool is_empty = std::ranges::find(shape, hsize_t{0}) != shape.end();
    if (!is_empty && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) fail("write " + name);
    return dataset;
}

Handle OutputFile::create_growing(const std::string& name, const Shape& chunk, hid_t type) const {
    Shape shape = chunk, limit = chunk;
    shape[0] = 0;
    limit[0] = H5S_UNLIMITED;
    const int rank = static_cast<int>(chunk.size());
    const Handle space(H5Screate_simple(rank, shape.data(), limit.data()), H5Sclose);
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(creation, rank, chunk.data());
    Handle dataset(H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
    if (!dataset.valid()) fail("create " + name);
    return dataset;
}

void OutputFile::write(const Handle& dataset, const Shape& start, const Shape& count, hid_t type,
                       const void* data) const {
    errno = 0;
    Handle space(H5Dget_space(dataset), H5Sclose);
    Shape shape(start.size());
    H5Sget_simple_extent_dims(space, shape.data(), nullptr);
    Shape needed = shape;
    for (size_t d = 0; d < shape.size(); ++d) needed[d] = std::max(shape[d], start[d] + count[d]);
    if (needed != shape) {
        if (H5Dset_extent(dataset, needed.data()) < 0) fail("make room for more data");
        space = Handle(H5Dget_space(dataset), H5Sclose);
    }
    const Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) < 0 ||
        H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, data) < 0)
        fail("write data");
}

void OutputFile::flush(const Handle& dataset) const {
    errno = 0;
    if (H5Dflush(dataset) < 0) fail("write data");
}

void OutputFile::flush() const {
    errno = 0;
    if (H5Fflush(file_, H5F_SCOPE_LOCAL) < 0) fail("write data");
}

}  // namespace tulle::io::hdf5

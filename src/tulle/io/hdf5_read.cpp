// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/hdf5_read.h"

#include <sys/stat.h>

#include <algorithm>

namespace tulle::io::hdf5 {

namespace {

// For the data of one chunk or one dataset.
bool fits(haddr_t address, hsize_t bytes, std::uint64_t file_size) {
    return address != HADDR_UNDEF && address <= file_size && bytes <= file_size - address;
}

herr_t collect_name(hid_t, const char* name, const H5L_info_t*, void* names) {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
}

}  // namespace

InputFile::InputFile(std::filesystem::path path) : path_(std::move(path)) {
    std::error_code code;
    const auto status = std::filesystem::status(path_, code);
    if (!std::filesystem::exists(status)) throw Error("cannot open '{}': there is no such file", path_.string());
    if (!std::filesystem::is_regular_file(status)) throw Error("cannot read '{}': it is not a file", path_.string());
    if (H5Fis_hdf5(path_.c_str()) <= 0) fail("it is not an HDF5 file, or too short to be one");
    file_ = Handle(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!file_.valid()) {
        // A file that is being written, or whose writer was killed, opens in this mode only. The library then waits for
        // a torn structure to become whole, twice as long each time; 22 times are some milliseconds, its own 100
        // forever.
        const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
        H5Pset_metadata_read_attempts(access, 18);
        file_ = Handle(H5Fopen(path_.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access), H5Fclose);
    }
    if (!file_.valid()) fail("the HDF5 file is damaged or cut off");
}

void InputFile::fail(const std::string& what) const { throw Error("cannot read '{}': {}", path_.string(), what); }

std::uint64_t InputFile::size_on_disk() const {
    void* descriptor = nullptr;
    struct stat information {};
    if (H5Fget_vfd_handle(file_, H5P_DEFAULT, &descriptor) < 0 ||
        ::fstat(*static_cast<int*>(descriptor), &information) != 0)
        fail("its size is unknown");
    return static_cast<std::uint64_t>(information.st_size);
}

bool InputFile::has(const std::string& name) const {
    for (size_t end = 1; end != std::string::npos;) {
        end = name.find('/', end + 1);
        H5L_info_t link;
        if (H5Lget_info(file_, name.substr(0, end).c_str(), &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
            return false;
    }
    return true;
}

std::vector<std::string> InputFile::names_in(const std::string& group) const {
    std::vector<std::string> names;
    const Handle id(H5Gopen2(file_, group.c_str(), H5P_DEFAULT), H5Gclose);
    if (!id.valid()) fail("the group " + group + " is damaged");
    if (H5Literate(id, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, collect_name, &names) >= 0) return names;
    names.clear();
    if (H5Literate(id, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_name, &names) < 0)
        fail("the group " + group + " is damaged");
    return names;
}

Handle InputFile::open_attribute(const std::string& name, H5T_class_t kind) const {
    Handle attribute(H5Aopen(file_, name.c_str(), H5P_DEFAULT), H5Aclose);
    if (!attribute.valid()) fail("the attribute '" + name + "' is missing");
    const Handle type(H5Aget_type(attribute), H5Tclose);
    const Handle space(H5Aget_space(attribute), H5Sclose);
    if (H5Tget_class(type) != kind || H5Sget_simple_extent_npoints(space) != 1)
        fail("the attribute '" + name + "' is of the wrong type");
    return attribute;
}

bool InputFile::has_attribute(const std::string& name) const { return H5Aexists(file_, name.c_str()) > 0; }

std::string InputFile::text_attribute(const std::string& name) const {
    const Handle attribute = open_attribute(name, H5T_STRING);
    const Handle type(H5Aget_type(attribute), H5Tclose);
    // The library does not survive damaged strings of variable length: they live in a heap without checksums.
    if (H5Tis_variable_str(type) != 0) fail("the attribute '" + name + "' is not a string of fixed length");
    const size_t size = H5Tget_size(type);
    if (size > size_on_disk()) fail("the attribute '" + name + "' claims to be larger than the whole file");
    std::string text(size, '\0');
    if (H5Aread(attribute, type, text.data()) < 0) fail("the attribute '" + name + "' is damaged");
    return text.substr(0, text.find('\0'));
}

double InputFile::number_attribute(const std::string& name) const {
    const Handle attribute = open_attribute(name, H5T_FLOAT);
    double value = 0;
    if (H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0) fail("the attribute '" + name + "' is damaged");
    return value;
}

std::uint64_t InputFile::integer_attribute(const std::string& name) const {
    const Handle attribute = open_attribute(name, H5T_INTEGER);
    std::uint64_t value = 0;
    if (H5Aread(attribute, H5T_NATIVE_UINT64, &value) < 0) fail("the attribute '" + name + "' is damaged");
    return value;
}

InputArray::InputArray(const InputFile& file, std::string name, size_t rank, H5T_class_t kind)
    : file_(&file), name_(std::move(name)), shape_(rank) {
    if (!file.has(name_)) fail("is missing");
    dataset_ = Handle(H5Dopen2(file.file_, name_.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset_.valid()) fail("is damaged or not a dataset");
    const Handle type(H5Dget_type(dataset_), H5Tclose);
    const Handle space(H5Dget_space(dataset_), H5Sclose);
    if (H5Tget_class(type) != kind) fail(kind == H5T_FLOAT ? "does not hold floats" : "does not hold integers");
    if (H5Sget_simple_extent_ndims(space) != static_cast<int>(rank))
        fail(fmt::format("does not have {} dimensions", rank));
    H5Sget_simple_extent_dims(space, shape_.data(), nullptr);
    hsize_t elements = file.size_on_disk() / std::max<size_t>(H5Tget_size(type), 1);
    // Dividing instead of multiplying: the product of hostile dimensions may overflow.
    for (const hsize_t size : shape_) elements = size > 0 ? elements / size : elements;
    if (elements == 0) fail("claims to hold more than the whole file");
    check_layout();
}

void InputArray::fail(const std::string& what) const { file_->fail(name_ + " " + what); }

void InputArray::check_layout() {
    const Handle creation(H5Dget_create_plist(dataset_), H5Pclose);
    const H5D_layout_t layout = H5Pget_layout(creation);
    const bool is_empty = std::ranges::find(shape_, hsize_t{0}) != shape_.end();
    if (layout == H5D_CHUNKED) {
        chunk_.resize(shape_.size());
        H5Pget_chunk(creation, static_cast<int>(chunk_.size()), chunk_.data());
        if (!is_empty && !std::equal(shape_.begin() + 1, shape_.end(), chunk_.begin() + 1))
            fail("is not stored in chunks of whole frames");
    } else if (layout != H5D_COMPACT && !is_empty) {
        const bool is_inside = layout == H5D_CONTIGUOUS && H5Pget_external_count(creation) == 0 &&
                               fits(H5Dget_offset(dataset_), H5Dget_storage_size(dataset_), file_->size_on_disk());
        if (!is_inside) fail("is cut off");
    }
}

// HDF5 reads zeros where a file was cut off or a chunk was never written; we want to know.
void InputArray::check_rows_are_in_file(hsize_t first, hsize_t count) const {
    if (chunk_.empty()) return;
    const std::uint64_t file_size = file_->size_on_disk();
    Shape corner(shape_.size(), 0);
    for (corner[0] = first - first % chunk_[0]; corner[0] < first + count; corner[0] += chunk_[0]) {
        unsigned filters = 0;
        haddr_t address = HADDR_UNDEF;
        hsize_t bytes = 0;
        if (H5Dget_chunk_info_by_coord(dataset_, corner.data(), &filters, &address, &bytes) < 0 ||
            !fits(address, bytes, file_size))
            fail(fmt::format("is cut off at row {}", corner[0]));
    }
}

void InputArray::read_rows(hsize_t first, hsize_t count, hid_t type, void* data) const {
    if (first > shape_[0] || count > shape_[0] - first)
        fail(fmt::format("has {} rows, not {}", shape_[0], first + count));
    if (count == 0 || std::ranges::find(shape_, hsize_t{0}) != shape_.end()) return;
    check_rows_are_in_file(first, count);
    Shape start(shape_.size(), 0), block = shape_;
    start[0] = first;
    block[0] = count;
    const Handle space(H5Dget_space(dataset_), H5Sclose);
    const Handle memory(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), H5Sclose);
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr) < 0 ||
        H5Dread(dataset_, type, memory, space, H5P_DEFAULT, data) < 0)
        fail(fmt::format("cannot be read at row {}", first));
}

}  // namespace tulle::io::hdf5

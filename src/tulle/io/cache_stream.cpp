// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/cache_stream.h"

#include "tulle/core/error.h"
#include "tulle/io/cache_faces.h"

#include <fcntl.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cmath>
#include <cstdio>

namespace tulle::io {

namespace {

constexpr hsize_t series_chunk = 512;  // frames of /time in a chunk
constexpr hsize_t ending_chunk = 256;  // characters of /ending

hsize_t size(long count) { return static_cast<hsize_t>(count); }

void write_header(const hdf5::OutputFile& file, const CacheHeader& header) {
    file.set_attribute("format", std::string("tulle-sequence"));
    file.set_attribute("version", std::uint64_t{cache_version});
    file.set_attribute("scene", header.scene);
    file.set_attribute("scene_name", header.scene_name);
    file.set_attribute("method", header.method);
    file.set_attribute("seed", header.seed);
    file.set_attribute("frame_rate", header.frame_rate);
    file.set_attribute("planned_frames", static_cast<std::uint64_t>(header.planned_frames));
    file.set_attribute("up_axis", std::string(1, header.up_axis));
    file.set_attribute("grid_rows", static_cast<std::uint64_t>(header.grid.rows));
    file.set_attribute("grid_columns", static_cast<std::uint64_t>(header.grid.columns));
    file.set_attribute("program_version", header.program_version);
    const geometry::TriangleMesh& mesh = header.mesh;
    file.create_array("/rest_positions", {size(mesh.positions.rows()), 3}, mesh.positions.data());
    file.create_array("/triangles", {size(mesh.triangles.rows()), 3}, mesh.triangles.data());
    if (mesh.tex_coords.rows() > 0) file.create_array("/uv", {size(mesh.tex_coords.rows()), 2}, mesh.tex_coords.data());
    write_faces(file, mesh.faces);
}

std::uint64_t bytes_of(long elements, size_t element_size) {
    return static_cast<std::uint64_t>(elements) * element_size;
}

// At least what HDF5 adds to the data for its own structures, and what it writes when the file is closed.
constexpr std::uint64_t overhead = 1 << 16;  // [bytes]

std::uint64_t header_bytes(const CacheHeader& header) {
    const geometry::TriangleMesh& mesh = header.mesh;
    std::uint64_t bytes = overhead + header.scene.size() + bytes_of(5 * mesh.positions.size(), sizeof(double)) +
                          bytes_of(mesh.tex_coords.size(), sizeof(double)) +
                          bytes_of(mesh.triangles.size(), sizeof(int)) +
                          mesh.faces.corners.size() * (2 * sizeof(double) + 2 * sizeof(int));
    for (const ColliderMesh& collider : header.colliders)
        bytes += overhead / 4 + bytes_of(collider.rest_positions.size(), sizeof(double)) +
                 bytes_of(collider.triangles.size(), sizeof(int));
    return bytes;
}

std::uint64_t frame_bytes(const CacheHeader& header) {
    std::uint64_t bytes = overhead + bytes_of(2 * header.mesh.positions.size(), sizeof(float)) +
                          bytes_of(header.has_bounds ? header.mesh.positions.rows() : 0, sizeof(float));
    for (const ColliderMesh& collider : header.colliders)
        bytes += bytes_of(64, sizeof(double)) +
                 bytes_of(collider.deforms ? collider.rest_positions.size() : 0, sizeof(float));
    return bytes;
}

// HDF5 is not troubled before there is room for what it has to write at least. Between the creation of a file and its
// claim somebody who cleans up may take it for abandoned; then it gets another name.
FileClaim claim(FirstName& name, const std::filesystem::path& target, const CacheHeader& header) {
    constexpr int patience = 100;
    for (int i = 0;; ++i) try {
            FileClaim result(name.path, target.string());
            result.reserve(header_bytes(header));
            return result;
        } catch (const FileIsTaken&) {
            if (i == patience) throw;
            name.path = temporary_name(target);
        }
}

// Never over another file. Not every file system can rename so, but then it can link.
int rename_to_free(const char* from, const char* to) {
    const int failed = ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
    if (failed == 0 || (errno != EINVAL && errno != ENOSYS)) return failed;
    return ::link(from, to) == 0 ? ::unlink(from) : -1;
}

}  // namespace

FirstName::~FirstName() {
    if (!path.empty()) ::unlink(path.c_str());
}

CacheStream::CacheStream(const std::filesystem::path& path, const CacheHeader& header)
    : path_(path),
      temporary_(part_path(path)),
      header_(header),
      claim_(claim(temporary_, part_path(path), header)),
      file_(temporary_.path, part_path(path).string()),
      checkpoints_(file_, header.mesh.positions.rows()) {
    claim_.reserve(header_bytes(header));
    write_header(file_, header);
    const hsize_t vertices = size(header.mesh.positions.rows());
    positions_dataset_ = file_.create_growing("/positions", {1, vertices, 3}, H5T_NATIVE_FLOAT);
    if (header.has_velocities)
        velocities_dataset_ = file_.create_growing("/velocities", {1, vertices, 3}, H5T_NATIVE_FLOAT);
    if (header.has_bounds) bounds_dataset_ = file_.create_growing("/error_bounds", {1, vertices}, H5T_NATIVE_FLOAT);
    milliseconds_dataset_ = file_.create_growing("/frame_milliseconds", {series_chunk}, H5T_NATIVE_DOUBLE);
    time_dataset_ = file_.create_growing("/time", {series_chunk}, H5T_NATIVE_DOUBLE);
    ending_dataset_ = file_.create_growing("/ending", {ending_chunk}, H5T_NATIVE_UINT8);
    create_colliders();
    file_.start_streaming();
}

void CacheStream::create_colliders() {
    if (header_.colliders.empty()) return;
    file_.create_group("/colliders");
    for (const ColliderMesh& collider : header_.colliders) {
        const std::string name = "/colliders/" + collider.name;
        file_.create_group(name);
        const Positions& points = collider.rest_positions;
        file_.create_array(name + "/rest_positions", {size(points.rows()), 3}, points.data());
        file_.create_array(name + "/triangles", {size(collider.triangles.rows()), 3}, collider.triangles.data());
        collider_datasets_.push_back(
            collider.deforms ? file_.create_growing(name + "/positions", {1, size(points.rows()), 3}, H5T_NATIVE_FLOAT)
                             : file_.create_growing(name + "/transforms", {1, 4, 4}, H5T_NATIVE_DOUBLE));
    }
}

void CacheStream::publish(Place place) {
    errno = 0;
    const std::string part = part_path(path_).string();
    const int failed = place == Place::Claimed ? std::rename(temporary_.path.c_str(), part.c_str())
                                               : rename_to_free(temporary_.path.c_str(), part.c_str());
    if (failed != 0 && errno == EEXIST)
        throw FileIsTaken("cannot write '{}': another run is writing it; wait for it or give another name", part);
    if (failed != 0) file_.fail("give the file its name");
    temporary_.path.clear();
}

void CacheStream::append_points(const hdf5::Handle& dataset, const Positions& values, const std::string& what) {
    rounded_ = values.cast<float>();
    for (long v = 0; v < rounded_.rows(); ++v)
        if (!rounded_.row(v).allFinite())
            throw Error("cannot write '{}': frame {}, the {} of vertex {} is not finite", part_path(path_).string(),
                        frame_count(), what, v);
    file_.write(dataset, {size(frame_count()), 0, 0}, {1, size(values.rows()), 3}, rounded_.data());
    file_.flush(dataset);
}

// Nothing is said of a frame without bounds, such as the first: it is not off.
void CacheStream::append_bounds(const Eigen::VectorXf& bounds) {
    const long vertices = header_.mesh.positions.rows();
    assert(bounds.size() == 0 || bounds.size() == vertices);
    const Eigen::VectorXf written = bounds.size() == 0 ? Eigen::VectorXf(Eigen::VectorXf::Zero(vertices)) : bounds;
    file_.write(bounds_dataset_, {size(frame_count()), 0}, {1, size(vertices)}, written.data());
    file_.flush(bounds_dataset_);
}

void CacheStream::append_collider(const CacheFrame& frame, size_t collider) {
    const ColliderMesh& mesh = header_.colliders[collider];
    const hdf5::Handle& dataset = collider_datasets_[collider];
    if (mesh.deforms) {
        const Positions& positions = frame.collider_positions.at(collider);
        assert(positions.rows() == mesh.rest_positions.rows());
        append_points(dataset, positions, fmt::format("position in the collider '{}'", mesh.name));
        return;
    }
    const Eigen::Matrix<double, 4, 4, Eigen::RowMajor> matrix = frame.collider_transforms[collider].matrix();
    file_.write(dataset, {size(frame_count()), 0, 0}, {1, 4, 4}, matrix.data());
    file_.flush(dataset);
}

void CacheStream::append(const CacheFrame& frame) {
    assert(frame.positions.rows() == header_.mesh.positions.rows());
    assert(frame.collider_transforms.size() == collider_datasets_.size());
    assert(!header_.has_velocities || frame.velocities.rows() == frame.positions.rows());
    assert(std::isfinite(frame.time) && (times_.empty() || frame.time > times_.back()));
    const hsize_t index = size(frame_count());
    claim_.reserve(frame_bytes(header_));
    append_points(positions_dataset_, frame.positions, "position");
    if (header_.has_velocities) append_points(velocities_dataset_, frame.velocities, "velocity");
    if (header_.has_bounds) append_bounds(frame.bounds);
    for (size_t c = 0; c < collider_datasets_.size(); ++c) append_collider(frame, c);
    file_.write(milliseconds_dataset_, {index}, {1}, &frame.milliseconds);
    file_.flush(milliseconds_dataset_);
    file_.write(time_dataset_, {index}, {1}, &frame.time);  // last: now the frame is complete
    file_.flush(time_dataset_);
    times_.push_back(frame.time);
}

void CacheStream::keep(const Checkpoint& checkpoint) {
    if (!checkpoint.memory.empty()) claim_.reserve(overhead + checkpoint.memory.size());
    checkpoints_.write(file_, checkpoint);
}

void CacheStream::end(const std::string& ending) {
    if (ending.empty()) return;
    file_.write(ending_dataset_, {0}, {size(static_cast<long>(ending.size()))},
                reinterpret_cast<const std::byte*>(ending.data()));
    file_.flush(ending_dataset_);
}

void CacheStream::close() {
    checkpoints_.close();
    collider_datasets_.clear();
    for (hdf5::Handle* dataset : {&positions_dataset_, &velocities_dataset_, &bounds_dataset_, &milliseconds_dataset_,
                                  &time_dataset_, &ending_dataset_})
        dataset->close();
    file_.close();
}

}  // namespace tulle::io

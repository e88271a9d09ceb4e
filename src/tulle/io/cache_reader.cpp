// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/cache_reader.h"

#include "tulle/core/error.h"
#include "tulle/io/cache_faces.h"
#include "tulle/io/checkpoint.h"
#include "tulle/io/hdf5_read.h"

#include <limits>

namespace tulle::io {

namespace {

using hdf5::InputArray;
using hdf5::InputFile;
using hdf5::Shape;

template <typename Scalar, int Columns>
Rows<Scalar, Columns> read_matrix(const InputFile& file, const InputArray& array, const std::string& name) {
    const hsize_t rows = array.shape()[0];
    if (array.shape()[1] != Columns)
        file.fail(fmt::format("{} has {} columns, not {}", name, array.shape()[1], Columns));
    if (rows > static_cast<hsize_t>(std::numeric_limits<int>::max() / 3)) file.fail(name + " has too many rows");
    Rows<Scalar, Columns> matrix(static_cast<long>(rows), Columns);
    array.read_rows(0, rows, matrix.data());
    return matrix;
}

template <int Columns>
Rows<double, Columns> read_floats(const InputFile& file, const std::string& name) {
    return read_matrix<double, Columns>(file, file.floats(name, 2), name);
}

Triangles read_triangles(const InputFile& file, const std::string& name) {
    return read_matrix<int, 3>(file, file.integers(name, 2), name);
}

int read_grid_size(const InputFile& file, const std::string& name) {
    const std::uint64_t size = file.integer_attribute(name);
    if (size > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) file.fail(name + " is too large");
    return static_cast<int>(size);
}

// Caches of earlier programs do not say.
long read_planned_frames(const InputFile& file) {
    if (!file.has_attribute("planned_frames")) return 0;
    const std::uint64_t count = file.integer_attribute("planned_frames");
    if (count > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) file.fail("planned_frames is too large");
    return static_cast<long>(count);
}

std::string read_ending(const InputFile& file) {
    if (!file.has("/ending")) return {};
    const InputArray array = file.integers("/ending", 1);
    constexpr hsize_t longest = 10'000;
    if (array.shape()[0] > longest) file.fail("/ending is too long");
    std::vector<int> characters(array.shape()[0]);
    array.read_rows(0, array.shape()[0], characters.data());
    return {characters.begin(), characters.end()};
}

CacheHeader read_header(const InputFile& file) {
    if (file.text_attribute("format") != "tulle-sequence") file.fail("it is not a Tulle sequence cache");
    if (const auto version = file.integer_attribute("version"); version != cache_version)
        file.fail(
            fmt::format("it is a cache of version {}, but this program knows version {} only", version, cache_version));
    const std::string up_axis = file.text_attribute("up_axis");
    if (up_axis != "y" && up_axis != "z") file.fail("its up_axis is neither y nor z");
    CacheHeader header;
    header.up_axis = up_axis.front();
    header.scene = file.text_attribute("scene");
    header.scene_name = file.text_attribute("scene_name");
    header.method = file.text_attribute("method");
    header.program_version = file.text_attribute("program_version");
    header.seed = file.integer_attribute("seed");
    header.frame_rate = file.number_attribute("frame_rate");
    header.planned_frames = read_planned_frames(file);
    header.grid = {read_grid_size(file, "grid_rows"), read_grid_size(file, "grid_columns")};
    header.mesh.positions = read_floats<3>(file, "/rest_positions");
    header.mesh.triangles = read_triangles(file, "/triangles");
    if (file.has("/uv")) header.mesh.tex_coords = read_floats<2>(file, "/uv");
    header.mesh.faces = read_faces(file);
    header.has_velocities = file.has("/velocities");
    header.has_bounds = file.has("/error_bounds");
    if (file.has("/colliders"))
        for (const std::string& name : file.names_in("/colliders")) {
            const std::string group = "/colliders/" + name;
            header.colliders.push_back({.name = name,
                                        .rest_positions = read_floats<3>(file, group + "/rest_positions"),
                                        .triangles = read_triangles(file, group + "/triangles"),
                                        .deforms = file.has(group + "/positions")});
        }
    check_header(header, file.path().string());
    return header;
}

VectorX read_series(const InputFile& file, const std::string& name, long count) {
    VectorX values(count);
    file.floats(name, 1).read_rows(0, static_cast<hsize_t>(count), values.data());
    for (long f = 0; f < count; ++f)
        if (!std::isfinite(values(f))) file.fail(fmt::format("{} of frame {} is not finite", name, f));
    return values;
}

// A frame is complete when its time is there; everything else was written before it.
long count_frames(const InputFile& file) {
    const hsize_t count = file.floats("/time", 1).shape()[0];
    if (count > static_cast<hsize_t>(std::numeric_limits<int>::max())) file.fail("/time is too long");
    return static_cast<long>(count);
}

}  // namespace

struct CacheReader::Contents {
    explicit Contents(const std::filesystem::path& path)
        : file(path), header(read_header(file)), ending(read_ending(file)) {
        const long frames = count_frames(file);
        times = read_series(file, "/time", frames);
        frame_milliseconds = read_series(file, "/frame_milliseconds", frames);
        for (long f = 1; f < frames; ++f)
            if (!(times(f) > times(f - 1))) file.fail(fmt::format("time does not go on at frame {}", f));
        const Shape points{static_cast<hsize_t>(header.mesh.positions.rows()), 3};
        positions = open_frames("/positions", points);
        if (header.has_velocities) velocities = open_frames("/velocities", points);
        if (header.has_bounds) bounds = open_frames("/error_bounds", {points[0]});
        for (const ColliderMesh& collider : header.colliders) {
            const std::string group = "/colliders/" + collider.name;
            const Shape vertices{static_cast<hsize_t>(collider.rest_positions.rows()), 3};
            colliders.push_back(collider.deforms ? open_frames(group + "/positions", vertices)
                                                 : open_frames(group + "/transforms", {4, 4}));
        }
    }

    std::unique_ptr<InputArray> open_frames(const std::string& name, const Shape& frame_shape) const {
        auto array = std::make_unique<InputArray>(file.floats(name, frame_shape.size() + 1));
        if (!std::equal(frame_shape.begin(), frame_shape.end(), array->shape().begin() + 1))
            file.fail(name + " does not fit the mesh");
        if (array->shape()[0] < static_cast<hsize_t>(times.size()))
            file.fail(fmt::format("{} has {} frames, but /time has {}", name, array->shape()[0], times.size()));
        return array;
    }

    Positions read_points(const InputArray& array, long frame, const std::string& what) const {
        Rows<float, 3> points(static_cast<long>(array.shape()[1]), 3);
        array.read_rows(static_cast<hsize_t>(frame), 1, points.data());
        for (long v = 0; v < points.rows(); ++v)
            if (!points.row(v).allFinite())
                file.fail(fmt::format("frame {}: the {} of vertex {} is not finite", frame, what, v));
        return points.cast<double>();
    }

    Eigen::VectorXf read_bounds(long frame) const {
        Eigen::VectorXf values(static_cast<long>(bounds->shape()[1]));
        bounds->read_rows(static_cast<hsize_t>(frame), 1, values.data());
        if (!(values.array() >= 0).all() || !values.allFinite())
            file.fail(fmt::format("frame {}: an error bound is negative or not finite", frame));
        return values;
    }

    Eigen::Isometry3d read_transform(size_t collider, long frame) const {
        Eigen::Matrix<double, 4, 4, Eigen::RowMajor> matrix;
        colliders[collider]->read_rows(static_cast<hsize_t>(frame), 1, matrix.data());
        const Matrix3 rotation = matrix.topLeftCorner<3, 3>();
        const bool is_rigid = matrix.allFinite() && matrix.row(3) == Eigen::RowVector4d(0, 0, 0, 1) &&
                              (rotation * rotation.transpose()).isIdentity(1e-6) && rotation.determinant() > 0;
        if (!is_rigid)
            file.fail(fmt::format("frame {}: the collider '{}' does not move rigidly", frame,
                                  header.colliders[collider].name));
        return Eigen::Isometry3d(matrix);
    }

    Positions read_collider_positions(size_t collider, long frame) const {
        const std::string& name = header.colliders[collider].name;
        return read_points(*colliders[collider], frame, fmt::format("position in the collider '{}'", name));
    }

    InputFile file;
    CacheHeader header;
    std::string ending;
    VectorX times, frame_milliseconds;
    std::unique_ptr<InputArray> positions, velocities, bounds;
    std::vector<std::unique_ptr<InputArray>> colliders;  // transforms, or positions where it deforms
};

CacheReader::CacheReader(const std::filesystem::path& path) {
    const hdf5::Quiet quiet;
    contents_ = std::make_unique<Contents>(path);
}
CacheReader::~CacheReader() = default;
CacheReader::CacheReader(CacheReader&&) noexcept = default;
CacheReader& CacheReader::operator=(CacheReader&&) noexcept = default;

const std::filesystem::path& CacheReader::path() const { return contents_->file.path(); }
const CacheHeader& CacheReader::header() const { return contents_->header; }
long CacheReader::frame_count() const { return contents_->times.size(); }
const VectorX& CacheReader::times() const { return contents_->times; }
const std::string& CacheReader::ending() const { return contents_->ending; }
const VectorX& CacheReader::frame_milliseconds() const { return contents_->frame_milliseconds; }

FrameCost CacheReader::frame_cost() const {
    const VectorX& costs = frame_milliseconds();
    if (costs.size() < 2) return {};
    return tulle::frame_cost({costs.data() + 1, costs.data() + costs.size()});
}

void CacheReader::check_index(long index) const {
    if (index < 0 || index >= frame_count())
        throw Error("'{}' has no frame {}; its frames are 0 to {}", path().string(), index, frame_count() - 1);
}

Positions CacheReader::positions(long index) const {
    const hdf5::Quiet quiet;
    check_index(index);
    return contents_->read_points(*contents_->positions, index, "position");
}

Eigen::Isometry3d CacheReader::collider_transform(size_t collider, long index) const {
    const hdf5::Quiet quiet;
    check_index(index);
    return contents_->read_transform(collider, index);
}

Positions CacheReader::collider_positions(size_t collider, long index) const {
    const hdf5::Quiet quiet;
    check_index(index);
    const ColliderMesh& mesh = header().colliders[collider];
    if (mesh.deforms) return contents_->read_collider_positions(collider, index);
    return (contents_->read_transform(collider, index) * mesh.rest_positions.transpose()).transpose();
}

CacheFrame CacheReader::frame(long index) const {
    const hdf5::Quiet quiet;
    CacheFrame frame;
    frame.positions = positions(index);
    if (contents_->velocities) frame.velocities = contents_->read_points(*contents_->velocities, index, "velocity");
    if (contents_->bounds) frame.bounds = contents_->read_bounds(index);
    frame.time = times()(index);
    frame.milliseconds = frame_milliseconds()(index);
    for (size_t c = 0; c < header().colliders.size(); ++c) {
        const bool deforms = header().colliders[c].deforms;
        frame.collider_transforms.push_back(deforms ? Eigen::Isometry3d::Identity()
                                                    : contents_->read_transform(c, index));
        frame.collider_positions.push_back(deforms ? contents_->read_collider_positions(c, index) : Positions());
    }
    return frame;
}

std::optional<Checkpoint> CacheReader::checkpoint() const {
    const hdf5::Quiet quiet;
    return read_checkpoint(contents_->file, header().mesh.positions.rows(), frame_count());
}

}  // namespace tulle::io

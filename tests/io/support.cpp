// SPDX-License-Identifier: Apache-2.0
#include "tests/io/support.h"

#include "tulle/io/cache_writer.h"

#include <algorithm>
#include <cmath>
#include <fstream>

namespace tulle::io::test {

namespace fs = std::filesystem;

namespace {

ColliderMesh tetrahedron(const std::string& name, double size) {
    ColliderMesh mesh{name, Positions(4, 3), Triangles(4, 3)};
    mesh.rest_positions << 1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1;
    mesh.rest_positions *= size;
    mesh.triangles << 0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2;
    return mesh;
}

}  // namespace

CacheHeader example_header(int rows, int columns) {
    CacheHeader header;
    const geometry::GridCloth cloth =
        geometry::make_grid_cloth({rows, columns}, {.origin = {0.1, 0.2, 1.7}, .width = 1.5, .height = 1});
    header.mesh = cloth.mesh;
    header.grid = cloth.size;
    header.colliders = {tetrahedron("wedge", 0.3), tetrahedron("ball", 0.2)};  // not in alphabetical order
    header.scene = "name = \"example\"  # süß\n";
    header.scene_name = "example";
    header.method = "admm:5";
    header.program_version = "0.1.0";
    header.seed = 7;
    header.frame_rate = 60;
    return header;
}

CacheHeader deforming_header(int rows, int columns) {
    CacheHeader header = example_header(rows, columns);
    header.colliders.push_back(tetrahedron("blob", 0.25));
    header.colliders.back().deforms = true;
    return header;
}

CacheFrame example_frame(const CacheHeader& header, long index) {
    CacheFrame frame;
    frame.time = static_cast<double>(index) / header.frame_rate;
    frame.milliseconds = 1 + 0.25 * static_cast<double>(index % 5);
    frame.positions = header.mesh.positions;
    frame.velocities.resize(frame.positions.rows(), 3);
    for (long v = 0; v < frame.positions.rows(); ++v) {
        const double phase = 3 * header.mesh.positions(v, 0) - 5 * frame.time;
        frame.positions(v, 1) += 0.1 * std::sin(phase);
        frame.positions(v, 2) -= 0.3 * frame.time * frame.time;
        frame.velocities.row(v) << 0, -0.5 * std::cos(phase), -0.6 * frame.time;
    }
    for (size_t c = 0; c < header.colliders.size(); ++c) {
        Eigen::Isometry3d transform = Eigen::Isometry3d::Identity();
        transform.rotate(Eigen::AngleAxisd(frame.time * static_cast<double>(c + 1), Vector3(1, 2, 3).normalized()));
        transform.pretranslate(Vector3(0.1, frame.time, static_cast<double>(c)));
        const ColliderMesh& collider = header.colliders[c];
        frame.collider_transforms.push_back(collider.deforms ? Eigen::Isometry3d::Identity() : transform);
        frame.collider_positions.emplace_back();
        if (collider.deforms)  // turned by more the higher it is
            frame.collider_positions.back() =
                collider.rest_positions.array() * (1 + frame.time) +
                (2 * frame.time * collider.rest_positions.col(2).array()).sin().replicate<1, 3>();
    }
    return frame;
}

std::vector<CacheFrame> example_frames(const CacheHeader& header, long count) {
    std::vector<CacheFrame> frames;
    for (long f = 0; f < count; ++f) frames.push_back(example_frame(header, f));
    return frames;
}

std::vector<std::byte> example_state(long index) {
    std::vector<std::byte> state(static_cast<size_t>(index * 731 % 9000));
    for (size_t i = 0; i < state.size(); ++i)
        state[i] = static_cast<std::byte>((static_cast<size_t>(index) + i * i) % 251);
    return state;
}

void write_example(const fs::path& path, const CacheHeader& header, long frames) {
    CacheWriter writer(path, header);
    for (long f = 0; f < frames; ++f) writer.append(example_frame(header, f), example_state(f));
    writer.close();
}

void write_expected(const fs::path& path, const CacheHeader& header, const std::vector<CacheFrame>& frames) {
    std::ofstream file(path, std::ios::binary);
    const auto put = [&](const auto& rows) {
        const Rows<double, Eigen::Dynamic> numbers = rows.template cast<double>();
        file.write(reinterpret_cast<const char*>(numbers.data()), numbers.size() * static_cast<long>(sizeof(double)));
    };
    const geometry::TriangleMesh& mesh = header.mesh;
    Eigen::RowVectorXd sizes(6);
    sizes << mesh.vertex_count(), static_cast<double>(frames.size()), static_cast<double>(header.colliders.size()),
        mesh.triangle_count(), header.frame_rate, header.up_axis == 'y';
    put(sizes);
    put(mesh.triangles);
    put(mesh.tex_coords);
    for (const ColliderMesh& collider : header.colliders) {
        put(Eigen::RowVector2d(static_cast<double>(collider.rest_positions.rows()), collider.deforms));
        put(collider.rest_positions);
    }
    for (const CacheFrame& frame : frames) {
        put(Eigen::RowVectorXd::Constant(1, frame.time));
        put(frame.positions);
        put(frame.velocities);
        for (size_t c = 0; c < header.colliders.size(); ++c)
            header.colliders[c].deforms ? put(frame.collider_positions[c]) : put(frame.collider_transforms[c].matrix());
    }
}

void check_frame(const CacheFrame& read, const CacheFrame& written) {
    REQUIRE(read.positions.rows() == written.positions.rows());
    CHECK(read.positions == written.positions.cast<float>().cast<double>());
    REQUIRE(read.velocities.rows() == written.velocities.rows());
    CHECK(read.velocities == written.velocities.cast<float>().cast<double>());
    CHECK(read.time == written.time);
    CHECK(read.milliseconds == written.milliseconds);
    REQUIRE(read.collider_transforms.size() == written.collider_transforms.size());
    for (size_t c = 0; c < read.collider_transforms.size(); ++c)
        CHECK(read.collider_transforms[c].matrix() == written.collider_transforms[c].matrix());
    REQUIRE(read.collider_positions.size() == written.collider_positions.size());
    for (size_t c = 0; c < read.collider_positions.size(); ++c)
        CHECK(read.collider_positions[c] == written.collider_positions[c].cast<float>().cast<double>());
}

void check_frames(const CacheReader& reader, const CacheHeader& header) {
    for (long f = 0; f < reader.frame_count(); ++f) check_frame(reader.frame(f), example_frame(header, f));
}

}  // namespace tulle::io::test

#ifdef __SANITIZE_ADDRESS__
// HDF5 itself forgets some memory when it meets a damaged file.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }
#endif

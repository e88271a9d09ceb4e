// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/animation.h"

#include "tulle/core/error.h"
#include "tulle/io/cache_reader.h"
#include "tulle/io/gltf_motion.h"
#include "tulle/io/obj.h"
#include "tulle/io/pc2.h"

#include <fnmatch.h>

#include <algorithm>
#include <cctype>

namespace tulle::workflows {

namespace {

namespace fs = std::filesystem;

void check_rest(const fs::path& rest, long found, const fs::path& path, long expected) {
    if (found != expected)
        throw Error("'{}' has {} vertices, but '{}' moves {}; give the rest shape of the same cloth", rest.string(),
                    found, path.string(), expected);
}

class CachedAnimation final : public Animation {
public:
    explicit CachedAnimation(const AnimationSource& source) : reader_(source.path), header_(reader_.header()) {
        if (source.frame_rate || source.grid)
            throw Error("'{}' says itself what grid it is and how fast; --grid and --frame-rate are for point caches",
                        source.path.string());
        if (source.rest.empty()) return;
        const geometry::TriangleMesh rest = io::read_obj(source.rest);
        check_rest(source.rest, rest.vertex_count(), source.path, header_.mesh.vertex_count());
        header_.mesh.positions = rest.positions;
    }
    const io::CacheHeader& header() const override { return header_; }
    long frame_count() const override { return reader_.frame_count(); }
    io::CacheFrame frame(long index) const override { return reader_.frame(index); }

private:
    io::CacheReader reader_;
    io::CacheHeader header_;
};

// What files without a header are said to be.
io::CacheHeader header_of(const AnimationSource& source, geometry::TriangleMesh rest) {
    io::CacheHeader header;
    header.mesh = std::move(rest);
    header.scene_name = source.path.stem().string();
    header.frame_rate = source.frame_rate.value_or(25);
    header.up_axis = source.up_axis;
    header.has_velocities = false;
    return header;
}

void refuse_grid(const AnimationSource& source) {
    if (source.grid)
        throw Error("'{}' says itself how its vertices are connected; leave --grid out", source.path.string());
}

class PointAnimation final : public Animation {
public:
    explicit PointAnimation(const AnimationSource& source) : reader_(source.path) {
        header_ = header_of(source, rest_of(source));
        header_.grid = source.grid.value_or(geometry::GridSize{0, 0});
        header_.frame_rate /= reader_.frames_per_sample();
    }
    const io::CacheHeader& header() const override { return header_; }
    long frame_count() const override { return reader_.frame_count(); }
    io::CacheFrame frame(long index) const override {
        return {.positions = reader_.frame(index), .time = static_cast<double>(index) / header_.frame_rate};
    }
    FrameNumbers frame_numbers() const override { return {reader_.start_frame(), reader_.frames_per_sample()}; }

private:
    geometry::TriangleMesh rest_of(const AnimationSource& source) const {
        const long points = reader_.vertex_count();
        if (source.rest.empty() && !source.grid)
            throw Error(
                "'{}' does not say how its {} points are connected; give the mesh they belong to (an OBJ file), or "
                "rows and columns with --grid ROWSxCOLUMNS",
                source.path.string(), points);
        if (!source.grid) {
            geometry::TriangleMesh rest = io::read_obj(source.rest);
            check_rest(source.rest, rest.vertex_count(), source.path, points);
            return rest;
        }
        if (!source.rest.empty()) throw Error("a mesh says itself what grid it is; leave --grid out");
        const auto [rows, columns] = *source.grid;
        if (static_cast<long>(rows) * columns != points)
            throw Error("'{}' has {} points, which is not {} rows of {}", source.path.string(), points, rows, columns);
        geometry::TriangleMesh grid = geometry::make_grid_cloth(*source.grid, {}).mesh;
        grid.positions = reader_.frame(0);
        return grid;
    }

    io::Pc2Reader reader_;
    io::CacheHeader header_;
};

class GltfAnimation final : public Animation {
public:
    explicit GltfAnimation(const AnimationSource& source) : motion_(io::read_gltf_motion(source.path)) {
        refuse_grid(source);
        if (source.frame_rate)
            throw Error("'{}' says itself how fast it is; leave --frame-rate out", source.path.string());
        header_ = header_of(source, motion_.mesh);
        header_.frame_rate = motion_.frame_rate;
        header_.up_axis = 'y';  // of every glTF file
        if (source.rest.empty()) return;
        header_.mesh = io::read_obj(source.rest);
        check_rest(source.rest, header_.mesh.vertex_count(), source.path, motion_.mesh.vertex_count());
    }
    const io::CacheHeader& header() const override { return header_; }
    long frame_count() const override { return static_cast<long>(motion_.frames.size()); }
    io::CacheFrame frame(long index) const override {
        return {.positions = motion_.frames.at(static_cast<size_t>(index)).cast<double>(),
                .time = static_cast<double>(index) / header_.frame_rate};
    }

private:
    io::GltfMotion motion_;
    io::CacheHeader header_;
};

// The number that a file name ends with before its extension; 0 if there is none.
struct NumberedFile {
    std::string name;  // without the number
    double number = 0;

    explicit NumberedFile(const fs::path& file) : name(file.stem().string()) {
        std::string digits;
        while (!name.empty() && digits.size() < 9 && std::isdigit(static_cast<unsigned char>(name.back())) != 0) {
            digits.insert(digits.begin(), name.back());
            name.pop_back();
        }
        if (!digits.empty()) number = std::stod(digits);
    }
    auto operator<=>(const NumberedFile&) const = default;  // walk2 before walk10
};

// The OBJ files of a folder (of one of our exports those of the cloth), or those that a pattern such as "walk/*.obj"
// names, by name.
std::vector<fs::path> obj_files(const fs::path& path) {
    const bool is_folder = fs::is_directory(path);
    const fs::path folder = is_folder ? path : (path.has_parent_path() ? path.parent_path() : fs::path("."));
    const std::string pattern = is_folder ? "*.obj" : path.filename().string();
    std::vector<fs::path> files;
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(folder, missing))
        if (entry.is_regular_file() && fnmatch(pattern.c_str(), entry.path().filename().c_str(), 0) == 0)
            files.push_back(entry.path());
    if (missing || files.empty()) throw Error("'{}' names no OBJ files", path.string());
    std::ranges::sort(files, {}, [](const fs::path& file) { return NumberedFile(file); });
    const auto is_cloth = [](const fs::path& file) { return file.filename().string().starts_with("cloth."); };
    if (is_folder && std::any_of(files.begin(), files.end(), is_cloth))
        std::erase_if(files, [&](const fs::path& file) { return !is_cloth(file); });
    return files;
}

// Triangles of polygons are cut anew in every file, so where there are polygons they are what counts.
bool same_faces(const geometry::TriangleMesh& a, const geometry::TriangleMesh& b) {
    const auto same_vertex = [](const geometry::Corner& c, const geometry::Corner& d) { return c.vertex == d.vertex; };
    if (a.faces.sizes != b.faces.sizes) return false;
    if (a.faces.empty()) return a.triangles.rows() == b.triangles.rows() && a.triangles == b.triangles;
    return std::equal(a.faces.corners.begin(), a.faces.corners.end(), b.faces.corners.begin(), b.faces.corners.end(),
                      same_vertex);
}

class ObjAnimation final : public Animation {
public:
    explicit ObjAnimation(const AnimationSource& source) : files_(obj_files(source.path)) {
        refuse_grid(source);
        const geometry::TriangleMesh first = io::read_obj(files_.front());
        header_ = header_of(source, source.rest.empty() ? first : io::read_obj(source.rest));
        if (!source.rest.empty())
            check_rest(source.rest, header_.mesh.vertex_count(), files_.front(), first.vertex_count());
        first_ = first;
        header_.scene_name = fs::is_directory(source.path)
                                 ? fs::path(source.path / "").parent_path().filename().string()
                                 : files_.front().stem().string();
    }
    const io::CacheHeader& header() const override { return header_; }
    long frame_count() const override { return static_cast<long>(files_.size()); }
    io::CacheFrame frame(long index) const override {
        const fs::path& file = files_.at(static_cast<size_t>(index));
        geometry::TriangleMesh mesh = io::read_obj(file);
        if (mesh.vertex_count() != first_.vertex_count() || !same_faces(mesh, first_))
            throw Error("'{}' has other vertices or faces than '{}'; all files must be frames of one cloth",
                        file.string(), files_.front().string());
        return {.positions = std::move(mesh.positions), .time = static_cast<double>(index) / header_.frame_rate};
    }
    FrameNumbers frame_numbers() const override { return {NumberedFile(files_.front()).number, 1}; }

private:
    std::vector<fs::path> files_;
    geometry::TriangleMesh first_;
    io::CacheHeader header_;
};

}  // namespace

std::unique_ptr<Animation> open_animation(const AnimationSource& source) {
    const std::string extension = source.path.extension().string();
    const bool has_wildcard = source.path.filename().string().find_first_of("*?[") != std::string::npos;
    if (fs::is_directory(source.path) || has_wildcard || extension == ".obj")
        return std::make_unique<ObjAnimation>(source);
    if (extension == ".pc2") return std::make_unique<PointAnimation>(source);
    if (extension == ".glb" || extension == ".gltf") return std::make_unique<GltfAnimation>(source);
    if (extension == ".h5" || extension == ".part") return std::make_unique<CachedAnimation>(source);
    throw Error(
        "'{}' is no animation; give a cache (.h5), a point cache (.pc2), a glTF file with morph targets (.glb, .gltf), "
        "or a folder or pattern of OBJ files",
        source.path.string());
}

}  // namespace tulle::workflows

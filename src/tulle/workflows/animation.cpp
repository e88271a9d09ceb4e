// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/animation.h"

#include "tulle/core/error.h"
#include "tulle/io/cache_reader.h"
#include "tulle/io/obj.h"
#include "tulle/io/pc2.h"

#include <fnmatch.h>

#include <algorithm>

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
        if (source.frame_rate)
            throw Error("'{}' says itself how fast it is; leave --frame-rate out", source.path.string());
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

class PointAnimation final : public Animation {
public:
    explicit PointAnimation(const AnimationSource& source) : reader_(source.path) {
        if (source.rest.empty())
            throw Error("'{}' does not say how its {} points are connected; give the rest shape with --rest FILE.obj",
                        source.path.string(), reader_.vertex_count());
        header_ = header_of(source, io::read_obj(source.rest));
        check_rest(source.rest, header_.mesh.vertex_count(), source.path, reader_.vertex_count());
    }
    const io::CacheHeader& header() const override { return header_; }
    long frame_count() const override { return reader_.frame_count(); }
    io::CacheFrame frame(long index) const override {
        return {.positions = reader_.frame(index), .time = static_cast<double>(index) / header_.frame_rate};
    }

private:
    io::Pc2Reader reader_;
    io::CacheHeader header_;
};

// The OBJ files of a folder, or those that a pattern such as "walk/*.obj" names, by name.
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
    std::sort(files.begin(), files.end());
    return files;
}

class ObjAnimation final : public Animation {
public:
    explicit ObjAnimation(const AnimationSource& source) : files_(obj_files(source.path)) {
        const geometry::TriangleMesh first = io::read_obj(files_.front());
        header_ = header_of(source, source.rest.empty() ? first : io::read_obj(source.rest));
        if (!source.rest.empty())
            check_rest(source.rest, header_.mesh.vertex_count(), files_.front(), first.vertex_count());
        header_.mesh.triangles = first.triangles;
        header_.scene_name = fs::is_directory(source.path)
                                 ? fs::path(source.path / "").parent_path().filename().string()
                                 : files_.front().stem().string();
    }
    const io::CacheHeader& header() const override { return header_; }
    long frame_count() const override { return static_cast<long>(files_.size()); }
    io::CacheFrame frame(long index) const override {
        const fs::path& file = files_.at(static_cast<size_t>(index));
        geometry::TriangleMesh mesh = io::read_obj(file);
        if (mesh.vertex_count() != header_.mesh.vertex_count() || mesh.triangles != header_.mesh.triangles)
            throw Error("'{}' has other vertices or faces than '{}'; all files must be frames of one cloth",
                        file.string(), files_.front().string());
        return {.positions = std::move(mesh.positions), .time = static_cast<double>(index) / header_.frame_rate};
    }

private:
    std::vector<fs::path> files_;
    io::CacheHeader header_;
};

}  // namespace

std::unique_ptr<Animation> open_animation(const AnimationSource& source) {
    const std::string extension = source.path.extension().string();
    const bool has_wildcard = source.path.filename().string().find_first_of("*?[") != std::string::npos;
    if (fs::is_directory(source.path) || has_wildcard || extension == ".obj")
        return std::make_unique<ObjAnimation>(source);
    if (extension == ".pc2") return std::make_unique<PointAnimation>(source);
    if (extension == ".h5" || extension == ".part") return std::make_unique<CachedAnimation>(source);
    throw Error("'{}' is no animation; give a cache (.h5), a point cache (.pc2), or a folder or pattern of OBJ files",
                source.path.string());
}

}  // namespace tulle::workflows

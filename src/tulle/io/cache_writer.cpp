// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/cache_writer.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/io/cache_reader.h"
#include "tulle/io/cache_stream.h"
#include "tulle/io/xdmf.h"

#include <algorithm>
#include <cassert>

namespace tulle::io {

namespace fs = std::filesystem;

namespace {

bool same_collider(const ColliderMesh& a, const ColliderMesh& b) {
    return a.name == b.name && a.deforms == b.deforms && a.rest_positions.rows() == b.rest_positions.rows() &&
           a.triangles.rows() == b.triangles.rows() && a.rest_positions == b.rest_positions &&
           a.triangles == b.triangles;
}

bool same_mesh(const geometry::TriangleMesh& a, const geometry::TriangleMesh& b) {
    return a.positions.rows() == b.positions.rows() && a.triangles.rows() == b.triangles.rows() &&
           a.positions == b.positions && a.triangles == b.triangles;
}

void check_continues(const CacheHeader& old, const CacheHeader& wanted, const std::string& source) {
    const auto fail = [&](const std::string& what) {
        throw Error("cannot resume '{}': it was made with another {}; start anew or give another name", source, what);
    };
    if (old.method != wanted.method) fail(fmt::format("method ('{}', not '{}')", old.method, wanted.method));
    if (old.seed != wanted.seed) fail(fmt::format("seed ({}, not {})", old.seed, wanted.seed));
    if (old.mesh.vertex_count() != wanted.mesh.vertex_count())
        fail(fmt::format("cloth ({} vertices, not {})", old.mesh.vertex_count(), wanted.mesh.vertex_count()));
    if (!same_mesh(old.mesh, wanted.mesh)) fail("cloth");
    if (old.scene != wanted.scene || old.frame_rate != wanted.frame_rate) fail("scene");
    if (!std::ranges::equal(old.colliders, wanted.colliders, same_collider)) fail("set of colliders");
    if (old.has_velocities != wanted.has_velocities) fail("choice of velocities");
}

void check_free(const fs::path& path, const CacheWriterSettings& settings) {
    check_target(path);
    check_target(part_path(path));
    if (settings.overwrite) return;
    if (fs::exists(path))
        throw Error("'{}' exists already; remove it, allow overwriting, or give another name", path.string());
    if (fs::exists(part_path(path)))
        throw Error("'{}' was left by an interrupted run; resume it, allow overwriting, or give another name",
                    part_path(path).string());
}

// Held while the file of a dead run is replaced; throws if that run is alive.
FileClaim claim_existing(const fs::path& part) {
    return fs::exists(part) ? FileClaim(part, part.string()) : FileClaim();
}

// A run killed while it was starting leaves a file under a temporary name that nobody claims any more.
void remove_abandoned(const fs::path& part) {
    const std::string beginning = part.filename().string() + ".tmp-";
    const fs::path folder = part.has_parent_path() ? part.parent_path() : fs::path(".");
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (!entry.path().filename().string().starts_with(beginning)) continue;
        try {
            const FileClaim claim(entry.path(), entry.path().string());
            fs::remove(entry.path());
        } catch (const Error&) {
            continue;  // its writer lives
        }
    }
}

}  // namespace

struct CacheWriter::Stream : CacheStream {
    using CacheStream::CacheStream;
};

CacheWriter::CacheWriter(const fs::path& path, const CacheHeader& header, const CacheWriterSettings& settings) {
    const hdf5::Quiet quiet;
    check_header(header, path.string());
    check_free(path, settings);
    const FileClaim claim = claim_existing(part_path(path));
    remove_abandoned(part_path(path));
    stream_ = std::make_unique<Stream>(path, header);
    stream_->publish();
}

CacheWriter::CacheWriter(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}
CacheWriter::CacheWriter(CacheWriter&&) noexcept = default;
CacheWriter& CacheWriter::operator=(CacheWriter&&) noexcept = default;

CacheWriter::~CacheWriter() {
    const hdf5::Quiet quiet;
    stream_.reset();
}

long CacheWriter::frame_count() const { return stream_->frame_count(); }

void CacheWriter::append(const CacheFrame& frame, std::span<const std::byte> memory) {
    const hdf5::Quiet quiet;
    stream_->append(frame);
    if (frame.velocities.rows() != frame.positions.rows()) return;
    stream_->keep({.frame = frame_count() - 1,
                   .time = frame.time,
                   .positions = frame.positions,
                   .velocities = frame.velocities,
                   .memory = {memory.begin(), memory.end()}});
}

void CacheWriter::close() {
    const hdf5::Quiet quiet;
    const fs::path& path = stream_->path();
    stream_->close();
    replace_file(part_path(path), path);
    write_xdmf(path, stream_->header(), stream_->times());
    stream_.reset();
}

CacheWriter::Resumed CacheWriter::resume(const fs::path& given, const CacheHeader& header) {
    const hdf5::Quiet quiet;
    const fs::path path = given.extension() == ".part" ? fs::path(given).replace_extension() : given;
    const fs::path part = part_path(path);
    check_header(header, path.string());
    check_free(path, {.overwrite = true});
    const FileClaim claim = claim_existing(part);
    remove_abandoned(part);
    auto stream = std::make_unique<Stream>(path, header);
    std::optional<Checkpoint> checkpoint;
    if (const fs::path source = fs::exists(part) ? part : path; fs::exists(source)) {
        const CacheReader old(source);
        check_continues(old.header(), header, source.string());
        checkpoint = old.checkpoint();
        for (long f = 0; checkpoint && f <= checkpoint->frame; ++f) stream->append(old.frame(f));
        if (checkpoint) stream->keep(*checkpoint);
    }
    stream->publish();
    Resumed resumed{CacheWriter(std::move(stream)), std::move(checkpoint)};
    return resumed;
}

}  // namespace tulle::io

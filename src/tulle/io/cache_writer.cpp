// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/cache_writer.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/io/cache_reader.h"
#include "tulle/io/cache_stream.h"
#include "tulle/io/hdf5_read.h"
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
    if (old.has_bounds != wanted.has_bounds) fail("choice of weights");
}

void require_own_cache(const fs::path& path) {
    if (!fs::exists(path) || fs::file_size(path) == 0) return;
    try {
        const hdf5::InputFile file(path);
        if (file.text_attribute("format") == "tulle-sequence") return;
    } catch (const Error&) {  // it is something else, or broken
    }
    throw Error("cannot write '{}': what is there is not a cache of Tulle and is kept; remove it or give another name",
                path.string());
}

// Makes the folder, and refuses names that are taken by what must not be replaced. Returns a claim on what a dead run
// left, to be held until that is replaced; throws if the run is alive. Only what is claimed stands still to be looked
// at.
std::optional<FileClaim> prepare(const fs::path& path, const CacheWriterSettings& settings) {
    constexpr FileFormat hdf5_format{"a cache of Tulle", "\x89HDF\r\n\x1a\n"};
    if (path.extension() != ".h5")
        throw Error("cannot write '{}': the name of a cache ends in .h5; give another name", path.string());
    prepare_target(path, hdf5_format);
    require_own_cache(path);
    std::optional<FileClaim> left = FileClaim::existing(part_path(path));
    if (left) {
        prepare_target(part_path(path), hdf5_format);
        require_own_cache(part_path(path));
    }
    prepare_target(xdmf_path(path), own_xdmf_format);
    prepare_target(xmf_path(path), own_xdmf_format);
    if (settings.overwrite) return left;
    if (fs::exists(path))
        throw Error("'{}' exists already; remove it, allow overwriting, or give another name", path.string());
    if (left)
        throw Error("'{}' was left by an interrupted run; resume it, allow overwriting, or give another name",
                    part_path(path).string());
    return left;
}

CacheStream::Place place_of(const std::optional<FileClaim>& claim) {
    return claim ? CacheStream::Place::Claimed : CacheStream::Place::Free;
}

}  // namespace

struct CacheWriter::Stream : CacheStream {
    using CacheStream::CacheStream;
};

CacheWriter::CacheWriter(const fs::path& path, const CacheHeader& header, const CacheWriterSettings& settings) {
    const hdf5::Quiet quiet;
    check_header(header, path.string());
    const std::optional<FileClaim> left = prepare(path, settings);
    remove_abandoned(path.parent_path());
    stream_ = std::make_unique<Stream>(path, header);
    stream_->publish(place_of(left));
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

void CacheWriter::close(const std::string& ending) {
    const hdf5::Quiet quiet;
    const fs::path& path = stream_->path();
    stream_->end(ending);
    stream_->close();
    if (!stream_->is_in_place())
        throw Error("cannot write '{}': '{}' was removed or replaced while it was being written", path.string(),
                    part_path(path).string());
    replace_file(part_path(path), path);
    write_xdmf(path, stream_->header(), stream_->times());
    stream_.reset();
}

CacheWriter::Resumed CacheWriter::resume(const fs::path& given, const CacheHeader& header) {
    const hdf5::Quiet quiet;
    const fs::path path = given.extension() == ".part" ? fs::path(given).replace_extension() : given;
    const fs::path part = part_path(path);
    check_header(header, path.string());
    const std::optional<FileClaim> left = prepare(path, {.overwrite = true});
    remove_abandoned(path.parent_path());
    auto stream = std::make_unique<Stream>(path, header);
    std::optional<Checkpoint> checkpoint;
    if (const fs::path source = fs::exists(part) ? part : path; fs::exists(source)) {
        const CacheReader old(source);
        check_continues(old.header(), header, source.string());
        checkpoint = old.checkpoint();
        for (long f = 0; checkpoint && f <= checkpoint->frame; ++f) stream->append(old.frame(f));
        if (checkpoint) stream->keep(*checkpoint);
    }
    stream->publish(place_of(left));
    Resumed resumed{CacheWriter(std::move(stream)), std::move(checkpoint)};
    return resumed;
}

}  // namespace tulle::io

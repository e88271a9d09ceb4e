// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/export.h"
#include "tests/support/near.h"

#include "tests/io/support.h"
#include "tulle/io/cache_writer.h"
#include "tulle/io/obj.h"
#include "tulle/io/pc2.h"

#include <algorithm>

using namespace tulle;
using namespace tulle::io;
using namespace tulle::io::test;
namespace fs = std::filesystem;

namespace {

// A cache, and beside it what was written into it, for readers in other languages.
struct Example {
    TemporaryFolder folder;
    CacheHeader header;
    std::vector<CacheFrame> frames;

    Example(const CacheHeader& header_, std::vector<CacheFrame> frames_) : header(header_), frames(std::move(frames_)) {
        CacheWriter writer(folder / "a.h5", header);
        for (const CacheFrame& frame : frames) writer.append(frame);
        writer.close();
        write_expected(folder / "expected", header, frames);
    }
    Example(const CacheHeader& header_, long count) : Example(header_, example_frames(header_, count)) {}

    fs::path to(ExportFormat format, const std::string& name, const ExportSettings& settings = {}) const {
        export_cache(CacheReader(folder / "a.h5"), format, folder / name, settings);
        return folder / name;
    }
    std::string arguments(const fs::path& file) const { return file.string() + " " + (folder / "expected").string(); }
};

void check_same(const Outcome& outcome, const Example& example) {
    CAPTURE(outcome.output);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.output.starts_with(std::to_string(example.frames.size()) + " frames are the same"));
}

CacheHeader y_up_header() {
    CacheHeader header = example_header(4, 6);
    header.up_axis = 'y';
    return header;
}

// One frame, many frames, y up, no colliders, a collider that stands still under an awkward name, one that deforms.
void for_all_examples(const std::function<void(const Example&)>& check) {
    check(Example(example_header(9, 13), 24));
    check(Example(example_header(), 1));
    check(Example(y_up_header(), 5));
    CacheHeader lonely = example_header(4, 6);
    lonely.colliders.clear();
    check(Example(lonely, 3));
    CacheHeader awkward = example_header(4, 6);
    awkward.colliders[0].name = "3 \"süße\" Bälle";
    awkward.colliders[1].name = "cloth";
    std::vector<CacheFrame> frames = example_frames(awkward, 4);
    for (CacheFrame& frame : frames) frame.collider_transforms[0] = frames[2].collider_transforms[0];
    check(Example(awkward, frames));
    check(Example(deforming_header(4, 6), 6));
    check(Example(deforming_header(4, 6), 1));
}

// A closed ball of cloth that turns over: normals point everywhere and come to point the other way.
Example turning_ball() {
    CacheHeader header = example_header(9, 17);
    for (int row = 0; row < 9; ++row)
        for (int column = 0; column < 17; ++column) {
            const double longitude = column * 0.39, latitude = (row - 4) * 0.35;
            header.mesh.positions.row(header.grid.index(row, column)) << std::cos(longitude) * std::cos(latitude),
                std::sin(longitude) * std::cos(latitude), std::sin(latitude);
        }
    std::vector<CacheFrame> frames = example_frames(header, 7);
    for (CacheFrame& frame : frames) {
        const Matrix3 turn = Eigen::AngleAxisd(30 * frame.time, Vector3(0.3, 1, 0.2).normalized()).toRotationMatrix();
        frame.positions = header.mesh.positions * turn.transpose();
    }
    return {header, frames};
}

const std::vector<ExportFormat> all_formats = {ExportFormat::Usd, ExportFormat::Gltf, ExportFormat::Obj,
                                               ExportFormat::Pc2};

}  // namespace

TEST_CASE("three.js reads every frame of a USD export") {
    for_all_examples([](const Example& example) {
        check_same(run_node("read_usd.mjs", example.arguments(example.to(ExportFormat::Usd, "a.usda"))), example);
    });
}

TEST_CASE("The Khronos validator finds nothing in a glTF export, and three.js plays every frame of it") {
    for_all_examples([](const Example& example) {
        for (const char* name : {"a.glb", "a.gltf"})
            check_same(run_node("read_gltf.mjs", example.arguments(example.to(ExportFormat::Gltf, name))), example);
        const fs::path small = example.to(ExportFormat::Gltf, "small.glb", {.quantise = true});
        check_same(run_node("read_gltf.mjs", example.arguments(small)), example);
    });
}

TEST_CASE("A glTF export of a cloth that turns over has the right normals all the same") {
    const Example example = turning_ball();
    for (const bool quantise : {false, true}) {
        const fs::path file = example.to(ExportFormat::Gltf, quantise ? "a.glb" : "b.glb", {.quantise = quantise});
        const Outcome outcome = run_node("read_gltf.mjs", example.arguments(file));
        check_same(outcome, example);
        CHECK(contains(outcome.output, "Float32Array"));
    }
}

TEST_CASE("A quantised glTF export of 300 frames of 3,577 vertices is below 13.5 MB and every frame plays") {
    const Example example(example_header(49, 73), 300);
    const fs::path file = example.to(ExportFormat::Gltf, "a.glb", {.quantise = true});
    CHECK(fs::file_size(file) < 13'500'000);
    const Outcome outcome = run_node("read_gltf.mjs", example.arguments(file));
    check_same(outcome, example);
    CHECK(contains(outcome.output, "Int8Array"));
}

TEST_CASE("An independent reader finds every frame in a PC2 export, and its OBJ is the rest shape") {
    for_all_examples([](const Example& example) {
        const fs::path file = example.to(ExportFormat::Pc2, "b.pc2");
        check_same(run_python("read_pc2.py", example.arguments(file)), example);
        const geometry::TriangleMesh rest = read_obj(example.folder / "b.obj");
        CHECK(geometry::fan_triangles(rest.faces) == example.header.mesh.triangles);  // the examples are grids
        CHECK(rest.tex_coords == example.header.mesh.tex_coords);
        CHECK(rest.positions.col(1) == example.header.mesh.positions.col(example.header.up_axis == 'y' ? 1 : 2));
    });
}

TEST_CASE("Our own PC2 reader gives back what was exported") {
    const Example example(y_up_header(), 5);
    const Pc2Reader reader(example.to(ExportFormat::Pc2, "b.pc2"));
    REQUIRE(reader.frame_count() == 5);
    REQUIRE(reader.vertex_count() == 24);
    CHECK(reader.start_frame() == 0);
    CHECK(reader.frames_per_sample() == 1);
    for (long f = 0; f < 5; ++f)
        CHECK(reader.frame(f) == example.frames[static_cast<size_t>(f)].positions.cast<float>().cast<double>());
}

TEST_CASE("Exports of caches without velocities get them from neighbouring frames") {
    CacheHeader header = example_header(4, 5);
    header.has_velocities = false;
    header.frame_rate = 4;
    std::vector<CacheFrame> frames = example_frames(header, 3);
    for (CacheFrame& frame : frames) {
        frame.positions = Positions::Constant(20, 3, frame.time * frame.time);
        frame.velocities.resize(0, 3);
    }
    const TemporaryFolder folder;
    CacheWriter writer(folder / "a.h5", header);
    for (const CacheFrame& frame : frames) writer.append(frame);
    writer.close();
    export_cache(CacheReader(folder / "a.h5"), ExportFormat::Usd, folder / "a.usda");
    const std::string text = read_file(folder / "a.usda", 1 << 20);
    const std::string velocities = text.substr(text.find("velocities.timeSamples"));
    for (const char* frame : {" 0: [(0.25, 0.25, 0.25)", " 1: [(0.5, 0.5, 0.5)", " 2: [(0.75, 0.75, 0.75)"})
        CHECK(contains(velocities, frame));
}

TEST_CASE("Progress goes from nothing to all") {
    const Example example(example_header(), 6);
    for (const ExportFormat format : all_formats) {
        std::vector<double> seen;
        const auto remember = [&](double done) { seen.push_back(done); };
        example.to(format, "a-" + std::to_string(static_cast<int>(format)), {.progress = remember});
        CHECK(std::ranges::is_sorted(seen));
        CHECK(seen.front() > 0);
        CHECK(seen.back() == tulle::test::near(1));
    }
}

TEST_CASE("An interrupted cache can be exported as far as it goes") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    CacheWriter writer(folder / "a.h5", header);
    const CacheReader empty(folder / "a.h5.part");
    const auto export_nothing = [&] { export_cache(empty, ExportFormat::Pc2, folder / "a.pc2"); };
    CHECK(contains(error_of(export_nothing, "a.h5.part"), "no complete frame"));
    for (long f = 0; f < 4; ++f) writer.append(example_frame(header, f));
    export_cache(CacheReader(folder / "a.h5.part"), ExportFormat::Pc2, folder / "a.pc2");
    CHECK(Pc2Reader(folder / "a.pc2").frame_count() == 4);
}

TEST_CASE("Exports have names of their own and known words") {
    CHECK(default_export_path("out/flag.h5", ExportFormat::Usd) == "out/flag.usda");
    CHECK(default_export_path("out/flag.h5", ExportFormat::Gltf) == "out/flag.glb");
    CHECK(default_export_path("out/flag.h5.part", ExportFormat::Obj) == "out/flag-obj");
    CHECK(default_export_path("flag.h5", ExportFormat::Pc2) == "flag.pc2");
    CHECK(parse_export_format("gltf") == ExportFormat::Gltf);
    CHECK(contains(error_of([] { parse_export_format("fbx"); }, "fbx"), "use usd, gltf, obj or pc2"));
}

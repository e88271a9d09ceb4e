// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/upscale.h"

#include "tests/methods/upscaling/models.h"
#include "tests/support/error_of.h"
#include "tests/support/near.h"
#include "tests/support/temporary_folder.h"
#include "tulle/geometry/upsampling.h"
#include "tulle/io/cache_reader.h"
#include "tulle/io/cache_writer.h"
#include "tulle/io/pc2.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::workflows;
using methods::Features;
using methods::test::flat;
using methods::test::waving;

namespace {

const geometry::GridSize size{5, 7};

void write_coarse(const std::filesystem::path& path, long frames) {
    io::CacheHeader header{.mesh = geometry::make_grid_cloth(size, {}).mesh,
                           .scene = "name = \"waves\"\n",
                           .scene_name = "waves",
                           .method = "another",
                           .frame_rate = 30,
                           .up_axis = 'y',
                           .grid = size,
                           .has_velocities = false};
    header.mesh.positions = flat(size);
    header.colliders.push_back({"ball", header.mesh.positions, header.mesh.triangles});
    io::CacheWriter writer(path, header);
    for (long f = 0; f < frames; ++f) {
        io::CacheFrame frame{.positions = waving(flat(size), 0.2 * static_cast<double>(f)),
                             .time = static_cast<double>(f) / 30};
        frame.collider_transforms = {methods::test::some_motion({static_cast<double>(f), 0, 0})};
        writer.append(frame);
    }
    writer.close();
}

void write_points(const std::filesystem::path& path, long frames) {
    io::Pc2Writer writer(path, size.vertex_count(), frames);
    for (long f = 0; f < frames; ++f) writer.append(waving(flat(size), 0.2 * static_cast<double>(f)));
    writer.commit();
}

std::string upscale_error(const UpscaleSettings& settings) {
    return test::error_of([&] { (void)upscale(settings); });
}

}  // namespace

TEST_CASE("An upscaled cache has the finer grid, the source's times and colliders, and the method's frames") {
    const test::TemporaryFolder folder;
    write_coarse(folder / "coarse.h5", 4);
    for (const int factor : {2, 3}) {
        const UpscaleReport report = upscale({.source = {.path = folder / "coarse.h5"},
                                              .output = folder / "fine.h5",
                                              .method = "bicubic",
                                              .factor = factor});
        CHECK(report.frames == 4);
        CHECK(report.coarse_particles == 35);
        CHECK(report.weights.empty());
        const io::CacheReader coarse(folder / "coarse.h5"), fine(folder / "fine.h5");
        const geometry::Miniature miniature = geometry::make_miniature({4 * factor + 1, 6 * factor + 1}, factor);
        CHECK(fine.header().grid == miniature.fine);
        CHECK(fine.header().method == fmt::format("upscale bicubic x{}", factor));
        CHECK(fine.header().scene_name == "waves");
        CHECK(fine.header().up_axis == 'y');
        CHECK(fine.header().frame_rate == 30);
        CHECK(fine.header().mesh.triangles == geometry::make_grid_cloth(miniature.fine, {}).mesh.triangles);
        CHECK((fine.header().mesh.positions - flat(miniature.fine, 0.05 / factor)).cwiseAbs().maxCoeff() < 1e-12);
        CHECK(fine.times() == coarse.times());
        CHECK(fine.header().colliders.front().name == "ball");
        CHECK(fine.collider_transform(0, 3).isApprox(coarse.collider_transform(0, 3)));
        Positions expected;
        geometry::Upsampling(miniature, geometry::Interpolation::Bicubic).apply(coarse.positions(2), expected);
        CHECK((fine.positions(2) - expected).cwiseAbs().maxCoeff() < 1e-7);
    }
}

TEST_CASE("A point cache and a cache of the same frames are upscaled alike") {
    const test::TemporaryFolder folder;
    write_coarse(folder / "coarse.h5", 3);
    write_points(folder / "coarse.pc2", 3);
    const auto model = methods::test::random_model("miniature", "waves", 2, Features::Canonical);
    save_upscaling_model(folder / "a.safetensors", model);
    const auto weights = folder / "a.safetensors";
    const UpscaleReport report =
        upscale({.source = {.path = folder / "coarse.h5"}, .output = folder / "one.h5", .weights = weights});
    CHECK(report.method == "miniature");
    CHECK(report.weights == weights.string());
    upscale({.source = {.path = folder / "coarse.pc2", .frame_rate = 30, .grid = size},
             .output = folder / "two.h5",
             .weights = weights});
    const io::CacheReader one(folder / "one.h5"), two(folder / "two.h5");
    // The rest shape of a point cache is its first frame, so the unit of length is not quite the same.
    for (long f = 0; f < 3; ++f) CHECK((one.positions(f) - two.positions(f)).rowwise().norm().maxCoeff() < 5e-3);
    CHECK(two.times().isApprox(one.times()));
}

TEST_CASE("An animation of a mesh is upscaled by subdivision") {
    const test::TemporaryFolder folder;
    geometry::TriangleMesh mesh;
    mesh.positions.resize(4, 3);
    mesh.positions << 0, 0, 0, 1, 0, 0, 0.3, 1, 0, 1.2, 1.1, 0;
    mesh.triangles.resize(2, 3);
    mesh.triangles << 0, 1, 2, 1, 3, 2;
    io::CacheWriter writer(folder / "coarse.h5",
                           {.mesh = mesh, .scene_name = "two", .method = "x", .has_velocities = false});
    writer.append({.positions = 2 * mesh.positions, .time = 0});
    writer.close();
    save_upscaling_model(folder / "a.safetensors", methods::test::zero_model("hierarchy", "general", 4));
    const UpscaleSettings settings{.source = {.path = folder / "coarse.h5"},
                                   .output = folder / "fine.h5",
                                   .factor = 4,
                                   .weights = folder / "a.safetensors"};
    CHECK(upscale(settings).method == "hierarchy");
    const io::CacheReader fine(folder / "fine.h5");
    CHECK(fine.header().mesh.triangle_count() == 32);
    CHECK((fine.positions(0) - 2 * fine.header().mesh.positions).cwiseAbs().maxCoeff() < 1e-6);  // affine
    UpscaleSettings three = settings;
    three.factor = 3;
    CHECK(test::contains(upscale_error(three), "its factor is a power of two, not 3"));
    UpscaleSettings cubic = settings;
    cubic.method = "bicubic";
    CHECK(test::contains(upscale_error(cubic), "can only be upscaled by hierarchy or butterfly"));
}

TEST_CASE("What cannot be upscaled ends in a sentence and leaves nothing behind") {
    const test::TemporaryFolder folder;
    write_coarse(folder / "coarse.h5", 2);
    write_points(folder / "coarse.pc2", 2);
    const auto fine = folder / "fine.h5";
    const auto points = folder / "coarse.pc2", cache = folder / "coarse.h5";
    CHECK(
        test::contains(upscale_error({.source = {.path = points}, .output = fine}), "or rows and columns with --grid"));
    CHECK(test::contains(upscale_error({.source = {.path = points, .grid = geometry::GridSize{6, 6}}, .output = fine}),
                         "has 35 points, which is not 6 rows of 6"));
    CHECK(test::contains(upscale_error({.source = {.path = cache, .grid = size}, .output = fine}),
                         "are for point caches"));
    CHECK(test::contains(upscale_error({.source = {.path = cache}, .output = fine, .method = "admm"}),
                         "does not upscale"));
    CHECK(test::contains(upscale_error({.source = {.path = cache}, .output = fine, .factor = 5}),
                         "there are no weights"));
    CHECK(test::contains(upscale_error({.source = {.path = cache}, .output = cache, .method = "bicubic"}),
                         "another name"));
    CHECK(test::contains(upscale_error({.source = {.path = folder / "a.obj"}, .output = fine}), "names no OBJ files"));
    CHECK_FALSE(std::filesystem::exists(fine));
    CHECK_FALSE(std::filesystem::exists(folder / "fine.h5.part"));
}

TEST_CASE("Upscaling that is stopped leaves a whole cache of the frames so far") {
    const test::TemporaryFolder folder;
    write_coarse(folder / "coarse.h5", 6);
    UpscaleSettings settings{
        .source = {.path = folder / "coarse.h5"}, .output = folder / "fine.h5", .method = "bilinear"};
    settings.on_frame = [](const FrameProgress& progress) { return progress.done < 3; };
    const UpscaleReport report = upscale(settings);
    CHECK(report.stopped);
    CHECK(report.frames == 3);
    CHECK(io::CacheReader(folder / "fine.h5").frame_count() == 3);
}

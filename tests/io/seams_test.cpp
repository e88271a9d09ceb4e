// SPDX-License-Identifier: Apache-2.0
// Polygons and texture seams on their way from an OBJ file through a cache into every export, and moving meshes of glTF
// files on their way in.
#include "tests/io/support.h"
#include "tulle/io/cache_writer.h"
#include "tulle/io/export.h"
#include "tulle/io/gltf_motion.h"
#include "tulle/io/obj.h"
#include "tulle/io/pc2.h"

#include <nlohmann/json.hpp>

#include <fstream>

using namespace tulle;
using namespace tulle::io;
using namespace tulle::io::test;
namespace fs = std::filesystem;

namespace {

// Two quads and a triangle; the quads do not share their texture along the edge 1–2.
constexpr const char* drawn = R"(o artist
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 2 0 0
v 2 1 0
v 3 0 0
vt 0 0
vt 0.5 0
vt 0.5 1
vt 0 1
vt 0.75 0
vt 1 0
vt 1 1
vt 0.75 1
f 1/1 2/2 3/3 4/4
f 2/5 5/6 6/7 3/8
f 5/6 7/6 6/7
)";

struct Artist {
    TemporaryFolder folder;
    geometry::TriangleMesh mesh;

    Artist() {
        std::ofstream(folder / "artist.obj") << drawn;
        mesh = read_obj(folder / "artist.obj");
        CacheWriter writer(folder / "a.h5", {.mesh = mesh,
                                             .scene_name = "artist",
                                             .method = "none",
                                             .frame_rate = 24,
                                             .up_axis = 'y',
                                             .has_velocities = false});
        for (int f = 0; f < 3; ++f) writer.append({.positions = moved(f), .time = f / 24.0});
        writer.close();
    }
    Positions moved(int frame) const {
        Positions positions = mesh.positions;
        positions.col(2).array() += 0.1 * frame * positions.col(0).array().square();
        return positions;
    }
    CacheReader cache() const { return CacheReader(folder / "a.h5"); }
};

bool same(const geometry::Faces& a, const geometry::Faces& b) {
    return a.sizes == b.sizes && a.has_tex_coords == b.has_tex_coords &&
           std::ranges::equal(a.corners, b.corners, [](const geometry::Corner& c, const geometry::Corner& d) {
               return c.vertex == d.vertex && c.uv.isApprox(d.uv, 1e-6);
           });
}

}  // namespace

TEST_CASE("Polygons and seams of an OBJ file are in the mesh, the cache and the OBJ files of exports") {
    const Artist artist;
    CHECK(artist.mesh.faces.sizes == std::vector<int>{4, 4, 3});
    CHECK(artist.mesh.faces.corners[4].uv == Eigen::Vector2d(0.75, 0));
    CHECK(artist.mesh.tex_coords.row(1) == Eigen::RowVector2d(0.5, 0));
    CHECK(same(artist.cache().header().mesh.faces, artist.mesh.faces));
    export_cache(artist.cache(), ExportFormat::Pc2, artist.folder / "b.pc2");
    CHECK(same(read_obj(artist.folder / "b.obj").faces, artist.mesh.faces));
    export_cache(artist.cache(), ExportFormat::Obj, artist.folder / "frames");
    CHECK(same(read_obj(artist.folder / "frames/cloth.0002.obj").faces, artist.mesh.faces));
    const std::string text = read_file(artist.folder / "b.obj", 1 << 20);
    CHECK(contains(text, "at 24 frames per second"));
    CHECK(contains(text, "o Cloth\n"));
}

TEST_CASE("Triangles without seams need no faces") {
    const TemporaryFolder folder;
    std::ofstream(folder / "a.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n";
    CHECK(read_obj(folder / "a.obj").faces.empty());
}

TEST_CASE("USD has the polygons, and texture coordinates by corner where there are seams") {
    const Artist artist;
    export_cache(artist.cache(), ExportFormat::Usd, artist.folder / "a.usda", {.first_frame = 11});
    const std::string text = read_file(artist.folder / "a.usda", 1 << 20);
    CHECK(contains(text, "faceVertexCounts = [4, 4, 3]"));
    CHECK(contains(text, "faceVertexIndices = [0, 1, 2, 3, 1, 4, 5, 2, 4, 6, 5]"));
    CHECK(contains(text, "(0, 1), (0.75, 0), (1, 0)"));
    CHECK(contains(text, "interpolation = \"faceVarying\""));
    CHECK(contains(text, "startTimeCode = 11\n"));
    CHECK(contains(text, "endTimeCode = 13\n"));
    CHECK(contains(text, "            13: [("));
}

TEST_CASE("A moving mesh comes out of a glTF file as it went in, its seams closed again") {
    const Artist artist;
    for (const char* name : {"a.glb", "a.gltf"})
        for (const bool quantise : {false, true}) {
            export_cache(artist.cache(), ExportFormat::Gltf, artist.folder / name,
                         {.overwrite = true, .quantise = quantise});
            const GltfMotion motion = read_gltf_motion(artist.folder / name);
            REQUIRE(motion.mesh.vertex_count() == 7);
            CHECK(motion.mesh.triangle_count() == 5);
            CHECK(motion.frame_rate == 24);
            CHECK_FALSE(motion.mesh.faces.empty());
            CHECK(motion.mesh.tex_coords.isApprox(artist.mesh.tex_coords, 1e-6));
            REQUIRE(motion.frames.size() == 3);
            for (int f = 0; f < 3; ++f)
                CHECK((motion.frames[static_cast<size_t>(f)].cast<double>() - artist.moved(f)).cwiseAbs().maxCoeff() <
                      (quantise ? 1e-4 : 1e-6));
        }
}

TEST_CASE("Faces that do not fit their cache end in one sentence") {
    const TemporaryFolder folder;
    const auto error_with = [&](const std::function<void(geometry::Faces&)>& spoil) {
        CacheHeader header = example_header();
        header.mesh.faces = geometry::faces_of_grid(header.grid, header.mesh.tex_coords);
        spoil(header.mesh.faces);
        return error_of([&] { CacheWriter(folder / "a.h5", header); }, "a.h5");
    };
    CHECK(contains(error_with([](geometry::Faces& faces) { faces.corners[5].vertex = 99; }), "a face names vertex 99"));
    CHECK(contains(error_with([](geometry::Faces& faces) { faces.corners[5].vertex = -1; }), "a face names vertex -1"));
    CHECK(contains(error_with([](geometry::Faces& faces) { faces.corners[5].uv.x() = std::nan(""); }), "not finite"));
}

TEST_CASE("glTF files that hold no moving mesh end in one sentence that names them") {
    const Artist artist;
    export_cache(artist.cache(), ExportFormat::Gltf, artist.folder / "a.gltf");
    using Json = nlohmann::json;
    const Json sound = Json::parse(read_file(artist.folder / "a.gltf", 1 << 20));
    const auto error_with = [&](const std::function<void(Json&)>& spoil) {
        Json json = sound;
        spoil(json);
        std::ofstream(artist.folder / "bad.gltf") << json.dump();
        return error_of([&] { read_gltf_motion(artist.folder / "bad.gltf"); }, "bad.gltf");
    };
    CHECK(contains(error_with([](Json& j) { j["nodes"][0].erase("mesh"); }), "neither a mesh called Cloth"));
    CHECK(contains(error_with([](Json& j) { j["meshes"][0]["primitives"] = Json::array(); }), "without primitives"));
    CHECK(contains(error_with([](Json& j) { j["meshes"][0]["primitives"].push_back(j["meshes"][0]["primitives"][0]); }),
                   "several materials"));
    CHECK(contains(error_with([](Json& j) { j["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE"; }),
                   "bake them"));
    error_with([](Json& j) { j["animations"][0]["samplers"][0]["output"] = 99; });
    error_with([](Json& j) { j["animations"][0]["samplers"] = 3; });
    error_with([](Json& j) { j["animations"][0]["channels"][0]["sampler"] = 7; });
    error_with([](Json& j) { j["meshes"][0]["primitives"][0]["targets"][1]["POSITION"] = 0.5; });
    error_with([](Json& j) { j["meshes"][0]["primitives"][0]["targets"][1] = 4; });
    error_with([](Json& j) { j["meshes"][0]["primitives"][0]["attributes"].erase("POSITION"); });
    error_with([](Json& j) { j["accessors"][0]["count"] = 1'000'000'000; });
    error_with([](Json& j) { j["buffers"][0]["uri"] = "data:x;base64,AAAA"; });
    error_with([](Json& j) { j["nodes"][0]["scale"] = "large"; });
    error_with([](Json& j) { j["nodes"][0]["children"] = Json::array({0}); });
}

TEST_CASE("Names of exports are promises") {
    CHECK(export_format_of("a.usda") == ExportFormat::Usd);
    CHECK(export_format_of("a.GLB") == ExportFormat::Gltf);
    CHECK(export_format_of("out/a") == ExportFormat::Obj);
    CHECK(contains(error_of([] { export_format_of("a.usdc"); }, "a.usdc"), "use .usda"));
    CHECK(contains(error_of([] { export_format_of("a.usdz"); }, "a.usdz"), "use .usda"));
    CHECK(contains(error_of([] { export_format_of("a.fbx"); }, "a.fbx"), "use .glb or .usda"));
    CHECK(contains(error_of([] { export_format_of("a.xyz"); }, "a.xyz"), "nothing is known of .xyz"));
    const Artist artist;
    const auto refuse = [&](ExportFormat format, const char* name) {
        return error_of([&] { export_cache(artist.cache(), format, artist.folder / name); }, name);
    };
    CHECK(contains(refuse(ExportFormat::Usd, "a.usdc"), "does not write .usdc"));
    CHECK(contains(refuse(ExportFormat::Usd, "a.glb"), "promises gltf"));
    CHECK(contains(refuse(ExportFormat::Obj, "a.obj"), "holds one frame, and there are 3"));
    CHECK(artist.folder.names() == std::vector<std::string>{"a.h5", "a.xdmf", "a.xmf", "artist.obj"});
}

TEST_CASE("Point caches keep how frames are numbered, and colliders are beside them where they move") {
    const TemporaryFolder folder;
    const CacheHeader header = deforming_header();
    write_example(folder / "a.h5", header, 4);
    export_cache(CacheReader(folder / "a.h5"), ExportFormat::Pc2, folder / "b.pc2",
                 {.up_axis = 'z', .first_frame = 101, .frame_step = 2});
    const Pc2Reader cloth(folder / "b.pc2"), blob(folder / "b.blob.pc2");
    CHECK(cloth.start_frame() == 101);
    CHECK(cloth.frames_per_sample() == 2);
    CHECK(blob.start_frame() == 101);
    const CacheFrame last = example_frame(header, 3);
    CHECK(cloth.frame(3).isApprox(last.positions, 1e-6));
    CHECK(blob.frame(3).isApprox(last.collider_positions[2], 1e-6));
    const Positions ball = (last.collider_transforms[0] * header.colliders[0].rest_positions.transpose()).transpose();
    CHECK(Pc2Reader(folder / ("b." + header.colliders[0].name + ".pc2")).frame(3).isApprox(ball, 1e-6));
    CHECK(read_obj(folder / "b.blob.obj").triangles == header.colliders[2].triangles);
}

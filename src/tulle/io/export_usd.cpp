// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/export_usd.h"

#include "tulle/core/atomic_file.h"
#include "tulle/geometry/triangle_mesh.h"
#include "tulle/io/export_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <string>

namespace tulle::io {

namespace {

// Prim names are letters, digits and underscores and differ from each other.
std::string prim_name(const std::string& name, std::set<std::string>& taken) {
    std::string prim = name;
    for (char& c : prim)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 || static_cast<unsigned char>(c) > 127) c = '_';
    if (prim.empty() || std::isdigit(static_cast<unsigned char>(prim[0])) != 0) prim.insert(prim.begin(), '_');
    std::string unique = prim;
    for (int number = 2; !taken.insert(unique).second; ++number) unique = fmt::format("{}_{}", prim, number);
    return unique;
}

std::string usd_string(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += static_cast<unsigned char>(c) < 32 ? ' ' : c;
    }
    result += '"';
    return result;
}

std::string_view separator(long index) { return index == 0 ? "" : ", "; }

class UsdWriter {
public:
    UsdWriter(const CacheReader& cache, const std::filesystem::path& target, const ExportSettings& settings)
        : cache_(cache), settings_(settings), file_(target, usda_format) {}

    void write() {
        layer();
        put("def Xform \"World\" (\n    kind = \"component\"\n)\n{{\n");
        cloth();
        colliders();
        put("}}\n");
        flush();
        file_.commit();
    }

private:
    template <typename... Arguments>
    void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    }
    void flush() {
        file_.write(text_);
        text_.clear();
    }

    void layer() {
        const CacheHeader& header = cache_.header();
        put("#usda 1.0\n(\n    defaultPrim = \"World\"\n");
        put("    doc = {}\n",
            usd_string(fmt::format("{} by {}, Tulle {}", header.scene_name, header.method, header.program_version)));
        const double rate = header.frame_rate * settings_.frame_step;
        put("    endTimeCode = {}\n    framesPerSecond = {}\n", time_code(cache_.frame_count() - 1), rate);
        put("    metersPerUnit = 1\n    startTimeCode = {}\n    timeCodesPerSecond = {}\n", time_code(0), rate);
        put("    upAxis = \"{}\"\n)\n\n", header.up_axis == 'y' ? "Y" : "Z");
    }

    double time_code(long frame) const {
        return settings_.first_frame + settings_.frame_step * static_cast<double>(frame);
    }

    // [(x, y, z), …] of f32 numbers, as short as reads back to the same bits.
    template <typename Points>
    void exact_tuples(const Points& points) {
        put("[");
        for (long v = 0; v < points.rows(); ++v) {
            put("{}({}", separator(v), static_cast<float>(points(v, 0)));
            for (long c = 1; c < points.cols(); ++c) put(", {}", static_cast<float>(points(v, c)));
            put(")");
        }
        put("]");
    }

    void rounded_tuples(const Positions& points) {
        put("[");
        for (long v = 0; v < points.rows(); ++v)
            put("{}({:.5f}, {:.5f}, {:.5f})", separator(v), points(v, 0), points(v, 1), points(v, 2));
        put("]");
    }

    void topology(const geometry::Faces& faces, const char* indent) {
        put("{}uniform bool doubleSided = 1\n{}int[] faceVertexCounts = [", indent, indent);
        for (size_t f = 0; f < faces.sizes.size(); ++f) put("{}{}", separator(static_cast<long>(f)), faces.sizes[f]);
        put("]\n{}int[] faceVertexIndices = [", indent);
        for (size_t c = 0; c < faces.corners.size(); ++c)
            put("{}{}", separator(static_cast<long>(c)), faces.corners[c].vertex);
        put("]\n{}uniform token subdivisionScheme = \"none\"\n", indent);
    }

    // By vertex, or by corner if there are seams.
    void texture(const geometry::TriangleMesh& mesh) {
        if (mesh.tex_coords.rows() == 0) return;
        const bool has_seams = std::ranges::any_of(mesh.faces.corners, [&](const geometry::Corner& corner) {
            return mesh.faces.has_tex_coords && corner.uv != mesh.tex_coords.row(corner.vertex).transpose();
        });
        TexCoords by_corner(has_seams ? static_cast<long>(mesh.faces.corners.size()) : 0, 2);
        for (long c = 0; c < by_corner.rows(); ++c) by_corner.row(c) = mesh.faces.corners[static_cast<size_t>(c)].uv;
        put("        texCoord2f[] primvars:st = ");
        exact_tuples(has_seams ? by_corner : mesh.tex_coords);
        put(" (\n            interpolation = \"{}\"\n        )\n", has_seams ? "faceVarying" : "vertex");
    }

    // `write_frame(f)` puts the value of frame f. Each series is one pass over the cache, so that no more than a frame
    // is in memory; `part` counts the passes for the progress.
    template <typename WriteFrame>
    void series(const char* declaration, int part, const WriteFrame& write_frame) {
        constexpr double parts = 4;
        put("        {}.timeSamples = {{\n", declaration);
        for (long f = 0; f < cache_.frame_count(); ++f) {
            settings_.before_frame();
            put("            {}: ", time_code(f));
            write_frame(f);
            put(",\n");
            flush();
            settings_.progress((part + static_cast<double>(f + 1) / static_cast<double>(cache_.frame_count())) / parts);
        }
        put("        }}\n");
    }

    void cloth() {
        const geometry::TriangleMesh mesh = mesh_to_export(cache_.header());
        put("    def Mesh \"Cloth\"\n    {{\n");
        topology(mesh.faces.empty() ? geometry::faces_of_triangles(mesh.triangles, {}) : mesh.faces, "        ");
        put("        color3f[] primvars:displayColor = [(0.55, 0.12, 0.14)]\n");
        texture(mesh);
        series("float3[] extent", 0, [&](long f) {
            const Positions points = cache_.positions(f);
            Positions box(2, 3);
            box << points.colwise().minCoeff(), points.colwise().maxCoeff();
            exact_tuples(box);
        });
        series("point3f[] points", 1, [&](long f) { exact_tuples(cache_.positions(f)); });
        series("vector3f[] velocities", 2, [&](long f) { exact_tuples(frame_velocities(cache_, f)); });
        put("        normal3f[] normals (\n            interpolation = \"vertex\"\n        )\n");
        series("normal3f[] normals", 3,
               [&](long f) { rounded_tuples(geometry::vertex_normals(cache_.positions(f), mesh.triangles)); });
        put("    }}\n");
    }

    // USD multiplies row vectors from the left: its matrix is the transpose of ours.
    void matrix(const Eigen::Isometry3d& transform) {
        const Eigen::Matrix4d& m = transform.matrix();
        for (int column = 0; column < 4; ++column)
            put("{}({}, {}, {}, {})", column == 0 ? "( " : ", ", m(0, column), m(1, column), m(2, column),
                m(3, column));
        put(" )");
    }

    void colliders() {
        if (cache_.header().colliders.empty()) return;
        std::set<std::string> taken;
        put("\n    def Xform \"Colliders\"\n    {{\n");
        for (size_t c = 0; c < cache_.header().colliders.size(); ++c) {
            const ColliderMesh& collider = cache_.header().colliders[c];
            put("        def Mesh \"{}\"\n        {{\n", prim_name(collider.name, taken));
            topology(geometry::faces_of_triangles(collider.triangles, {}), "            ");
            put("            color3f[] primvars:displayColor = [(0.6, 0.6, 0.62)]\n            point3f[] points");
            if (collider.deforms)
                collider_points(c);
            else
                rigid_motion(c);
            put("        }}\n");
            flush();
        }
        put("    }}\n");
    }

    void collider_points(size_t collider) {
        put(".timeSamples = {{\n");
        for (long f = 0; f < cache_.frame_count(); ++f) {
            put("                {}: ", time_code(f));
            exact_tuples(cache_.collider_positions(collider, f));
            put(",\n");
            flush();
        }
        put("            }}\n");
    }

    void rigid_motion(size_t collider) {
        put(" = ");
        exact_tuples(cache_.header().colliders[collider].rest_positions);
        put("\n");
        transforms(collider_motion(cache_, collider));
        put("            uniform token[] xformOpOrder = [\"xformOp:transform\"]\n");
    }

    void transforms(const std::vector<Eigen::Isometry3d>& motion) {
        put("            matrix4d xformOp:transform");
        if (motion.size() == 1) {
            put(" = ");
            matrix(motion[0]);
            put("\n");
            return;
        }
        put(".timeSamples = {{\n");
        for (size_t f = 0; f < motion.size(); ++f) {
            put("                {}: ", time_code(static_cast<long>(f)));
            matrix(motion[f]);
            put(",\n");
        }
        put("            }}\n");
    }

    const CacheReader& cache_;
    const ExportSettings& settings_;
    AtomicFile file_;
    std::string text_;
};

}  // namespace

void export_usd(const CacheReader& cache, const std::filesystem::path& target, const ExportSettings& settings) {
    UsdWriter(cache, target, settings).write();
}

}  // namespace tulle::io

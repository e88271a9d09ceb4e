// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/atomic_file.h"
#include "tulle/io/obj.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tulle::io {

namespace {

class ObjText {
public:
    explicit ObjText(const ObjWriteSettings& settings) : settings_(settings) { text = own_obj_format.beginning; }

    void comment(std::string_view lines) {
        while (!lines.empty()) {
            const size_t end = std::min(lines.find('\n'), lines.size());
            put("# {}\n", lines.substr(0, end));
            lines.remove_prefix(std::min(end + 1, lines.size()));
        }
    }

    // One word: spaces and line ends would begin something else.
    void object(std::string name) {
        for (char& c : name)
            if (static_cast<unsigned char>(c) <= 32) c = '_';
        put("o {}\n", name);
    }

    template <typename Row>
    void numbers(std::string_view keyword, const Row& row) {
        text += keyword;
        for (const double x : row) {
            if (settings_.single_precision)
                put(" {}", static_cast<float>(x));
            else
                put(" {}", x);
        }
        text += '\n';
    }

    void normals(const Positions& normals) {
        for (long v = 0; v < normals.rows(); ++v) {
            const Vector3 n = normals.row(v).allFinite() ? Vector3(normals.row(v)) : Vector3::UnitY();  // of no area
            put("vn {:.5f} {:.5f} {:.5f}\n", n.x(), n.y(), n.z());
        }
    }

    // `tex_coords`: the texture coordinate of every corner, or none.
    void faces(const geometry::Faces& faces, const std::vector<long>& tex_coords) {
        size_t corner = 0;
        for (const int size : faces.sizes) {
            text += 'f';
            for (int k = 0; k < size; ++k, ++corner) {
                const int v = faces.corners[corner].vertex + 1;
                put(" {}", v);
                if (!tex_coords.empty()) put("/{}", tex_coords[corner] + 1);
                if (settings_.normals) put("{}{}", tex_coords.empty() ? "//" : "/", v);
            }
            text += '\n';
        }
    }

    std::string text;

private:
    template <typename... Arguments>
    void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
    }

    const ObjWriteSettings& settings_;
};

// Vertices without a seam have the texture coordinate of their own number; those of seams get more after them.
std::vector<long> write_tex_coords(const geometry::TriangleMesh& mesh, const geometry::Faces& faces, ObjText& obj) {
    if (!faces.has_tex_coords) return {};
    for (long v = 0; v < mesh.tex_coords.rows(); ++v) obj.numbers("vt", mesh.tex_coords.row(v));
    long count = mesh.tex_coords.rows();
    std::map<std::array<double, 3>, long> others;  // vertex, u, v
    std::vector<long> indices;
    for (const geometry::Corner& corner : faces.corners) {
        if (corner.vertex < mesh.tex_coords.rows() && corner.uv == mesh.tex_coords.row(corner.vertex).transpose()) {
            indices.push_back(corner.vertex);
            continue;
        }
        const std::array<double, 3> key{static_cast<double>(corner.vertex), corner.uv.x(), corner.uv.y()};
        const auto [entry, is_new] = others.try_emplace(key, count);
        if (is_new) {
            obj.numbers("vt", corner.uv);
            ++count;
        }
        indices.push_back(entry->second);
    }
    return indices;
}

}  // namespace

std::string obj_text(const geometry::TriangleMesh& mesh, const ObjWriteSettings& settings) {
    const geometry::Faces faces =
        mesh.faces.empty() ? geometry::faces_of_triangles(mesh.triangles, mesh.tex_coords) : mesh.faces;
    ObjText obj(settings);
    obj.comment(settings.notes);
    if (!settings.name.empty()) obj.object(settings.name);
    for (long v = 0; v < mesh.positions.rows(); ++v) obj.numbers("v", mesh.positions.row(v));
    const std::vector<long> tex_coords = write_tex_coords(mesh, faces, obj);
    if (settings.normals) obj.normals(geometry::vertex_normals(mesh.positions, mesh.triangles));
    obj.faces(faces, tex_coords);
    return std::move(obj.text);
}

void write_obj(const std::filesystem::path& path, const geometry::TriangleMesh& mesh,
               const ObjWriteSettings& settings) {
    AtomicFile file(path, own_obj_format);
    file.write(obj_text(mesh, settings));
    file.commit(settings.sync);
}

}  // namespace tulle::io

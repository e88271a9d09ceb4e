// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/obj.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"

#include <tiny_obj_loader.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace tulle::io {

namespace {

constexpr std::uintmax_t size_limit = std::uintmax_t{2} << 30;  // [bytes]; tinyobjloader counts in int

using Words = std::vector<std::string_view>;

// The numbers of the file, read exactly: tinyobjloader takes 0 for what it cannot read and rounds the last digits.
struct ObjNumbers {
    std::vector<double> positions;   // |V|·3
    std::vector<double> tex_coords;  // |VT|·2
};

void split(std::string_view line, Words& words) {
    constexpr std::string_view blanks = " \t\r";
    words.clear();
    for (size_t begin = line.find_first_not_of(blanks); begin != std::string_view::npos;) {
        const size_t end = std::min(line.find_first_of(blanks, begin), line.size());
        words.push_back(line.substr(begin, end - begin));
        begin = line.find_first_not_of(blanks, end);
    }
}

double read_number(std::string_view word, const std::string& source, long line) {
    if (word.starts_with('+')) word.remove_prefix(1);
    double value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
        throw Error("'{}', line {}: '{}' is not a finite number", source, line, word);
    return value;
}

void read_numbers(const Words& words, size_t count, std::vector<double>& into, const std::string& source, long line) {
    if (words.size() < count + 1)
        throw Error("'{}', line {}: '{}' needs {} numbers, but there are {}", source, line, words[0], count,
                    words.size() - 1);
    for (size_t i = 0; i < count; ++i) into.push_back(read_number(words[i + 1], source, line));
}

// A corner is vertex, vertex/texture, vertex//normal or vertex/texture/normal. tinyobjloader takes any beginning that
// looks like a number, and lets large ones wrap around.
void check_face(const Words& words, const std::string& source, long line) {
    if (words.size() < 4) throw Error("'{}', line {}: a face needs at least three corners", source, line);
    for (size_t i = 1; i < words.size(); ++i) {
        std::string_view rest = words[i];
        for (int part = 0; part < 3; ++part) {
            int index = 0;
            const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
            const bool may_be_empty = part == 1 && rest.starts_with('/');
            if (code != std::errc() && !may_be_empty) break;
            rest.remove_prefix(static_cast<size_t>(end - rest.data()));
            if (rest.empty() || rest.front() != '/') break;
            rest.remove_prefix(1);
        }
        if (!rest.empty()) throw Error("'{}', line {}: '{}' is not a corner of a face", source, line, words[i]);
    }
}

void read_line(const Words& words, ObjNumbers& numbers, const std::string& source, long line) {
    if (words.empty()) return;
    if (words[0] == "v") {
        read_numbers(words, 3, numbers.positions, source, line);
    } else if (words[0] == "vt") {
        read_numbers(words, std::min<size_t>(2, std::max<size_t>(words.size(), 2) - 1), numbers.tex_coords, source,
                     line);
        if (words.size() == 2) numbers.tex_coords.push_back(0);  // the second coordinate may be left out
    } else if (words[0] == "f") {
        check_face(words, source, line);
    }
}

ObjNumbers read_numbers(std::string_view text, const std::string& source) {
    ObjNumbers numbers;
    Words words;
    long line = 1;
    for (size_t begin = 0; begin < text.size(); ++line) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        split(text.substr(begin, end - begin), words);
        read_line(words, numbers, source, line);
        begin = end + 1;
    }
    return numbers;
}

std::string first_line(const std::string& message) { return message.substr(0, message.find('\n')); }

std::vector<tinyobj::shape_t> read_faces(const std::string& text, bool triangulate, const std::string& source) {
    tinyobj::attrib_t attributes;
    std::vector<tinyobj::shape_t> shapes;
    std::vector<tinyobj::material_t> materials;
    std::string warnings, errors;
    std::istringstream stream(text);
    // Without a material reader no other file is opened, whatever the text says.
    if (!tinyobj::LoadObj(&attributes, &shapes, &materials, &warnings, &errors, &stream, nullptr, triangulate))
        throw Error("'{}' is not a readable OBJ file: {}", source, first_line(errors));
    return shapes;
}

void check_indices(const std::vector<tinyobj::shape_t>& shapes, const ObjNumbers& numbers, const std::string& source) {
    const long vertices = static_cast<long>(numbers.positions.size() / 3);
    const long tex_coords = static_cast<long>(numbers.tex_coords.size() / 2);
    for (const auto& shape : shapes)
        for (const tinyobj::index_t& corner : shape.mesh.indices) {
            if (corner.vertex_index < 0 || corner.vertex_index >= vertices)
                throw Error("'{}': a face names vertex {}, but there are only {}", source, corner.vertex_index + 1L,
                            vertices);
            if (corner.texcoord_index < -1 || corner.texcoord_index >= tex_coords)
                throw Error("'{}': a face names texture coordinate {}, but there are only {}", source,
                            corner.texcoord_index + 1L, tex_coords);
        }
}

bool all_triangles(const std::vector<tinyobj::shape_t>& shapes) {
    return std::ranges::all_of(shapes, [](const tinyobj::shape_t& shape) {
        return shape.mesh.indices.size() == 3 * shape.mesh.num_face_vertices.size() &&
               std::ranges::all_of(shape.mesh.num_face_vertices, [](int corners) { return corners == 3; });
    });
}

Triangles gather_triangles(const std::vector<tinyobj::shape_t>& shapes) {
    std::vector<int> corners;
    for (const auto& shape : shapes)
        for (const tinyobj::index_t& corner : shape.mesh.indices) corners.push_back(corner.vertex_index);
    return Eigen::Map<const Triangles>(corners.data(), static_cast<long>(corners.size() / 3), 3);
}

TexCoords gather_tex_coords(const std::vector<tinyobj::shape_t>& shapes, const ObjNumbers& numbers, long vertices) {
    if (numbers.tex_coords.empty()) return {};
    TexCoords result = TexCoords::Zero(vertices, 2);
    std::vector<bool> known(static_cast<size_t>(vertices), false);
    for (const auto& shape : shapes)
        for (const tinyobj::index_t& corner : shape.mesh.indices) {
            if (corner.texcoord_index < 0 || known[static_cast<size_t>(corner.vertex_index)]) continue;
            known[static_cast<size_t>(corner.vertex_index)] = true;
            const double* uv = numbers.tex_coords.data() + 2L * corner.texcoord_index;
            result.row(corner.vertex_index) << uv[0], uv[1];
        }
    if (std::ranges::none_of(known, [](bool is_known) { return is_known; })) return {};
    return result;
}

// Only what triangles and one texture coordinate per vertex do not say.
geometry::Faces gather_faces(const std::vector<tinyobj::shape_t>& shapes, const ObjNumbers& numbers,
                             const geometry::TriangleMesh& mesh) {
    geometry::Faces faces{.has_tex_coords = mesh.tex_coords.rows() > 0};
    bool says_more = false;
    size_t corners = 0;
    for (const auto& shape : shapes) {
        for (const int size : shape.mesh.num_face_vertices) {
            faces.sizes.push_back(size);
            corners += static_cast<size_t>(size);
            says_more = says_more || size != 3;
        }
        for (const tinyobj::index_t& corner : shape.mesh.indices) {
            faces.corners.push_back({.vertex = corner.vertex_index});
            if (!faces.has_tex_coords || corner.texcoord_index < 0) continue;
            const double* uv = numbers.tex_coords.data() + 2L * corner.texcoord_index;
            faces.corners.back().uv << uv[0], uv[1];
            says_more = says_more || faces.corners.back().uv != mesh.tex_coords.row(corner.vertex_index).transpose();
        }
    }
    if (!says_more || corners != faces.corners.size()) return {};  // tinyobjloader counts no more than 255 corners
    return faces;
}

}  // namespace

geometry::TriangleMesh read_obj(const std::filesystem::path& path) {
    const std::string source = path.string();
    const std::string text = read_file(path, size_limit);
    const ObjNumbers numbers = read_numbers(text, source);
    const std::vector<tinyobj::shape_t> polygons = read_faces(text, false, source);
    check_indices(polygons, numbers, source);
    // The triangulation of polygons trusts their indices, so they are checked before it runs.
    const std::vector<tinyobj::shape_t> shapes = all_triangles(polygons) ? polygons : read_faces(text, true, source);

    const long vertices = static_cast<long>(numbers.positions.size() / 3);
    geometry::TriangleMesh mesh;
    mesh.positions = Eigen::Map<const Positions>(numbers.positions.data(), vertices, 3);
    mesh.triangles = gather_triangles(shapes);
    mesh.tex_coords = gather_tex_coords(shapes, numbers, vertices);
    mesh.faces = gather_faces(polygons, numbers, mesh);
    if (mesh.triangle_count() == 0) throw Error("'{}' holds no faces; a mesh needs at least one", source);
    return mesh;
}

}  // namespace tulle::io

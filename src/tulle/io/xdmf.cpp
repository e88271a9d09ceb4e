// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/xdmf.h"

#include "tulle/core/atomic_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace tulle::io {

namespace {

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

// How a frame is taken out of a dataset of all frames.
enum class FrameReference { HyperSlab, Path };

struct SidecarWriter {
    FrameReference reference;
    std::string file;  // name of the cache, escaped
    const CacheHeader& header;
    size_t frames;
    std::string text;

    long vertices() const { return header.mesh.vertex_count(); }

    template <typename... Arguments>
    void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
    }

    void constant_item(std::string_view name, std::string_view type, int precision, long rows, int columns) {
        put("          <DataItem Format=\"HDF\" NumberType=\"{}\" Precision=\"{}\" Dimensions=\"{} "
            "{}\">{}:{}</DataItem>\n",
            type, precision, rows, columns, file, name);
    }

    // One frame of a |F|×|V|×3 dataset. The comment makes ParaView's reader keep its peace: it compares the first text
    // inside to see whether the shape changed, and complains where there is none.
    void frame_item(std::string_view name, size_t frame, long rows) {
        if (reference == FrameReference::Path) {  // begin : stride : count : shape of the dataset
            put("          <DataItem Format=\"HDF\" NumberType=\"Float\" Precision=\"4\" Dimensions=\"{} 3\">{}:{}|{} "
                "0 0:1 1 "
                "1:1 {} 3:{} {} 3</DataItem>\n",
                rows, file, name, frame, rows, frames, rows);
            return;
        }
        put("          <DataItem ItemType=\"HyperSlab\" Dimensions=\"{} 3\"><!-- frame {} -->\n", rows, frame);
        put("            <DataItem Dimensions=\"3 3\" Format=\"XML\">{} 0 0 1 1 1 1 {} 3</DataItem>\n", frame, rows);
        put("            <DataItem Format=\"HDF\" NumberType=\"Float\" Precision=\"4\" Dimensions=\"{} {} "
            "3\">{}:{}</DataItem>\n",
            frames, rows, file, name);
        put("          </DataItem>\n");
    }

    void attribute(std::string_view name, std::string_view type) {
        put("        <Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Node\">\n", name, type);
    }

    // Triangles and positions below `group`, "" or "/colliders/<name>".
    void moving_mesh(const std::string& group, long triangles, long rows, size_t frame, double time) {
        put("      <Grid Name=\"frame {}\" GridType=\"Uniform\">\n        <Time Value=\"{}\"/>\n", frame, time);
        put("        <Topology TopologyType=\"Triangle\" NumberOfElements=\"{}\">\n", triangles);
        constant_item(group + "/triangles", "Int", 4, triangles, 3);
        put("        </Topology>\n        <Geometry GeometryType=\"XYZ\">\n");
        frame_item(group + "/positions", frame, rows);
        put("        </Geometry>\n");
    }

    void cloth(size_t frame, double time) {
        moving_mesh("", header.mesh.triangle_count(), vertices(), frame, time);
        attribute("rest_positions", "Vector");
        constant_item("/rest_positions", "Float", 8, vertices(), 3);
        put("        </Attribute>\n");
        if (header.mesh.tex_coords.rows() > 0) {
            attribute("uv", "Matrix");
            constant_item("/uv", "Float", 8, vertices(), 2);
            put("        </Attribute>\n");
        }
        if (header.has_velocities) {
            attribute("velocities", "Vector");
            frame_item("/velocities", frame, vertices());
            put("        </Attribute>\n");
        }
        put("      </Grid>\n");
    }

    void begin_collection(std::string_view name) {
        put("    <Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", escaped(name));
    }

    void collider(const ColliderMesh& collider, size_t frame, double time) {
        moving_mesh("/colliders/" + escaped(collider.name), collider.triangles.rows(), collider.rest_positions.rows(),
                    frame, time);
        put("      </Grid>\n");
    }

    // Every mesh over time by itself.
    void meshes_of_frames(const std::vector<double>& times) {
        begin_collection(header.scene_name);
        for (size_t frame = 0; frame < times.size(); ++frame) cloth(frame, times[frame]);
        put("    </Grid>\n");
        for (const ColliderMesh& mesh : header.colliders) {
            if (!mesh.deforms) continue;
            begin_collection(mesh.name);
            for (size_t frame = 0; frame < times.size(); ++frame) collider(mesh, frame, times[frame]);
            put("    </Grid>\n");
        }
    }

    // All meshes of every frame together: the Xdmf3 readers take only the first collection over time.
    void frames_of_meshes(const std::vector<double>& times) {
        begin_collection(header.scene_name);
        for (size_t frame = 0; frame < times.size(); ++frame) {
            put("    <Grid Name=\"frame {}\" GridType=\"Collection\" CollectionType=\"Spatial\">\n", frame);
            put("      <Time Value=\"{}\"/>\n", times[frame]);
            cloth(frame, times[frame]);
            for (const ColliderMesh& mesh : header.colliders)
                if (mesh.deforms) collider(mesh, frame, times[frame]);
            put("    </Grid>\n");
        }
        put("    </Grid>\n");
    }
};

std::string sidecar(FrameReference reference, const std::filesystem::path& cache, const CacheHeader& header,
                    const std::vector<double>& times) {
    SidecarWriter writer{reference, escaped(cache.filename().string()), header, times.size(), {}};
    writer.text = own_xdmf_format.beginning;
    const bool is_together =
        reference == FrameReference::Path && std::ranges::any_of(header.colliders, &ColliderMesh::deforms);
    if (is_together)
        writer.frames_of_meshes(times);
    else
        writer.meshes_of_frames(times);
    writer.put("  </Domain>\n</Xdmf>\n");
    return writer.text;
}

}  // namespace

std::filesystem::path xmf_path(const std::filesystem::path& cache) {
    std::filesystem::path beside = cache;
    return beside.replace_extension(".xmf");
}

void write_xdmf(const std::filesystem::path& cache, const CacheHeader& header, const std::vector<double>& times) {
    write_file(xdmf_path(cache), sidecar(FrameReference::HyperSlab, cache, header, times), own_xdmf_format);
    write_file(xmf_path(cache), sidecar(FrameReference::Path, cache, header, times), own_xdmf_format);
}

}  // namespace tulle::io

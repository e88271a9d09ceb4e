// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/export_gltf.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/io/export_motion.h"
#include "tulle/io/gltf_document.h"
#include "tulle/io/gltf_mesh_rows.h"

#include <Eigen/Geometry>

namespace tulle::io {

namespace {

using Json = GltfDocument::Json;

constexpr int cloth_material = 0, collider_material = 1;

Json material(const char* name, double red, double green, double blue) {
    return {{"name", name},
            {"doubleSided", true},
            {"pbrMetallicRoughness",
             {{"baseColorFactor", {red, green, blue, 1}}, {"metallicFactor", 0}, {"roughnessFactor", 0.9}}}};
}

Json to_json(const Vector3& v) { return {v(0), v(1), v(2)}; }
Json to_json(const Eigen::Quaterniond& q) { return {q.x(), q.y(), q.z(), q.w()}; }

class GltfExport {
public:
    GltfExport(const CacheReader& cache, const ExportSettings& settings)
        : cache_(cache), settings_(settings), to_y_up_(y_up_rotation(cache.header().up_axis)) {}

    GltfDocument build() {
        const CacheHeader& header = cache_.header();
        document_.json = {{"asset", {{"version", "2.0"}, {"generator", "Tulle " + header.program_version}}},
                          {"scene", 0}};
        if (settings_.quantise)
            document_.json.update(
                {{"extensionsUsed", {"KHR_mesh_quantization"}}, {"extensionsRequired", {"KHR_mesh_quantization"}}});
        if (cache_.frame_count() > 1) times_ = add_times();
        add_cloth();
        for (size_t c = 0; c < header.colliders.size(); ++c) add_collider(c);
        Json scene_nodes = Json::array();
        for (size_t n = 0; n < nodes_.size(); ++n) scene_nodes.push_back(n);
        document_.json["scenes"] = Json::array({{{"name", header.scene_name}, {"nodes", scene_nodes}}});
        document_.json["nodes"] = nodes_;
        document_.json["meshes"] = meshes_;
        document_.json["materials"] = {material("cloth", 0.55, 0.05, 0.06)};
        if (!header.colliders.empty()) document_.json["materials"].push_back(material("collider", 0.4, 0.4, 0.42));
        if (!channels_.empty())
            document_.json["animations"] =
                Json::array({{{"name", "motion"}, {"channels", channels_}, {"samplers", samplers_}}});
        return std::move(document_);
    }

private:
    int add_times() {
        std::vector<float> times;
        for (long f = 0; f < cache_.frame_count(); ++f)
            times.push_back(static_cast<float>(static_cast<double>(f) / cache_.header().frame_rate));
        return document_.add_series(times, 1, true);
    }

    void add_channel(size_t node, const char* path, int output) {
        channels_.push_back({{"sampler", samplers_.size()}, {"target", {{"node", node}, {"path", path}}}});
        samplers_.push_back({{"input", times_}, {"interpolation", "LINEAR"}, {"output", output}});
    }

    void add_cloth() {
        const geometry::TriangleMesh& mesh = cache_.header().mesh;
        const MovingMesh cloth{
            .triangles = mesh.triangles, .frame_count = cache_.frame_count(), .positions = [this](long f) {
                settings_.before_frame();
                return cache_.positions(f);
            }};
        add_moving_mesh("Cloth", cloth, split_seams(mesh), cloth_material);
    }

    void add_moving_mesh(const std::string& name, const MovingMesh& moving, const SplitMesh& split, int material) {
        const std::unique_ptr<GltfMeshRows> rows =
            settings_.quantise ? make_quantised_rows(moving, to_y_up_) : make_plain_rows(moving, to_y_up_);
        const long vertices = split.vertex_count(moving.positions(0).rows());
        Json primitive = {{"attributes", rows->add_base(document_, split)},
                          {"indices", document_.add_indices(split.triangles, vertices)},
                          {"material", material}};
        if (split.tex_coords.rows() > 0) {
            Rows<float, 2> uv = split.tex_coords.cast<float>();
            uv.col(1) = 1 - uv.col(1).array();  // glTF counts from the top of the picture
            primitive["attributes"]["TEXCOORD_0"] = document_.add_vertices(uv, 2, false);
        }
        Json mesh = {{"name", name}};
        add_targets(*rows, split, moving.frame_count - 1, primitive, mesh);
        mesh["primitives"] = Json::array({primitive});
        nodes_.push_back({{"name", name}, {"mesh", meshes_.size()}});
        nodes_.back().update(rows->node_transform());
        meshes_.push_back(mesh);
    }

    // Target k is frame k + 1. At the time of frame f the weight of target f − 1 is one and all others are zero.
    // Belongs to the next node.
    void add_targets(const GltfMeshRows& rows, const SplitMesh& split, long targets, Json& primitive, Json& mesh) {
        if (targets == 0) return;
        std::vector<std::uint32_t> ones;
        for (long k = 0; k < targets; ++k) {
            primitive["targets"].push_back(rows.add_target(document_, split, k + 1));
            mesh["extras"]["targetNames"].push_back(fmt::format("frame {}", k + 1));
            ones.push_back(static_cast<std::uint32_t>((k + 1) * targets + k));
            if (nodes_.empty()) settings_.progress(static_cast<double>(k + 1) / static_cast<double>(targets));
        }
        add_channel(nodes_.size(), "weights", document_.add_sparse_ones((targets + 1) * targets, ones));
    }

    void add_collider(size_t index) {
        const ColliderMesh& collider = cache_.header().colliders[index];
        if (collider.deforms) {
            const auto positions = [this, index](long f) {
                settings_.before_frame();
                return cache_.collider_positions(index, f);
            };
            add_moving_mesh(collider.name, {collider.triangles, cache_.frame_count(), positions},
                            {.sources = {}, .triangles = collider.triangles, .tex_coords = {}}, collider_material);
            return;
        }
        const Rows<float, 3> points = to_y_up(collider.rest_positions, cache_.header().up_axis).cast<float>();
        // Without normals every triangle is drawn flat, which suits boxes and does balls little harm.
        const Json primitive = {{"attributes", {{"POSITION", document_.add_vertices(points, 3, true)}}},
                                {"indices", document_.add_indices(collider.triangles, points.rows())},
                                {"material", collider_material}};
        const size_t node = nodes_.size();
        meshes_.push_back({{"name", collider.name}, {"primitives", Json::array({primitive})}});
        nodes_.push_back({{"name", collider.name}, {"mesh", meshes_.size() - 1}});
        add_motion(node, collider_motion(cache_, index));
    }

    void add_motion(size_t node, const std::vector<Eigen::Isometry3d>& motion) {
        std::vector<float> translations, rotations;
        Eigen::Quaterniond previous = Eigen::Quaterniond::Identity();
        for (size_t f = 0; f < motion.size(); ++f) {
            const Vector3 translation = to_y_up_ * motion[f].translation();
            Eigen::Quaterniond rotation(Matrix3(to_y_up_ * motion[f].linear() * to_y_up_.transpose()));
            if (rotation.dot(previous) < 0) rotation.coeffs() *= -1;  // the short way round between frames
            previous = rotation.normalized();
            if (f == 0) nodes_[node].update({{"translation", to_json(translation)}, {"rotation", to_json(previous)}});
            for (const double x : translation) translations.push_back(static_cast<float>(x));
            for (const double x : previous.coeffs()) rotations.push_back(static_cast<float>(x));
        }
        if (motion.size() == 1) return;
        add_channel(node, "translation", document_.add_series(translations, 3, false));
        add_channel(node, "rotation", document_.add_series(rotations, 4, false));
    }

    const CacheReader& cache_;
    const ExportSettings& settings_;
    Matrix3 to_y_up_;
    GltfDocument document_;
    Json nodes_ = Json::array(), meshes_ = Json::array(), channels_ = Json::array(), samplers_ = Json::array();
    int times_ = -1;
};

}  // namespace

void export_gltf(const CacheReader& cache, const std::filesystem::path& target, const ExportSettings& settings) {
    prepare_target(target, gltf_format_of(target));  // before the work, not after it
    GltfExport(cache, settings).build().write(target);
}

}  // namespace tulle::io

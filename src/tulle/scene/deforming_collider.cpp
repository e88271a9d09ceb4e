// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/deforming_collider.h"

#include "tulle/collision/closed_mesh.h"
#include "tulle/core/error.h"
#include "tulle/scene/load_mesh.h"

namespace tulle::scene {

namespace {

struct Key {
    std::string file;
    geometry::TriangleMesh mesh;     // as in the file
    geometry::TriangleMesh outward;  // wound outward
};

Key load_key(const MeshPlacement& placement) {
    Key key{.file = placement.file.string(), .mesh = load_mesh(placement), .outward = {}};
    try {
        key.outward = collision::closed_mesh(key.mesh);
    } catch (const Error& error) {
        throw Error("'{}': {}", key.file, error.what());
    }
    return key;
}

void check_goes_with(const Key& first, const Key& key) {
    if (key.mesh.vertex_count() != first.mesh.vertex_count())
        throw Error("'{}' has {} vertices, but '{}' has {}; all keys of a collider must have the same", key.file,
                    key.mesh.vertex_count(), first.file, first.mesh.vertex_count());
    if (key.mesh.triangle_count() != first.mesh.triangle_count() || key.mesh.triangles != first.mesh.triangles)
        throw Error("'{}' has other triangles than '{}'; all keys of a collider must have the same, in the same order",
                    key.file, first.file);
    if (key.outward.triangles != first.outward.triangles)
        throw Error("'{}' is turned inside out, compared with '{}'", key.file, first.file);
}

}  // namespace

std::unique_ptr<collision::DeformingMesh> make_deforming_mesh(const DeformingSolid& solid) {
    Key first;
    geometry::DeformingMotion motion;
    for (const MeshPlacement& placement : solid.keys) {
        Key key = load_key(placement);
        if (motion.times.empty())
            first = key;
        else
            check_goes_with(first, key);
        motion.times.push_back(static_cast<double>(motion.times.size()) / solid.frame_rate);
        motion.positions.push_back(std::move(key.outward.positions));
    }
    return std::make_unique<collision::DeformingMesh>(first.outward.triangles, std::move(motion));
}

}  // namespace tulle::scene

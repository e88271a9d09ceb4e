// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/garment/worn_garment.h"

#include "tulle/core/error.h"
#include "tulle/io/obj.h"

namespace tulle::scene {

const BodySolid& wearer(const Scene& scene) {
    if (scene.garment)
        for (const ColliderSettings& collider : scene.colliders)
            if (const auto* body = std::get_if<BodySolid>(&collider.shape)) return *body;
    throw Error("{}: the method garment dresses a body, but the scene has no [garment]; see scenes/shirt.toml",
                scene.source);
}

// From the file, not from where the body puts it: which body triangle a vertex belongs to is often a tie between two,
// and rounding must not decide it anew for every placement.
geometry::TriangleMesh worn_garment(const Scene& scene, const MovingBody& body) {
    geometry::TriangleMesh worn = io::read_obj(scene.garment->file);
    if (worn.tex_coords.rows() != worn.vertex_count())
        throw Error("'{}' has no texture coordinates, which the method garment needs; unwrap it",
                    scene.garment->file.string());
    worn.positions = Positions(worn.positions * body.upright());
    return worn;
}

std::string garment_weights_name(const Scene& scene) {
    return fmt::format("garment-{}.safetensors", scene.garment->file.stem().string());
}

}  // namespace tulle::scene

// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/garment/worn_garment.h"

#include "tulle/core/error.h"

namespace tulle::scene {

const BodySolid& wearer(const Scene& scene) {
    if (scene.garment)
        for (const ColliderSettings& collider : scene.colliders)
            if (const auto* body = std::get_if<BodySolid>(&collider.shape)) return *body;
    throw Error("{}: the method garment dresses a body, but the scene has no [garment]; see scenes/shirt.toml",
                scene.source);
}

geometry::TriangleMesh worn_garment(const physics::ClothModel& model, const MovingBody& body) {
    const Eigen::Affine3d to_body = body.to_world().inverse();
    geometry::TriangleMesh worn{model.start_positions * to_body.linear().transpose(), model.mesh.triangles,
                                model.mesh.tex_coords};
    worn.positions.rowwise() += to_body.translation().transpose();
    return worn;
}

std::string garment_weights_name(const Scene& scene) {
    return fmt::format("garment-{}.safetensors", scene.garment->file.stem().string());
}

}  // namespace tulle::scene

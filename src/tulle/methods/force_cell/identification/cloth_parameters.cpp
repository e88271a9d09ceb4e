// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/identification/cloth_parameters.h"

#include "tulle/core/error.h"
#include "tulle/physics/stencil.h"

#include <algorithm>

namespace tulle::methods {

VectorX to_vector(const ClothParameters& parameters) {
    VectorX values(parameter_count);
    values << parameters.stiffness[0], parameters.stiffness[1], parameters.stiffness[2], parameters.damping[0],
        parameters.damping[1], parameters.damping[2], parameters.drag, parameters.gravity;
    return values;
}

ClothParameters to_parameters(const VectorX& values) {
    return {.stiffness = {values(0), values(1), values(2)},
            .damping = {values(3), values(4), values(5)},
            .drag = values(6),
            .gravity = values.tail<3>()};
}

std::string parameter_name(int index) {
    static const std::array<std::string, parameter_count> names = {
        "stretch.stiffness", "shear.stiffness", "bend.stiffness", "stretch.damping",
        "shear.damping",     "bend.damping",    "drag",           "gravity.x",
        "gravity.y",         "gravity.z"};
    return names.at(static_cast<size_t>(index));
}

Eigen::MatrixXd law_matrix(SpringLaw law) {
    if (law == SpringLaw::ByKind) return Eigen::MatrixXd::Identity(parameter_count, parameter_count);
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(parameter_count, 6);
    matrix.block<3, 1>(0, 0).setOnes();
    matrix.block<3, 1>(3, 1).setOnes();
    matrix.block<4, 4>(6, 2).setIdentity();
    return matrix;
}

std::vector<int> spring_kinds(const physics::ClothModel& model) {
    std::vector<int> kinds;
    for (long e = 0; e < model.springs.count(); ++e) {
        const int a = model.springs.edges(e, 0), b = model.springs.edges(e, 1), columns = model.grid->columns;
        const std::array<int, 2> offset = {b / columns - a / columns, b % columns - a % columns};
        const auto found = std::find(physics::stencil_offsets.begin(), physics::stencil_offsets.end(), offset);
        if (found == physics::stencil_offsets.end()) throw Error("a spring of the cloth is not one of a grid");
        kinds.push_back(static_cast<int>(found - physics::stencil_offsets.begin()) / 2);
    }
    return kinds;
}

KnownCloth with_all_springs(KnownCloth cloth) {
    if (!cloth.model.grid) throw Error("the cloth is not a grid; only the springs of a grid can be identified");
    if (cloth.model.hinges.count() > 0)
        throw Error("the cloth bends by hinges, as fabrics do; only cloths of springs can be identified");
    if (cloth.model.grid->rows < 3 || cloth.model.grid->columns < 3)
        throw Error("a grid of {}×{} vertices has no springs over two cells; at least 3×3 are needed",
                    cloth.model.grid->rows, cloth.model.grid->columns);
    const physics::SpringMaterial any{.stiffness = 1, .damping = 0};
    cloth.model.springs = physics::grid_springs({.size = *cloth.model.grid, .mesh = cloth.model.mesh},
                                                {.stretch = any, .shear = any, .bend = any});
    return cloth;
}

physics::ClothModel model_with(const KnownCloth& cloth, const std::vector<int>& kinds,
                               const ClothParameters& parameters) {
    physics::ClothModel model = cloth.model;
    for (long e = 0; e < model.springs.count(); ++e) {
        const auto kind = static_cast<size_t>(kinds[static_cast<size_t>(e)]);
        const double length = cloth.stiffness_per_length ? model.springs.rest_lengths(e) : 1;
        model.springs.stiffness(e) = parameters.stiffness[kind] / length;
        model.springs.damping(e) = parameters.damping[kind];
    }
    return model;
}

physics::World world_with(const KnownCloth& cloth, const ClothParameters& parameters) {
    physics::World world = cloth.world;
    world.gravity = parameters.gravity;
    world.drag_rate = parameters.drag;
    return world;
}

}  // namespace tulle::methods

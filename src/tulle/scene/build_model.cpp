// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/error.h"
#include "tulle/geometry/subdivision.h"
#include "tulle/io/obj.h"
#include "tulle/physics/holes.h"
#include "tulle/physics/woven_bending.h"
#include "tulle/scene/build.h"
#include "tulle/scene/load_mesh.h"
#include "tulle/scene/select_pins.h"

namespace tulle::scene {

namespace {

VectorX make_masses(const ClothSettings& cloth, const geometry::TriangleMesh& mesh) {
    const std::vector<double>& given = cloth.particle_masses;
    if (given.empty()) return physics::masses_from_density(mesh, cloth.density);
    if (given.size() == 1) return VectorX::Constant(mesh.vertex_count(), given.front());
    if (given.size() != static_cast<size_t>(mesh.vertex_count()))
        throw Error("{}: 'mass' in [cloth] lists {} masses, but the cloth has {} vertices", cloth.where, given.size(),
                    mesh.vertex_count());
    return VectorX::Map(given.data(), static_cast<long>(given.size()));
}

physics::ClothModel make_grid(const ClothSettings& cloth, const GridShape& shape) {
    geometry::GridCloth grid = geometry::make_grid_cloth(shape.size, shape.placement);
    physics::ClothModel model;
    if (const auto* springs = std::get_if<physics::GridMaterial>(&cloth.material)) {
        model.springs = physics::grid_springs(grid, *springs);
    } else {
        const auto& fabric = std::get<Fabric>(cloth.material);
        model.springs = fabric_springs(grid, fabric);
        // Skip springs resist folding with the fourth power of the curvature only; hinges have a true rigidity.
        model.hinges = physics::woven_hinges(grid, fabric.bending);
    }
    model.grid = shape.size;
    model.mesh = std::move(grid.mesh);
    return model;
}

geometry::TriangleMesh subdivided(geometry::TriangleMesh mesh, int times) {
    for (int i = 0; i < times; ++i) mesh = geometry::refine(mesh, geometry::subdivide(mesh));
    return mesh;
}

physics::ClothModel make_mesh(const ClothSettings& cloth, const MeshPlacement& placement) {
    const auto& fabric = std::get<Fabric>(cloth.material);
    physics::ClothModel model;
    model.mesh = load_mesh(placement);
    geometry::check_cloth_mesh(model.mesh, placement.file.string());
    model.mesh = subdivided(std::move(model.mesh), cloth.subdivisions);
    if (model.mesh.vertex_count() > max_particles)
        throw Error("'{}' has {} vertices; at most {} are allowed", placement.file.string(), model.mesh.vertex_count(),
                    max_particles);
    model.springs =
        physics::edge_springs(model.mesh, {.stretch = fabric.stretch, .damping = fabric.damping, .bending = 0});
    model.hinges = physics::quadratic_hinges(model.mesh, fabric.bending);
    return model;
}

// The file has the vertices of the cloth, or of its mesh before subdivision, which then happens to it too.
Positions load_start(const ClothSettings& cloth, const MeshPlacement& placement, int vertex_count) {
    geometry::TriangleMesh start = load_mesh(placement);
    if (start.vertex_count() == vertex_count) return start.positions;
    if (cloth.subdivisions > 0) {
        const geometry::TriangleMesh mesh = load_mesh(std::get<MeshPlacement>(cloth.shape));
        start.triangles = mesh.triangles;
        if (start.vertex_count() == mesh.vertex_count())
            return subdivided(std::move(start), cloth.subdivisions).positions;
    }
    throw Error("{}: the cloth has {} vertices, but its start '{}' has {}; give it the same ones in the same order",
                cloth.where, vertex_count, placement.file.string(), start.vertex_count());
}

Positions make_start(const ClothSettings& cloth, const Positions& rest) {
    if (const auto* placement = std::get_if<MeshPlacement>(&cloth.start))
        return load_start(cloth, *placement, static_cast<int>(rest.rows()));
    if (const auto* positions = std::get_if<Positions>(&cloth.start)) return *positions;
    return rest;
}

// Of a garment whose rest shape has none.
TexCoords load_pattern(const GarmentSection& garment, const physics::ClothModel& model) {
    const geometry::TriangleMesh worn = io::read_obj(garment.file);
    if (worn.tex_coords.rows() != model.vertex_count())
        throw Error("'{}' has no texture coordinates, which a garment needs as its pattern; unwrap it",
                    garment.file.string());
    return worn.tex_coords;
}

// Both ends in the first or last row, or in the first or last column.
bool is_along_border(const geometry::GridSize& size, int a, int b) {
    const auto on_line = [](int i, int j, int count) { return i == j && (i == 0 || i == count - 1); };
    return on_line(a / size.columns, b / size.columns, size.rows) ||
           on_line(a % size.columns, b % size.columns, size.columns);
}

void scale_springs(const ClothSettings& cloth, physics::ClothModel& model) {
    const std::vector<bool> pinned = model.pinned();
    for (long e = 0; e < model.springs.count(); ++e) {
        const int a = model.springs.edges(e, 0), b = model.springs.edges(e, 1);
        double scale = 1;
        if (model.grid && is_along_border(*model.grid, a, b)) scale *= cloth.border_stiffness;
        if (pinned[static_cast<size_t>(a)] || pinned[static_cast<size_t>(b)]) scale *= cloth.pin_stiffness;
        model.springs.stiffness(e) *= scale;
        model.springs.damping(e) *= scale;
    }
}

void cut_holes(const ClothSettings& cloth, physics::ClothModel& model) {
    if (cloth.holes.empty()) return;
    std::vector<bool> absent(static_cast<size_t>(model.vertex_count()), false);
    for (const ClothSettings::Hole& hole : cloth.holes)
        for (int r = hole.first_row; r <= hole.last_row; ++r)
            for (int c = hole.first_column; c <= hole.last_column; ++c)
                absent[static_cast<size_t>(model.grid->index(r, c))] = true;
    physics::cut_holes(model, absent);
}

}  // namespace

geometry::TriangleMesh load_mesh(const MeshPlacement& placement) {
    geometry::TriangleMesh mesh = io::read_obj(placement.file);
    mesh.positions = placement.scale * mesh.positions * placement.rotation.transpose();
    mesh.positions.rowwise() += placement.translation.transpose();
    return mesh;
}

physics::ClothModel make_model(const Scene& scene) {
    physics::ClothModel model = std::holds_alternative<GridShape>(scene.cloth.shape)
                                    ? make_grid(scene.cloth, std::get<GridShape>(scene.cloth.shape))
                                    : make_mesh(scene.cloth, std::get<MeshPlacement>(scene.cloth.shape));
    model.start_positions = make_start(scene.cloth, model.mesh.positions);
    if (scene.garment && model.mesh.tex_coords.rows() == 0) model.mesh.tex_coords = load_pattern(*scene.garment, model);
    model.masses = make_masses(scene.cloth, model.mesh);
    for (const PinSettings& pins : scene.pins)
        model.pins.push_back({.vertices = select_pins(pins, model), .motion = pins.motion});
    cut_holes(scene.cloth, model);
    if (scene.cloth.border_stiffness != 1 || scene.cloth.pin_stiffness != 1) scale_springs(scene.cloth, model);
    try {
        physics::check(model);
    } catch (const Error& error) {
        throw Error("{}: {}", scene.source, error.what());
    }
    return model;
}

}  // namespace tulle::scene

// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/sections.h"

#include <cmath>

namespace tulle::scene {

namespace {

enum class Kind { Grid, Mesh };

GridShape read_grid(TableReader& cloth, const Vector3& up) {
    GridShape grid;
    grid.size.rows = cloth.integer("rows", {.min = 2, .max = max_particles / 2, .fallback = 25});
    grid.size.columns = cloth.integer("columns", {.min = 2, .max = max_particles / 2, .fallback = 25});
    if (static_cast<std::int64_t>(grid.size.rows) * grid.size.columns > max_particles)
        cloth.fail("rows", fmt::format("and 'columns' ask for {}×{} particles; at most {} are allowed", grid.size.rows,
                                       grid.size.columns, max_particles));
    grid.placement.width = cloth.number("width", {.unit = "m", .max = 1e6, .positive = true, .fallback = 1});
    grid.placement.height = cloth.number("height", {.unit = "m", .max = 1e6, .positive = true, .fallback = 1});
    grid.placement.origin = cloth.vector("origin", {.unit = "m", .fallback = Vector3::Zero()});
    grid.placement.along_columns = cloth.vector("along_columns", {.direction = true, .fallback = Vector3::UnitX()});
    grid.placement.along_rows = cloth.vector("along_rows", {.direction = true, .fallback = Vector3(-up)});
    if (std::abs(grid.placement.along_columns.dot(grid.placement.along_rows)) > 1e-6)
        cloth.fail("along_rows", "must be at a right angle to 'along_columns'");
    cloth.exclude({"file", "scale", "rotation", "translation", "subdivisions"},
                  "belongs to kind = \"mesh\", not to a grid");
    return grid;
}

std::vector<ClothSettings::Hole> read_holes(TableReader& cloth, const geometry::GridSize& size) {
    std::vector<ClothSettings::Hole> holes;
    if (!cloth.has("holes")) return holes;
    const std::vector<double> numbers = cloth.number_rows("holes", 4);
    for (size_t i = 0; i + 3 < numbers.size(); i += 4) {
        const auto whole = [&](size_t k) { return static_cast<int>(numbers[i + k]); };
        const ClothSettings::Hole hole{whole(0), whole(1), whole(2), whole(3)};
        const auto fits = [](int first, int last, int count) { return first >= 0 && first <= last && last < count; };
        if (!fits(hole.first_row, hole.last_row, size.rows) || !fits(hole.first_column, hole.last_column, size.columns))
            cloth.fail("holes", fmt::format("must list [first row, last row, first column, last column] within {}×{}",
                                            size.rows, size.columns));
        holes.push_back(hole);
    }
    return holes;
}

void read_mesh(TableReader& cloth, ClothSettings& settings) {
    settings.shape = read_mesh_placement(cloth);
    settings.subdivisions = cloth.integer("subdivisions", {.min = 0, .max = 8, .fallback = 0});
    cloth.exclude({"rows", "columns", "width", "height", "origin", "along_columns", "along_rows", "stretch", "shear",
                   "bend", "stiffness_per_length", "holes"},
                  "belongs to kind = \"grid\", not to a mesh");
}

MeshPlacement read_start(TableReader start) {
    const MeshPlacement placement = read_mesh_placement(start);
    start.finish();
    return placement;
}

physics::SpringMaterial read_spring(TableReader spring, double stiffness) {
    physics::SpringMaterial material;
    material.stiffness = spring.number("stiffness", {.unit = "N/m", .min = 0, .fallback = stiffness});
    material.damping = spring.number("damping", {.unit = "N s/m", .min = 0, .fallback = 0});
    spring.finish();
    return material;
}

physics::GridMaterial read_springs(TableReader& cloth) {
    physics::GridMaterial springs;
    springs.stretch = read_spring(cloth.table("stretch"), 100);
    springs.shear = read_spring(cloth.table("shear"), 100);
    springs.bend = read_spring(cloth.table("bend"), 5);
    springs.stiffness_per_length = cloth.boolean("stiffness_per_length", false);
    return springs;
}

Fabric read_preset(TableReader& cloth) {
    std::vector<std::pair<std::string, Fabric>> options;
    for (const FabricPreset& preset : fabric_presets()) options.emplace_back(preset.name, preset.fabric);
    return cloth.choice("fabric", options);
}

// A continuum's stiffness; what is not given is the preset's, or without a preset cotton's.
Fabric read_membrane(TableReader membrane, Fabric fabric, Kind kind) {
    fabric.stretch = membrane.number("stretch", {.unit = "N/m", .min = 0, .fallback = fabric.stretch});
    if (kind == Kind::Grid)
        fabric.shear = membrane.number("shear", {.unit = "N/m", .min = 0, .fallback = fabric.shear});
    else
        membrane.exclude({"shear"},
                         "belongs to kind = \"grid\"; a mesh of edge springs shears with 3/8 of its stretch stiffness");
    fabric.bending = membrane.number("bending", {.unit = "N m", .min = 0, .fallback = fabric.bending});
    fabric.damping = membrane.number("damping", {.unit = "N s/m", .min = 0, .fallback = fabric.damping});
    membrane.finish();
    return fabric;
}

void read_masses(TableReader& cloth, ClothSettings& settings) {
    const std::string given = cloth.exactly_one_of({"mass", "density", "fabric"});
    const NumberRule mass = {.unit = "kg", .max = 1e6, .positive = true};
    if (given == "mass" && cloth.is_list("mass"))
        settings.particle_masses = cloth.numbers("mass", mass);
    else if (given == "mass")
        settings.particle_masses = {cloth.number("mass", mass)};
    else if (given == "density")
        settings.density = cloth.number("density", {.unit = "kg/m²", .max = 1e6, .positive = true});
    else
        settings.density = read_preset(cloth).density;
}

void read_material(TableReader& cloth, Kind kind, ClothSettings& settings) {
    const bool is_continuum = cloth.has("fabric") || cloth.has("membrane") || kind == Kind::Mesh;
    if (!is_continuum) {
        settings.material = read_springs(cloth);
        return;
    }
    const Fabric start = cloth.has("fabric") ? read_preset(cloth) : fabric_presets().front().fabric;
    settings.material = read_membrane(cloth.table("membrane"), start, kind);
    cloth.exclude(
        {"stretch", "shear", "bend", "stiffness_per_length"},
        "is a spring, but 'fabric' and [cloth.membrane] describe the cloth without springs; use one or the other");
}

void read_motion_at_start(TableReader& cloth, ClothSettings& settings) {
    settings.velocity = cloth.vector("velocity", {.unit = "m/s", .fallback = Vector3::Zero()});
    settings.noise = cloth.number("noise", {.unit = "m", .min = 0, .max = 1, .fallback = 0});
}

}  // namespace

GarmentSection read_garment(TableReader table) {
    GarmentSection garment{.file = table.file("file"), .rest = {}};
    if (table.has("rest")) garment.rest = table.file("rest");
    table.finish();
    return garment;
}

ClothSettings read_cloth(TableReader cloth, const Vector3& up, const GarmentSection* garment) {
    ClothSettings settings;
    settings.where = cloth.where();
    if (garment) {
        settings.shape = MeshPlacement{.file = garment->rest.empty() ? garment->file : garment->rest};
        settings.start = MeshPlacement{.file = garment->file};
        cloth.exclude({"kind", "file", "scale", "rotation", "translation", "subdivisions", "start", "rows", "columns",
                       "width", "height", "origin", "along_columns", "along_rows", "holes"},
                      "is what [garment] says; remove one of them");
        read_masses(cloth, settings);
        read_material(cloth, Kind::Mesh, settings);
        read_motion_at_start(cloth, settings);
        cloth.finish();
        return settings;
    }
    const Kind kind = cloth.choice<Kind>("kind", {{"grid", Kind::Grid}, {"mesh", Kind::Mesh}}, Kind::Grid);
    if (kind == Kind::Grid) {
        const GridShape grid = read_grid(cloth, up);
        settings.holes = read_holes(cloth, grid.size);
        settings.shape = grid;
    } else {
        read_mesh(cloth, settings);
    }
    read_masses(cloth, settings);
    read_material(cloth, kind, settings);
    if (cloth.has("start")) settings.start = read_start(cloth.table("start"));
    read_motion_at_start(cloth, settings);
    cloth.finish();
    return settings;
}

}  // namespace tulle::scene

// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/scene.h"

#include "tulle/core/atomic_file.h"
#include "tulle/scene/families/families.h"
#include "tulle/scene/overrides.h"
#include "tulle/scene/sections.h"

#include <algorithm>
#include <numbers>
#include <sstream>

namespace tulle::scene {

namespace {

TimeSettings read_time(TableReader time) {
    TimeSettings settings;
    settings.frame_rate =
        time.number("frame_rate", {.unit = "1/s", .min = 1e-3, .max = 1e6, .fallback = settings.frame_rate});
    settings.frames = time.integer("frames", {.min = 1, .max = 10'000'000, .fallback = settings.frames});
    time.finish();
    return settings;
}

void read_forces(TableReader forces, Scene& scene) {
    scene.gravity = forces.vector("gravity", {.unit = "m/s²", .fallback = Vector3(-9.81 * scene.up)});
    scene.pressure = forces.number("pressure", {.unit = "Pa", .fallback = 0});
    scene.drag = forces.number("drag", {.unit = "1/s", .min = 0, .fallback = 0});
    forces.finish();
}

std::string read_method(TableReader& root) {
    const std::string method = root.text("method", "admm");
    try {
        return parse_method(method).to_string();
    } catch (const Error& error) {
        root.fail("method", fmt::format("is wrong: {}", error.what()));
    }
}

std::string text_with_overrides(const std::string& text, const toml::table& table, const Overrides& overrides,
                                const std::string& source) {
    if (overrides.empty()) return text;
    std::ostringstream out;
    out << "# " << source;
    for (const std::string& setting : overrides) out << " --set " << setting;
    out << "\n" << toml::toml_formatter(table) << "\n";
    return out.str();
}

}  // namespace

physics::WindSettings read_wind(TableReader wind, const Scene& scene) {
    physics::WindSettings settings;
    settings.velocity = wind.vector("velocity", {.unit = "m/s"});
    settings.normal = wind.number("normal", {.unit = "N s/m³", .min = 0, .fallback = settings.normal});
    settings.tangential = wind.number("tangential", {.unit = "N s/m³", .min = 0, .fallback = settings.tangential});
    settings.gust_strength = wind.number("gust_strength", {.min = 0, .max = 10, .fallback = settings.gust_strength});
    settings.gust_period =
        wind.number("gust_period", {.unit = "s", .positive = true, .fallback = settings.gust_period});
    const double degrees = wind.number("turning_degrees", {.unit = "degrees", .fallback = 0});
    settings.turning_angle = degrees * std::numbers::pi / 180;
    settings.turning_period =
        wind.number("turning_period", {.unit = "s", .positive = true, .fallback = settings.turning_period});
    settings.turning_axis = scene.up;
    settings.seed = wind.seed("seed", scene.seed);
    wind.finish();
    return settings;
}

collision::SelfContactSettings read_self_contact(TableReader self) {
    collision::SelfContactSettings settings;
    settings.enabled = self.boolean("enabled", settings.enabled);
    settings.thickness =
        self.number("thickness", {.unit = "m", .max = 1, .positive = true, .fallback = settings.thickness});
    settings.friction = self.number("friction", {.min = 0, .max = 100, .fallback = settings.friction});
    self.finish();
    return settings;
}

ProjectionSection read_projection(TableReader table) {
    ProjectionSection section;
    if (table.has("inextensible")) section.inextensible = table.number("inextensible", {.min = 0, .max = 1e6});
    if (table.has("compression")) section.compression = table.number("compression", {.min = 0, .max = 1});
    section.quasistatic = table.boolean("quasistatic", section.quasistatic);
    section.mu = table.number("mu", {.max = 1e9, .positive = true, .fallback = section.mu});
    section.tolerance = table.number("tolerance", {.min = 1e-12, .max = 1, .fallback = section.tolerance});
    if (table.has("max_iterations"))
        section.max_iterations = table.integer("max_iterations", {.min = 1, .max = 100'000'000});
    table.finish();
    return section;
}

namespace {

// The body is a collider like any other.
void add_body(const TableReader& table, Scene& scene) {
    const bool is_taken = std::any_of(scene.colliders.begin(), scene.colliders.end(),
                                      [](const ColliderSettings& other) { return other.name == "body"; });
    if (is_taken) throw Error("{}: a collider is called 'body', but so is what [body] makes; rename it", table.where());
    scene.colliders.push_back(read_body(table, scene.up));
}

// A garment is put where its body is put, and grows with it.
void place_garment(const BodySolid& body, ClothSettings& cloth) {
    std::get<MeshPlacement>(cloth.shape).scale = body.placement.scale;
    auto& start = std::get<MeshPlacement>(cloth.start);
    start.scale = body.placement.scale;
    start.rotation = body.placement.rotation;
    start.translation = body.placement.translation;
}

}  // namespace

Scene read_scene(TableReader& root) {
    Scene scene;
    scene.name = root.text("name", "");
    scene.description = root.text("description", "");
    scene.seed = root.seed("seed", 1);
    scene.up = root.choice<Vector3>("up_axis", {{"z", Vector3::UnitZ()}, {"y", Vector3::UnitY()}}, Vector3::UnitZ());
    scene.method = read_method(root);
    scene.time = read_time(root.table("time"));
    if (root.has("garment")) {
        scene.garment = read_garment(root.table("garment"));
        if (!root.has("body")) root.fail("garment", "needs a [body] that wears it; add one, or make it a [cloth]");
    }
    scene.cloth = read_cloth(root.table("cloth"), scene.up, scene.garment ? &*scene.garment : nullptr);
    scene.pins = read_pins(root, scene.up);
    read_forces(root.table("forces"), scene);
    if (root.has("wind")) scene.wind = read_wind(root.table("wind"), scene);
    scene.colliders = read_colliders(root, scene.up);
    if (root.has("body")) add_body(root.table("body"), scene);
    if (scene.garment) place_garment(std::get<BodySolid>(scene.colliders.back().shape), scene.cloth);
    scene.self_contact = read_self_contact(root.table("self_contact"));
    scene.projection = read_projection(root.table("projection"));
    TableReader solver = root.table("solver");
    for (const auto& family : families()) family->read_settings(root, solver, scene);
    solver.finish();
    root.finish();
    return scene;
}

Scene parse_scene(const std::string& text, const std::string& source, const std::filesystem::path& folder,
                  const Overrides& overrides) {
    toml::table table = parse_toml(text, source);
    apply_overrides(table, overrides);
    Document document{.source = source, .folder = folder, .known_keys = {}};
    TableReader root(document, table);
    Scene scene = read_scene(root);
    if (scene.name.empty()) scene.name = std::filesystem::path(source).stem().string();
    scene.source = source;
    scene.folder = folder;
    scene.text = text_with_overrides(text, table, overrides, source);
    return scene;
}

std::set<std::string> known_keys(const std::string& text, const std::filesystem::path& folder) {
    const toml::table table = parse_toml(text, "scene");
    Document document{.source = "scene", .folder = folder, .known_keys = {}};
    TableReader root(document, table);
    read_scene(root);
    return document.known_keys;
}

Scene load_scene(const std::filesystem::path& path, const Overrides& overrides) {
    constexpr std::uintmax_t limit = 64 << 20;  // [bytes] a mass for every particle fits
    return parse_scene(read_file(path, limit), path.string(), path.parent_path(), overrides);
}

}  // namespace tulle::scene

// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/solvers.h"

#include "tulle/core/error.h"
#include "tulle/physics/solvers/solver.h"
#include "tulle/scene/table_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tulle::scene {

namespace {

const IntegerRule steps_rule = {.min = 1, .max = 1'000'000};

int read_iterations(TableReader& table, const std::string& key, int fallback) {
    return table.integer(key, {.min = 1, .max = 1'000'000, .fallback = fallback});
}

// Fabrics are far too stiff for the papers' weights; the papers' springs keep them.
physics::ProjectiveDynamicsSettings admm_for(const ClothSettings& cloth) {
    if (!std::holds_alternative<Fabric>(cloth.material)) return {};
    return {.iterations = 40, .scheme = physics::AdmmScheme::Balanced};
}

void read_section(TableReader& table, physics::ProjectiveDynamicsSettings& settings) {
    using physics::AdmmScheme;
    settings.iterations = read_iterations(table, "iterations", settings.iterations);
    settings.scheme = table.choice<AdmmScheme>(
        "scheme", {{"paper", AdmmScheme::Paper}, {"balanced", AdmmScheme::Balanced}}, settings.scheme);
    settings.tolerance = table.number("tolerance", {.min = 0, .max = 1, .fallback = settings.tolerance});
    settings.reference = table.boolean("reference", settings.reference);
}

void read_section(TableReader& table, physics::ImplicitEulerSettings& settings) {
    settings.newton_steps = read_iterations(table, "newton_steps", settings.newton_steps);
    settings.cg_iterations = read_iterations(table, "cg_iterations", settings.cg_iterations);
    settings.cg_tolerance = table.number("cg_tolerance", {.min = 0, .max = 1, .fallback = settings.cg_tolerance});
}

void read_section(TableReader& table, physics::MassSpringSettings& settings) {
    settings.reference = table.boolean("reference", settings.reference);
}

void read_section(TableReader& table, physics::XpbdSettings& settings) {
    settings.iterations = read_iterations(table, "iterations", settings.iterations);
}

void read_section(TableReader& table, physics::NewtonSettings& settings) {
    settings.tolerance = table.number("tolerance", {.max = 1, .positive = true, .fallback = settings.tolerance});
    settings.max_iterations = read_iterations(table, "max_iterations", settings.max_iterations);
}

// Where a variant goes; null where a solver has none.
int* variant_of(physics::SolverSettings& settings) {
    if (auto* admm = std::get_if<physics::ProjectiveDynamicsSettings>(&settings)) return &admm->iterations;
    if (auto* implicit = std::get_if<physics::ImplicitEulerSettings>(&settings)) return &implicit->newton_steps;
    if (auto* xpbd = std::get_if<physics::XpbdSettings>(&settings)) return &xpbd->iterations;
    return nullptr;
}

bool is_explicit(const physics::SolverSettings& settings) {
    return std::holds_alternative<physics::MassSpringSettings>(settings);
}

int parse_number(const std::string& digits) {
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool is_whole = error == std::errc() && end == digits.data() + digits.size();
    return is_whole && value >= 1 && value <= 1'000'000 ? value : 0;
}

}  // namespace

const std::vector<physics::SolverSettings>& all_solvers() {
    static const std::vector<physics::SolverSettings> solvers = {
        physics::ProjectiveDynamicsSettings{}, physics::ImplicitEulerSettings{}, physics::MassSpringSettings{},
        physics::XpbdSettings{}, physics::NewtonSettings{}};
    return solvers;
}

std::vector<std::string> solver_names() {
    std::vector<std::string> names;
    for (const physics::SolverSettings& settings : all_solvers()) names.push_back(physics::method_name(settings));
    return names;
}

physics::SolverSettings solver_settings(const Scene& scene, const Method& method) {
    physics::SolverSettings settings = scene.solvers.at(method.name).settings;
    if (!method.variant.empty()) *variant_of(settings) = parse_number(method.variant);
    return settings;
}

std::vector<std::string> SolverFamily::method_names() const { return solver_names(); }

std::string SolverFamily::read_variant(const std::string& name, const std::string& variant) const {
    const std::vector<std::string> names = solver_names();
    const auto index = static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    physics::SolverSettings settings = all_solvers()[index];
    if (!variant_of(settings)) throw Error("method '{}:{}': {} has no variants; write '{}'", name, variant, name, name);
    const int number = parse_number(variant);
    if (number == 0)
        throw Error("method '{}:{}': the variant after the colon must be a whole number from 1 to 1000000", name,
                    variant);
    return std::to_string(number);
}

std::unique_ptr<physics::Stepper> SolverFamily::make_stepper(const Run& run) const {
    return physics::make_solver(run.model, run.world, solver_settings(run.scene, run.method));
}

int SolverFamily::steps_per_frame(const Scene& scene, const physics::ClothModel& model, const Method& method) const {
    const SolverSection& section = scene.solvers.at(method.name);
    if (section.steps_per_frame) return *section.steps_per_frame;
    if (!is_explicit(section.settings)) return 1;
    return std::max(1, static_cast<int>(std::ceil(scene.time.frame_time() / physics::stable_explicit_step(model))));
}

bool SolverFamily::leaves_steps_open(const Scene& scene, const Method& method) const {
    const SolverSection& section = scene.solvers.at(method.name);
    return !section.steps_per_frame && !is_explicit(section.settings);
}

std::string SolverFamily::steps_key(const Scene&, const Method& method) const {
    return "solver." + method.name + ".steps_per_frame";
}

void SolverFamily::read_settings(TableReader&, TableReader& solver, Scene& scene) const {
    std::optional<int> common_steps;
    if (solver.has("steps_per_frame")) common_steps = solver.integer("steps_per_frame", steps_rule);
    for (const physics::SolverSettings& defaults : all_solvers()) {
        const std::string name = physics::method_name(defaults);
        TableReader table = solver.table(name);
        SolverSection section{.steps_per_frame = {}, .settings = defaults};
        if (std::holds_alternative<physics::ProjectiveDynamicsSettings>(defaults))
            section.settings = admm_for(scene.cloth);
        // The explicit solver's steps follow from what is stable, not from what the others need.
        if (!is_explicit(defaults)) section.steps_per_frame = common_steps;
        if (table.has("steps_per_frame")) section.steps_per_frame = table.integer("steps_per_frame", steps_rule);
        std::visit([&](auto& settings) { read_section(table, settings); }, section.settings);
        table.finish();
        scene.solvers.emplace(name, section);
    }
}

}  // namespace tulle::scene

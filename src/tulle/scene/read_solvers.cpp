// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/method.h"
#include "tulle/scene/sections.h"

namespace tulle::scene {

namespace {

const IntegerRule steps_rule = {.min = 1, .max = 1'000'000};

int read_iterations(TableReader& table, const std::string& key, int fallback) {
    return table.integer(key, {.min = 1, .max = 1'000'000, .fallback = fallback});
}

void read_settings(TableReader& table, physics::ProjectiveDynamicsSettings& settings) {
    settings.iterations = read_iterations(table, "iterations", settings.iterations);
    settings.tolerance = table.number("tolerance", {.min = 0, .max = 1, .fallback = settings.tolerance});
    settings.reference = table.boolean("reference", settings.reference);
}

void read_settings(TableReader& table, physics::ImplicitEulerSettings& settings) {
    settings.newton_steps = read_iterations(table, "newton_steps", settings.newton_steps);
    settings.cg_iterations = read_iterations(table, "cg_iterations", settings.cg_iterations);
    settings.cg_tolerance = table.number("cg_tolerance", {.min = 0, .max = 1, .fallback = settings.cg_tolerance});
}

void read_settings(TableReader& table, physics::MassSpringSettings& settings) {
    settings.reference = table.boolean("reference", settings.reference);
}

void read_settings(TableReader& table, physics::XpbdSettings& settings) {
    settings.iterations = read_iterations(table, "iterations", settings.iterations);
}

void read_settings(TableReader& table, physics::NewtonSettings& settings) {
    settings.tolerance = table.number("tolerance", {.max = 1, .positive = true, .fallback = settings.tolerance});
    settings.max_iterations = read_iterations(table, "max_iterations", settings.max_iterations);
}

}  // namespace

std::map<std::string, SolverSection> read_solvers(TableReader solver) {
    std::optional<int> common_steps;
    if (solver.has("steps_per_frame")) common_steps = solver.integer("steps_per_frame", steps_rule);
    std::map<std::string, SolverSection> sections;
    for (const physics::SolverSettings& defaults : all_solvers()) {
        const std::string name = physics::method_name(defaults);
        TableReader table = solver.table(name);
        SolverSection section{.steps_per_frame = {}, .settings = defaults};
        // The explicit solver's steps follow from what is stable, not from what the others need.
        if (name != "mass_spring") section.steps_per_frame = common_steps;
        if (table.has("steps_per_frame")) section.steps_per_frame = table.integer("steps_per_frame", steps_rule);
        std::visit([&](auto& settings) { read_settings(table, settings); }, section.settings);
        table.finish();
        sections.emplace(name, std::move(section));
    }
    solver.finish();
    return sections;
}

}  // namespace tulle::scene

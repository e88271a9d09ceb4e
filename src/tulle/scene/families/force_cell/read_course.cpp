// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/force_cell/force_cell_course.h"
#include "tulle/scene/table_reader.h"

namespace tulle::scene {

ForceCellCourseSettings read_force_cell_course(TableReader& recipe, const std::string& name) {
    ForceCellCourseSettings course{.name = name};
    TableReader table = recipe.table("cell");
    methods::CellDesign& design = course.design;
    design = table.choice<methods::CellDesign>("design", {{"ours", {}}, {"paper", methods::paper_design()}},
                                               methods::CellDesign{});
    design.activation = table.named("activation", design.activation, methods::parse_cell_activation);
    design.softening = table.number("softening", {.unit = "m²", .min = 0, .max = 1, .fallback = design.softening});
    design.scale = table.number("scale", {.max = 1e6, .positive = true, .fallback = design.scale});
    design.learns_scales = table.choice<bool>("filters", {{"fixed", false}, {"learnt", true}}, design.learns_scales);
    design.one_branch = table.choice<bool>("branches", {{"each", false}, {"one", true}}, design.one_branch);
    design.ties_pairs = table.choice<bool>("pairs", {{"tied", true}, {"free", false}}, design.ties_pairs);
    course.fitting = table.choice<CellFitting>(
        "fit", {{"training", CellFitting::Training}, {"least_squares", CellFitting::LeastSquares}}, course.fitting);
    course.units = table.choice<CellUnits>(
        "units", {{"whitened", CellUnits::Whitened}, {"evolved", CellUnits::Evolved}}, course.units);
    course.physics_share = table.number("physics_share", {.min = 0, .max = 1, .fallback = course.physics_share});
    course.evolution.population =
        table.integer("population", {.min = 4, .max = 10'000'000, .fallback = course.evolution.population});
    course.evolution.generations =
        table.integer("generations", {.min = 1, .max = 100'000, .fallback = course.evolution.generations});
    course.evolution.seed = table.seed("seed", course.evolution.seed);
    table.finish();
    return course;
}

}  // namespace tulle::scene

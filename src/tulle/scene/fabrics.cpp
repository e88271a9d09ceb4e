// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/fabrics.h"

#include <algorithm>
#include <cmath>

namespace tulle::scene {

// Textile laboratories measure with Kawabata's system (KES-F): bending B in gf cm²/cm = 9.81e-5 N m, shear G in
// gf/(cm degree) = 56.2 N/m, and the strain EMT under 500 gf/cm = 490 N/m. Threads straighten before they stretch, so
// one stiffness is a secant; damping was not measured by any of the sources and is chosen to be small.
const std::vector<FabricPreset>& fabric_presets() {
    static const std::vector<FabricPreset> presets = {
        {"cotton",
         {.density = 0.15, .stretch = 5000, .shear = 45, .bending = 1e-5, .damping = 0.02},
         "plain-woven shirting, typical of published KES-F ranges: B about 0.1 gf cm²/cm, G about 0.8 gf/(cm degree), "
         "EMT about 10 %; not one measured cloth"},
        {"silk",
         {.density = 0.10, .stretch = 4000, .shear = 17, .bending = 2e-6, .damping = 0.02},
         "charmeuse of 23 momme (1 momme = 4.34 g/m²), typical of published KES-F ranges for thin dress silks: B about "
         "0.02 gf cm²/cm, G about 0.3 gf/(cm degree), EMT about 12 %; not one measured cloth"},
        {"denim",
         {.density = 0.324, .stretch = 9000, .shear = 75, .bending = 6.2e-5, .damping = 0.05},
         "density, shear and warp bending of '11oz black denim' as measured by Wang, O'Brien and Ramamoorthi 2011; "
         "stretch from EMT 4.7-5.7 % in a KES-F study of six denims (Journal of Textiles 2016, article 4614168, "
         "table 5), because the former cloth is elastic weft"},
        {"rubber",
         {.density = 0.8, .stretch = 150, .shear = 100, .bending = 1e-5, .damping = 0},
         "the papers' springs seen from afar: structural and shear k = 100 N/m with 0.5 g a particle at 2.5 cm; "
         "the bending is ours, because skip springs have no rigidity of their own"},
    };
    return presets;
}

namespace {

struct CellStiffness {
    double along_columns, along_rows, diagonal;  // [N/m]
};

// A cell of a × b with springs k_a, k_b along its sides and k_d along both diagonals has, by its energy per area,
//   C₁₁ = k_a a/b + G a²/b²,   C₂₂ = k_b b/a + G b²/a²,   C₁₂ = C₃₃ = G   with   G = 2 k_d a b / (a² + b²).
// A thread pulled alone feels E = C − G²/C, so C = (E + √(E² + 4G²))/2 for both directions.
CellStiffness cell_stiffness(const Fabric& fabric, double a, double b) {
    const double E = fabric.stretch, G = fabric.shear;
    const double C = (E + std::sqrt(E * E + 4 * G * G)) / 2;
    return {.along_columns = std::max(C - G * a * a / (b * b), 0.0) * b / a,
            .along_rows = std::max(C - G * b * b / (a * a), 0.0) * a / b,
            .diagonal = G * (a * a + b * b) / (2 * a * b)};
}

}  // namespace

physics::Springs fabric_springs(const geometry::GridCloth& cloth, const Fabric& fabric) {
    const geometry::GridSize& size = cloth.size;
    const auto point = [&](int row, int column) { return cloth.mesh.positions.row(size.index(row, column)); };
    const CellStiffness cell =
        cell_stiffness(fabric, (point(0, 1) - point(0, 0)).norm(), (point(1, 0) - point(0, 0)).norm());
    physics::Springs springs = physics::grid_springs(
        cloth, {.stretch = {.stiffness = 1, .damping = fabric.damping}, .shear = {.stiffness = 1}, .bend = {}});
    for (long e = 0; e < springs.count(); ++e) {
        const int a = springs.edges(e, 0), b = springs.edges(e, 1);
        const int row = a / size.columns, column = a % size.columns;
        const bool same_row = row == b / size.columns, same_column = column == b % size.columns;
        // A spring on the border stands for half a cell only.
        const bool on_border = (same_row && (row == 0 || row == size.rows - 1)) ||
                               (same_column && (column == 0 || column == size.columns - 1));
        const double whole = same_row ? cell.along_columns : same_column ? cell.along_rows : cell.diagonal;
        springs.stiffness(e) = on_border ? whole / 2 : whole;
    }
    return springs;
}

}  // namespace tulle::scene

// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/upsampling.h"
#include "tests/support/error_of.h"
#include "tests/support/near.h"
#include "tulle/core/random.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::geometry;

namespace {

constexpr std::array all_interpolations = {Interpolation::Bilinear, Interpolation::Biquadratic, Interpolation::Bicubic};

Miniature miniature_of(int coarse_rows, int coarse_columns, int factor) {
    return make_miniature({(coarse_rows - 1) * factor + 1, (coarse_columns - 1) * factor + 1}, factor);
}

// surface(row, column) at every vertex of a grid whose vertices are `step` apart.
template <typename Surface>
Positions on_grid(const GridSize& size, double step, const Surface& surface) {
    Positions positions(size.vertex_count(), 3);
    for (int r = 0; r < size.rows; ++r)
        for (int c = 0; c < size.columns; ++c) positions.row(size.index(r, c)) = surface(step * r, step * c);
    return positions;
}

Eigen::RowVector3d affine(double u, double v) { return {1 + 2 * u - 0.3 * v, -4 + 0.7 * v, 0.2 + u + 5 * v}; }
Eigen::RowVector3d quadratic(double u, double v) {
    return {u * u - 0.3 * v + u * v, 1 - v * v + u * u * v * v, 0.2 * u + 3 * u * v * v};
}

Positions upsampled(const Miniature& miniature, Interpolation interpolation, const Positions& coarse) {
    Positions fine;
    Upsampling(miniature, interpolation).apply(coarse, fine);
    return fine;
}

}  // namespace

TEST_CASE("Every interpolation reproduces an affine map, at the border too, at factors 2, 3 and 4") {
    for (const Interpolation interpolation : all_interpolations)
        for (const int factor : {2, 3, 4})
            for (const auto& [rows, columns] : {std::pair{2, 2}, {2, 5}, {3, 3}, {5, 4}, {6, 9}}) {
                CAPTURE(factor);
                CAPTURE(rows);
                CAPTURE(columns);
                const Miniature miniature = miniature_of(rows, columns, factor);
                const Positions coarse = on_grid(miniature.coarse, factor, affine);
                const Positions error =
                    upsampled(miniature, interpolation, coarse) - on_grid(miniature.fine, 1, affine);
                CHECK(error.cwiseAbs().maxCoeff() < 1e-12 * 100);  // values go up to 100
            }
}

TEST_CASE("Bicubic is exact on quadratics inside, biquadratic everywhere, bilinear nowhere between the vertices") {
    for (const int factor : {2, 3, 4}) {
        CAPTURE(factor);
        const Miniature miniature = miniature_of(6, 7, factor);
        const double step = 1.0 / factor;
        const Positions coarse = on_grid(miniature.coarse, 1, quadratic);
        const Positions truth = on_grid(miniature.fine, step, quadratic);
        const auto largest_error = [&](Interpolation interpolation, int border) {
            const Positions fine = upsampled(miniature, interpolation, coarse);
            double largest = 0;
            for (int r = border; r < miniature.fine.rows - border; ++r)
                for (int c = border; c < miniature.fine.columns - border; ++c) {
                    const int v = miniature.fine.index(r, c);
                    largest = std::max(largest, (fine.row(v) - truth.row(v)).cwiseAbs().maxCoeff());
                }
            return largest;
        };
        CHECK(largest_error(Interpolation::Bicubic, factor) < 1e-11);
        CHECK(largest_error(Interpolation::Bicubic, 0) > 1e-3);  // beyond the border it goes on straight
        CHECK(largest_error(Interpolation::Biquadratic, 0) < 1e-11);
        CHECK(largest_error(Interpolation::Bilinear, factor) > 1e-3);
    }
}

TEST_CASE("A coarse vertex keeps its place to the bit") {
    Random random(3);
    for (const Interpolation interpolation : all_interpolations)
        for (const int factor : {2, 3, 4}) {
            const Miniature miniature = miniature_of(5, 8, factor);
            const Positions coarse = on_grid(
                miniature.coarse, 1, [&](double, double) { return Eigen::RowVector3d(random.uniform(), 7, 1e9); });
            CHECK(sample(miniature.fine_vertices(), upsampled(miniature, interpolation, coarse)) == coarse);
        }
}

TEST_CASE("Rows of the fine grid can be filled one by one with the same bits") {
    Random random(4);
    const Miniature miniature = miniature_of(5, 8, 3);
    const Positions coarse = on_grid(miniature.coarse, 1, [&](double, double) {
        return Eigen::RowVector3d(random.uniform(), random.uniform(), random.uniform());
    });
    const Upsampling bicubic(miniature, Interpolation::Bicubic);
    Positions whole, by_rows(miniature.fine.vertex_count(), 3);
    bicubic.apply(coarse, whole);
    for (int row = miniature.fine.rows - 1; row >= 0; --row) bicubic.fill_rows(coarse, row, row + 1, by_rows);
    CHECK(by_rows == whole);
}

TEST_CASE("A grid whose sides do not divide is refused with the nearest size that does") {
    CHECK(make_miniature({49, 73}, 3).coarse == GridSize{17, 25});
    const auto refused = [](const GridSize& size, int factor) {
        return test::error_of([&] { make_miniature(size, factor); });
    };
    CHECK(test::contains(refused({50, 73}, 2), "the nearest size that does is 51×73"));
    CHECK(test::contains(refused({33, 49}, 3), "the nearest size that does is 34×49"));
    CHECK(test::contains(refused({2, 49}, 4), "the nearest size that does is 5×49"));
    CHECK(test::contains(refused({49, 73}, 1), "take 2, 3 or 4"));
}

TEST_CASE("Hats gather s² inside, s(s+1)/2 on an edge, ((s+1)/2)² in a corner, and add up") {
    for (const int s : {2, 3, 4}) {
        CAPTURE(s);
        const Miniature miniature = miniature_of(4, 5, s);
        const GridSize& coarse = miniature.coarse;
        const VectorX even = gather_by_hats(miniature, VectorX::Constant(miniature.fine.vertex_count(), 0.5));
        CHECK(even(coarse.index(1, 2)) == test::near(0.5 * s * s).epsilon(1e-12));
        CHECK(even(coarse.index(0, 2)) == test::near(0.5 * s * (s + 1) / 2).epsilon(1e-12));
        CHECK(even(coarse.index(2, 4)) == test::near(0.5 * s * (s + 1) / 2).epsilon(1e-12));
        CHECK(even(coarse.index(3, 0)) == test::near(0.5 * (s + 1) * (s + 1) / 4).epsilon(1e-12));
        const VectorX uneven = VectorX::LinSpaced(miniature.fine.vertex_count(), 1, 2);
        CHECK(gather_by_hats(miniature, uneven).sum() == test::near(uneven.sum()).epsilon(1e-12));
    }
}

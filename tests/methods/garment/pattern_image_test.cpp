// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/pattern_image.h"
#include "tulle/methods/garment/sewing_pattern.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::methods;

namespace {

PatternSide expected_side(int side) {
    return side < 0 ? PatternSide::Front : side > 0 ? PatternSide::Back : PatternSide::Seam;
}

}  // namespace

TEST_CASE("Front, back and seams of sewn garments are told apart by their triangles") {
    for (const SewingPattern& pattern : {t_shirt_pattern(), skirt_pattern()}) {
        const SewnGarment garment = sew(pattern, 0.03);
        const std::vector<PatternSide> sides = pattern_sides(rest_shape(garment).tex_coords, garment.triangles);
        long wrong = 0;
        for (size_t v = 0; v < sides.size(); ++v) wrong += sides[v] != expected_side(garment.side[v]);
        CHECK(wrong == 0);
    }
}

TEST_CASE("A vertex reads what varies linearly over its side exactly, and on a seam the mean of both sides") {
    const SewnGarment garment = sew(t_shirt_pattern(), 0.03);
    const int height = 24, width = 32;
    const PatternImage images(garment.pattern, garment.triangles, height, width);
    const Eigen::RowVector2d low = garment.pattern.colwise().minCoeff(), high = garment.pattern.colwise().maxCoeff();
    // Channel c of the front is u + c, that of the back is v − c.
    std::vector<float> image(static_cast<size_t>(images.size()));
    for (int c = 0; c < 6; ++c)
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const double u = low(0) + (high(0) - low(0)) * x / (width - 1);
                const double v = low(1) + (high(1) - low(1)) * y / (height - 1);
                image[static_cast<size_t>((c * height + y) * width + x)] =
                    static_cast<float>(c < 3 ? u + c : v - (c - 3));
            }
    const Positions read = images.read(image);
    double worst = 0;
    for (long v = 0; v < read.rows(); ++v) {
        const Eigen::RowVector3d front =
            Eigen::RowVector3d::Constant(garment.pattern(v, 0)) + Eigen::RowVector3d(0, 1, 2);
        const Eigen::RowVector3d back =
            Eigen::RowVector3d::Constant(garment.pattern(v, 1)) - Eigen::RowVector3d(0, 1, 2);
        const int side = garment.side[static_cast<size_t>(v)];
        const Eigen::RowVector3d expected = side < 0 ? front : side > 0 ? back : Eigen::RowVector3d((front + back) / 2);
        worst = std::max(worst, (read.row(v) - expected).cwiseAbs().maxCoeff());
    }
    CHECK(worst < 1e-6);
}

TEST_CASE("A vertex reads at most eight pixels, whose weights add up to one") {
    const SewnGarment garment = sew(skirt_pattern(), 0.03);
    const PatternImage images(garment.pattern, garment.triangles, 16, 16);
    REQUIRE(images.vertex_count() == garment.pattern.rows());
    for (long v = 0; v < images.vertex_count(); ++v) {
        double sum = 0;
        for (const PatternImage::Tap& tap : images.taps(v)) {
            sum += static_cast<double>(tap.weight);
            CHECK(tap.pixel + 2 * 16 * 16 < images.size());
        }
        CHECK(images.taps(v).size() <= 8);
        CHECK(sum == doctest::Approx(1));
    }
}

TEST_CASE("A pattern without extent is read at its first pixel") {
    Rows<double, 2> pattern(3, 2);
    pattern << 0.5, 0, 0.5, 1, 0.5, 2;  // a line
    Triangles triangles(1, 3);
    triangles << 0, 1, 2;
    const PatternImage images(pattern, triangles, 3, 2);
    CHECK(images.taps(2).front().pixel == 2 * 2);
    CHECK(PatternImage(pattern, triangles, 1, 1).taps(2).front().pixel == 0);
}

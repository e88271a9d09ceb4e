// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/miniature/patch_upscaler.h"

#include "tests/methods/upscaling/support.h"
#include "tests/support/error_of.h"
#include "tulle/core/parallel.h"

#include <doctest/doctest.h>

#include <Eigen/SVD>

#include <algorithm>
#include <numeric>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;
using geometry::Miniature;

namespace {

constexpr double frame_time = 0.04;

struct Case {
    Miniature miniature;
    Positions fine_rest;
    Positions coarse;  // waving

    explicit Case(int factor, int coarse_rows = 5, int coarse_columns = 7)
        : miniature(
              geometry::make_miniature({(coarse_rows - 1) * factor + 1, (coarse_columns - 1) * factor + 1}, factor)),
          fine_rest(flat(miniature.fine, 0.1 / factor)),
          coarse(waving(flat(miniature.coarse, 0.1))) {}

    PatchUpscaler upscaler(const neural::Network& network, Features features = Features::Canonical) const {
        return {miniature, fine_rest, network, {.features = features, .frame_time = frame_time}};
    }
    neural::Network silent() const { return silent_network(patch_symmetry({miniature.factor})); }
    neural::Network random(std::uint64_t seed = 1) const {
        return neural::test::symmetric_network(patch_symmetry({miniature.factor}), {64, 64}, seed);
    }
    Positions bicubic(const Positions& positions) const {
        Positions fine;
        geometry::Upsampling(miniature, geometry::Interpolation::Bicubic).apply(positions, fine);
        return fine;
    }
};

// A point of the coarse grid; beyond its border the line through the two nearest rows or columns goes on.
Vector3 coarse_point(const Case& at, int row, int column) {
    const geometry::GridSize& size = at.miniature.coarse;
    if (row < 0) return 2 * coarse_point(at, 0, column) - coarse_point(at, 1, column);
    if (row >= size.rows) return 2 * coarse_point(at, size.rows - 1, column) - coarse_point(at, size.rows - 2, column);
    if (column < 0) return 2 * coarse_point(at, row, 0) - coarse_point(at, row, 1);
    if (column >= size.columns)
        return 2 * coarse_point(at, row, size.columns - 1) - coarse_point(at, row, size.columns - 2);
    return at.coarse.row(size.index(row, column));
}

// The affine part of a cell as a rotation and a stretch: its frame, and S of A = Q S.
struct Polar {
    Matrix3 axes;
    Eigen::Matrix2d stretch;
};

Polar polar(const Vector3& along, const Vector3& across) {
    Eigen::Matrix<double, 3, 2> affine;
    affine << along, across;
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(affine, Eigen::ComputeThinU | Eigen::ComputeThinV);
    Polar found;
    found.axes.leftCols<2>() = svd.matrixU() * svd.matrixV().transpose();
    found.axes.col(2) = found.axes.col(0).cross(found.axes.col(1));
    found.stretch = svd.matrixV() * svd.singularValues().asDiagonal() * svd.matrixV().transpose();
    return found;
}

// What one patch says of its (s+1)² vertices in world axes, written as the method is described.
std::vector<Vector3> ask_patch(const Case& at, const neural::Network& network, int row, int column) {
    const auto corner = [&](int i, int j) { return coarse_point(at, row + i, column + j); };
    const double unit = 0.1;  // coarse spacing at rest
    const Vector3 center = (corner(0, 0) + corner(0, 1) + corner(1, 0) + corner(1, 1)) / 4;
    const Vector3 right = (corner(0, 1) - corner(0, 0) + corner(1, 1) - corner(1, 0)) / (2 * unit);
    const Vector3 down = (corner(1, 0) - corner(0, 0) + corner(1, 1) - corner(0, 1)) / (2 * unit);
    const auto [axes, stretch] = polar(right, down);
    Eigen::Matrix<double, 3, 16> shape;
    for (int p = 0; p < 16; ++p) {
        const Eigen::Vector2d rest(p % 4 - 1.5, p / 4 - 1.5);
        shape.col(p) = axes.transpose() * (corner(p / 4 - 1, p % 4 - 1) - center) / unit;
        shape.col(p).head<2>() -= stretch * rest;
    }
    const double size = shape.norm() / 4;
    std::vector<float> input, output(static_cast<size_t>(network.output_size()));
    for (const double number : shape.reshaped()) input.push_back(static_cast<float>(number / size));
    for (const double number : {stretch(0, 0) - 1, stretch(0, 1), stretch(1, 1) - 1, std::log(size) / 2 + 1, 0.0, 0.0})
        input.push_back(static_cast<float>(number));
    neural::evaluate_reference(network, input, output);
    const double scale = unit * (size - least_size) * std::exp(held_log_scale(output[output.size() - 2]));
    std::vector<Vector3> answers;
    for (size_t i = 0; i + 2 < output.size(); i += 3)
        answers.push_back(scale * (axes * Eigen::Vector3f(output[i], output[i + 1], output[i + 2]).cast<double>()));
    return answers;
}

// The plain twin: patches in any order are added up where they meet, then divided by how many they are.
Positions upscale_plainly(const Case& at, const neural::Network& network, std::uint64_t order_seed) {
    const int s = at.miniature.factor, per_row = at.miniature.coarse.columns - 1;
    std::vector<int> order(static_cast<size_t>((at.miniature.coarse.rows - 1) * per_row));
    std::iota(order.begin(), order.end(), 0);
    Random random(order_seed);
    for (size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random.bits() % (i + 1)]);
    Positions sums = Positions::Zero(at.miniature.fine.vertex_count(), 3);
    VectorX counts = VectorX::Zero(sums.rows());
    for (const int patch : order) {
        const int row = patch / per_row, column = patch % per_row;
        const std::vector<Vector3> answers = ask_patch(at, network, row, column);
        for (int v = 0; v < (s + 1) * (s + 1); ++v) {
            const int fine = at.miniature.fine.index(row * s + v / (s + 1), column * s + v % (s + 1));
            sums.row(fine) += answers[static_cast<size_t>(v)];
            counts(fine) += 1;
        }
    }
    Positions fine = at.bicubic(at.coarse) + counts.cwiseInverse().asDiagonal() * sums;
    for (int v = 0; v < at.miniature.coarse.vertex_count(); ++v)  // what is simulated stays
        fine.row(at.miniature.fine_vertices()[static_cast<size_t>(v)]) = at.coarse.row(v);
    return fine;
}

}  // namespace

TEST_CASE("A miniature's network that says zero gives bicubic to the bit, border patches included") {
    for (const int factor : {2, 3, 4}) {
        CAPTURE(factor);
        const Case at(factor);
        const PatchUpscaler upscaler = at.upscaler(at.silent());
        CHECK(upscaled(upscaler, at.coarse) == at.bicubic(at.coarse));
    }
}

TEST_CASE("A miniature's network that says zero reproduces an affine cloth, border patches included") {
    Matrix3 stretch;
    stretch << 1.2, 0.1, -0.3, 0, 0.9, 0.4, 0.2, 0, 1.1;
    for (const int factor : {2, 3, 4}) {
        CAPTURE(factor);
        const Case at(factor);
        const auto affine = [&](const Positions& rest) {
            return Positions((rest * stretch.transpose()).rowwise() + Eigen::RowVector3d(10, -4, 2));
        };
        const PatchUpscaler upscaler = at.upscaler(at.silent());
        const Positions fine = upscaled(upscaler, affine(flat(at.miniature.coarse, 0.1)));
        CHECK(largest_distance(fine, affine(at.fine_rest)) < 1e-12);
    }
}

TEST_CASE("A miniature with canonical features turns and moves with its input") {
    for (const int factor : {2, 3, 4}) {
        const Case at(factor);
        const PatchUpscaler upscaler = at.upscaler(at.random());
        for (const Vector3& translation : {Vector3(0, 0, 0), Vector3(0.3, -0.2, 0.5), Vector3(10, -10, 10)}) {
            CAPTURE(factor);
            CAPTURE(translation.transpose());
            const Eigen::Isometry3d motion = some_motion(translation);
            const Positions expected = moved(motion, upscaled(upscaler, at.coarse));
            CHECK(largest_distance(upscaled(upscaler, moved(motion, at.coarse)), expected) < 1e-5);
        }
    }
}

TEST_CASE("A miniature with the paper's features does not turn or move with its input") {
    const Case at(2);
    for (const auto& [features, inputs] :
         {std::pair{Features::Paper, 36}, {Features::PaperPositions, 12}, {Features::PaperVelocities, 24}}) {
        const PatchUpscaler upscaler = at.upscaler(random_network({inputs, 64, 64, 27}), features);
        const Eigen::Isometry3d motion = some_motion({1, 0, 0});
        const Positions expected = moved(motion, upscaled(upscaler, at.coarse));
        CHECK(largest_distance(upscaled(upscaler, moved(motion, at.coarse)), expected) > 1e-2);
    }
}

TEST_CASE("Patches meet as their plain twin says, in whatever order it asks them") {
    for (const int factor : {2, 3, 4})
        for (const std::uint64_t seed : {1UL, 2UL}) {
            CAPTURE(factor);
            const Case at(factor);
            const neural::Network network = at.random(seed);
            const Positions fine = upscaled(at.upscaler(network), at.coarse);
            CHECK(largest_distance(fine, upscale_plainly(at, network, seed)) < 1e-5);
            CHECK(largest_distance(fine, at.bicubic(at.coarse)) > 1e-3);  // the network did say something
        }
}

TEST_CASE("The paper's patches see three frames and every vertex is the mean of what they say") {
    const Case at(2, 3, 4);
    const neural::Network network = random_network({36, 64, 64, 64, 27});
    std::vector<Positions> frames;
    for (const double phase : {0.0, 0.2, 0.4}) frames.push_back(waving(flat(at.miniature.coarse, 0.1), phase));
    Positions fine;
    at.upscaler(network, Features::Paper).upscale(frames, fine);
    Positions sums = Positions::Zero(fine.rows(), 3);
    VectorX counts = VectorX::Zero(fine.rows());
    for (const int patch : {5, 2, 0, 1, 4, 3}) {
        const int row = patch / 3, column = patch % 3;
        std::vector<float> input, output(27);
        for (const Positions& frame : frames)
            for (int i = 0; i < 4; ++i)
                for (int k = 0; k < 3; ++k)
                    input.push_back(
                        static_cast<float>(frame(at.miniature.coarse.index(row + i / 2, column + i % 2), k)));
        neural::evaluate_reference(network, input, output);
        for (int v = 0; v < 9; ++v) {
            const int to = at.miniature.fine.index(2 * row + v / 3, 2 * column + v % 3);
            sums.row(to) += Eigen::Map<Eigen::RowVector3f>(output.data() + 3L * v).cast<double>();
            counts(to) += 1;
        }
    }
    CHECK(largest_distance(fine, counts.cwiseInverse().asDiagonal() * sums) < 1e-5);
}

TEST_CASE("A miniature has the same bits on 1, 2, 3 and 8 threads") {
    const Case at(2, 25, 37);
    const int before = thread_count();
    for (const Features features : {Features::Canonical, Features::Paper}) {
        const PatchUpscaler upscaler =
            at.upscaler(features == Features::Paper ? random_network({36, 64, 64, 64, 27}) : at.random(), features);
        set_thread_count(1);
        const Positions alone = upscaled(upscaler, at.coarse);
        for (const int threads : {2, 3, 8}) {
            set_thread_count(threads);
            CHECK(upscaled(upscaler, at.coarse) == alone);
        }
    }
    set_thread_count(before);
}

TEST_CASE("A collapsed patch stays bicubic and is counted") {
    for (const int factor : {2, 3}) {
        Case at(factor);
        const geometry::GridSize& size = at.miniature.coarse;
        for (const auto& [row, column] : {std::pair{2, 4}, {3, 3}, {3, 4}})
            at.coarse.row(size.index(row, column)) = at.coarse.row(size.index(2, 3));
        const PatchUpscaler upscaler = at.upscaler(at.random());
        Positions fine;
        CHECK(upscaler.upscale({&at.coarse, 1}, fine).collapsed_pieces == 1);
        CHECK(fine.allFinite());
        const int inside = at.miniature.fine.index(2 * factor + 1, 3 * factor + 1);  // of that patch alone
        CHECK(fine.row(inside) == at.bicubic(at.coarse).row(inside));
        const int beside = at.miniature.fine.index(2 * factor + 1, 2 * factor + 1);
        CHECK(fine.row(beside) != at.bicubic(at.coarse).row(beside));
    }
}

TEST_CASE("A network of another size than the patches want is refused") {
    const Case at(3);
    const std::string said = tulle::test::error_of([&] { (void)at.upscaler(random_network({54, 64, 27})); });
    CHECK(tulle::test::contains(said, "54 inputs and 27 outputs does not fit canonical features at factor 3"));
}

TEST_CASE("A miniature of factor 5 is refused and cascades are recommended") {
    const Case at(5);
    const std::string said = tulle::test::error_of([&] { (void)at.upscaler(at.random()); });
    CHECK(tulle::test::contains(said, "up to factor 4, not 5; cascade smaller factors"));
}

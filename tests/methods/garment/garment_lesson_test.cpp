// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/garment_lesson.h"

#include "tests/support/garment_lessons.h"
#include "tests/support/near.h"
#include "tulle/methods/garment/garment_errors.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::methods;

TEST_CASE("Offsets of an example put it back where it was") {
    const test::SmallGarment garment;
    const GarmentExample example = test::small_example(garment, 3);
    const Positions again = positions_at(example, offsets_of(example));
    CHECK((again - example.positions.cast<double>()).cwiseAbs().maxCoeff() < 1e-6);
}

TEST_CASE("Parameters of a lesson make its model again, with the common or each vertex's own mu") {
    const test::SmallGarment garment;
    GarmentLesson lesson = test::small_lesson(garment, 4);
    lesson.start.projection.quasistatics.emplace().mu = 0.07;
    lesson.mu_rate = 20;
    for (const LearntMu learnt : {LearntMu::No, LearntMu::Global, LearntMu::Vertex}) {
        lesson.learnt_mu = learnt;
        const std::vector<float> parameters = parameters_of(lesson);
        const GarmentModel model = model_with(lesson, parameters);
        CHECK(neural::parameters_of(model.network) == neural::parameters_of(lesson.start.network));
        CHECK(model.projection.quasistatics->mu == test::near(0.07).epsilon(1e-5));
        CHECK(model.mu.size() == (learnt == LearntMu::Vertex ? lesson.image.vertex_count() : 0));
        if (learnt == LearntMu::Vertex) CHECK(model.mu.maxCoeff() == test::near(0.07).epsilon(1e-5));
    }
}

TEST_CASE("What varies linearly over a pattern is rasterised exactly, and pixels beyond it are left out") {
    // Two squares on each other, one face up and one face down, which fill the left half; a sliver reaches to the
    // right.
    Rows<double, 2> pattern(6, 2);
    pattern << 0, 0, 1, 0, 1, 1, 0, 1, 2, 0, 2, 0.01;
    Triangles triangles(5, 3);
    triangles << 0, 1, 2, 0, 2, 3, 1, 0, 2, 2, 0, 3, 1, 4, 5;
    const std::vector<PatternPixel> pixels = rasterise(pattern, triangles, 5, 9);
    long front = 0, back = 0;
    for (const PatternPixel& pixel : pixels) {
        (pixel.pixel < 45 ? front : back) += 1;
        const int place = pixel.pixel % 45;
        Eigen::Vector2d sum = Eigen::Vector2d::Zero();
        for (size_t k = 0; k < 3; ++k)
            sum += static_cast<double>(pixel.weights[k]) * pattern.row(pixel.vertices[k]).transpose();
        CHECK(sum.x() == doctest::Approx(place % 9 / 4.0));
        CHECK(sum.y() == doctest::Approx(place / 9 / 4.0));
    }
    CHECK(front == 29);  // 5×5, and the lowest row of the sliver
    CHECK(back == 25);
}

TEST_CASE("Errors of a garment are those of its vertices and edges") {
    const test::SmallGarment garment;
    const GarmentExamples examples = {test::small_example(garment, 1), test::small_example(garment, 2)};
    // Everything 3 mm to the side, one vertex of the second example 10 mm.
    const Infer infer = [&](const GarmentExample& example) {
        Positions moved = example.positions.cast<double>();
        moved.col(0).array() += 0.003;
        if (&example == &examples[1]) moved(7, 0) += 0.007;
        return moved;
    };
    const GarmentErrors errors = measure_garment(garment.cloth, examples, infer);
    const auto vertices = static_cast<double>(garment.tube.positions.rows());
    CHECK(errors.max_dist == test::near(0.0065).epsilon(1e-5));
    CHECK(errors.sqrt_mse == test::near(std::sqrt(9e-6 + (100e-6 - 9e-6) / (2 * vertices))).epsilon(1e-5));
    CHECK(errors.energy_errors.stretching > 0);

    const Edges edges = projections::edges_of(garment.cloth.triangles);
    const EdgeEnergies rest = edge_energies(garment.cloth, edges, garment.cloth.rest_positions);
    CHECK(rest.compression + rest.stretching == 0);
    const EdgeEnergies larger = edge_energies(garment.cloth, edges, 1.1 * garment.cloth.rest_positions);
    double squares = 0;
    for (const auto& edge : edges.rowwise())
        squares += (garment.tube.positions.row(edge(0)) - garment.tube.positions.row(edge(1))).squaredNorm();
    CHECK(larger.compression == 0);
    CHECK(larger.stretching == test::near(0.5 * 0.01 * squares));
}

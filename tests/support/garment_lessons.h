// SPDX-License-Identifier: Apache-2.0
// A small garment that is learnt in a moment: a tube whose front and back lie on each other in the pattern, on bodies
// that are nothing but places and frames.
#pragma once

#include "tests/support/tube.h"
#include "tulle/methods/garment/garment_lesson.h"
#include "tulle/neural/image_parameters.h"

#include <Eigen/Geometry>

namespace tulle::test {

struct SmallGarment {
    Tube tube = make_tube(10, 6);
    projections::Cloth cloth = projections::cloth_of_areas(tube.positions, tube.triangles);
    Rows<double, 2> pattern = tube.positions(Eigen::all, std::vector<int>{0, 2});
    neural::ImageNetworkSizes sizes{.inputs = 18, .channels = {8, 6, 6}, .first_height = 3, .first_width = 2};
};

// The garment follows two joints smoothly; every vertex has a frame that turns with the first of them.
inline methods::GarmentExample small_example(const SmallGarment& garment, std::uint64_t seed) {
    Random random(seed);
    const Eigen::Quaterniond first(Eigen::AngleAxisd(random.uniform(-0.5, 0.5), Vector3::UnitZ()));
    const Eigen::Quaterniond second(Eigen::AngleAxisd(random.uniform(-0.5, 0.5), Vector3::UnitX()));
    methods::GarmentExample example;
    example.inputs.resize(18);
    Rows<float, 3> matrix = first.toRotationMatrix().cast<float>();
    example.inputs.head(9) = matrix.reshaped<Eigen::RowMajor>();
    matrix = second.toRotationMatrix().cast<float>();
    example.inputs.tail(9) = matrix.reshaped<Eigen::RowMajor>();

    const long vertices = garment.tube.positions.rows();
    example.places.resize(vertices, 3);
    example.frames.resize(vertices, 9);
    example.positions.resize(vertices, 3);
    for (long v = 0; v < vertices; ++v) {
        const Vector3 rest = garment.tube.positions.row(v);
        const Matrix3 frame =
            (first * Eigen::AngleAxisd(static_cast<double>(v), Vector3(1, 2, 3).normalized())).matrix();
        example.places.row(v) = (first * (0.9 * rest)).cast<float>();
        const Rows<float, 3> rows = frame.cast<float>();
        example.frames.row(v) = rows.reshaped<Eigen::RowMajor>();
        example.positions.row(v) = (first * (rest + 0.1 * rest.z() * (second * rest))).cast<float>();
    }
    return example;
}

inline methods::GarmentLesson small_lesson(const SmallGarment& garment, int training) {
    methods::GarmentLesson lesson{.cloth = garment.cloth,
                                  .image = methods::PatternImage(garment.pattern, garment.tube.triangles, 12, 8),
                                  .pixels = methods::rasterise(garment.pattern, garment.tube.triangles, 12, 8),
                                  .start = {},
                                  .training = {},
                                  .validation = {},
                                  .test = {}};
    for (int i = 0; i < training; ++i) lesson.training.push_back(small_example(garment, static_cast<std::uint64_t>(i)));
    for (int i = 0; i < 3; ++i) {
        lesson.validation.push_back(small_example(garment, static_cast<std::uint64_t>(1000 + i)));
        lesson.test.push_back(small_example(garment, static_cast<std::uint64_t>(2000 + i)));
    }
    lesson.start.joints = {"first", "second"};
    lesson.start.network = neural::random_image_network(garment.sizes, 5);
    lesson.start.rest_places = 0.9 * garment.tube.positions;
    methods::measure_normalisation(lesson.training, lesson.start);
    return lesson;
}

}  // namespace tulle::test

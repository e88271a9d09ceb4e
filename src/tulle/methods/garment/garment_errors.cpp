// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/garment_errors.h"

#include "tulle/core/parallel.h"
#include "tulle/core/timer.h"
#include "tulle/neural/fused_image_network.h"

#include <cmath>
#include <memory>

namespace tulle::methods {

namespace {

struct Measured {
    double square = 0, largest = 0;  // of distances [m²], [m]
    EdgeEnergies energies, true_energies;
    bool is_solved = true;
    double seconds = 0, gradient_seconds = 0;
};

Measured measure(const projections::Cloth& cloth, const Edges& edges, const GarmentExample& example, const Infer& infer,
                 const Mending& mending) {
    Measured measured;
    Positions positions = infer(example);
    const Positions truth = example.positions.cast<double>();
    if (mending.projection) {
        const Stopwatch watch;
        projections::Projected mended =
            mending.projection->apply(positions, {.mu = mending.mu.size() > 0 ? &mending.mu : nullptr});
        measured.seconds = watch.milliseconds() / 1000;
        measured.is_solved = mended.report.solved;
        const Stopwatch back;
        (void)mending.projection->adjoint(mended, mended.positions - truth);  // what training asks for
        measured.gradient_seconds = back.milliseconds() / 1000;
        positions = std::move(mended.positions);
    }
    const VectorX squares = (positions - truth).rowwise().squaredNorm();
    measured.square = squares.mean();
    measured.largest = std::sqrt(squares.maxCoeff());
    measured.energies = edge_energies(cloth, edges, positions);
    measured.true_energies = edge_energies(cloth, edges, truth);
    return measured;
}

void add(EdgeEnergies& sum, const EdgeEnergies& energies, double share) {
    sum.compression += share * energies.compression;
    sum.stretching += share * energies.stretching;
}

}  // namespace

EdgeEnergies edge_energies(const projections::Cloth& cloth, const Edges& edges, const Positions& positions) {
    EdgeEnergies energies;
    for (const auto& edge : edges.rowwise()) {
        const double rest = (cloth.rest_positions.row(edge(0)) - cloth.rest_positions.row(edge(1))).norm();
        const double excess = (positions.row(edge(0)) - positions.row(edge(1))).norm() - rest;
        (excess < 0 ? energies.compression : energies.stretching) += 0.5 * excess * excess;
    }
    return energies;
}

Infer by_network(const GarmentModel& model, const PatternImage& image) {
    // Shared because a std::function is copied; a network packs its weights anew when it is.
    const auto network = std::make_shared<const neural::FusedImageNetwork>(model.network);
    return [network, image, mean = model.mean_offsets, scale = model.offset_scale](const GarmentExample& example) {
        std::vector<float> pixels(static_cast<size_t>(image.size()));
        network->evaluate({example.inputs.data(), static_cast<size_t>(example.inputs.size())}, pixels);
        return positions_at(example, mean + scale * image.read(pixels));
    };
}

Infer by_offsets(const Positions& offsets) {
    return [offsets](const GarmentExample& example) { return positions_at(example, offsets); };
}

GarmentErrors measure_garment(const projections::Cloth& cloth, const GarmentExamples& examples, const Infer& infer,
                              const Mending& mending) {
    const Edges edges = projections::edges_of(cloth.triangles);
    std::vector<Measured> all(examples.size());
    parallel_tasks(static_cast<long>(examples.size()), [&](long i) {
        const auto index = static_cast<size_t>(i);
        all[index] = measure(cloth, edges, examples[index], infer, mending);
    });
    GarmentErrors errors;
    double square = 0;
    const double share = 1.0 / static_cast<double>(examples.size());
    for (const Measured& one : all) {
        square += share * one.square;
        errors.max_dist += share * one.largest;
        add(errors.energies, one.energies, share);
        add(errors.true_energies, one.true_energies, share);
        add(errors.energy_errors,
            {std::abs(one.energies.compression - one.true_energies.compression),
             std::abs(one.energies.stretching - one.true_energies.stretching)},
            share);
        errors.unsolved += one.is_solved ? 0 : 1;
        errors.projection_seconds += share * one.seconds;
        errors.gradient_seconds += share * one.gradient_seconds;
    }
    errors.sqrt_mse = std::sqrt(square);
    return errors;
}

}  // namespace tulle::methods

// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/reproduce/coerced_rows.h"

#include <fmt/format.h>

namespace tulle::training {

using methods::LearntMu;

CoercedRow network_alone() { return {.name = "network"}; }

CoercedRow told_of_parents() {
    return {.name = "network-from-parent", .rotations = methods::JointRotations::FromParent};
}

CoercedRow mirrored(CoercedRow row) {
    row.name += "-mirrored";
    row.is_mirrored = true;
    return row;
}

CoercedRow longer(CoercedRow row) {
    row.name += "-longer";
    row.is_longer = true;
    return row;
}

CoercedRow inextensible(bool is_trained) {
    CoercedRow row{.name = is_trained ? "inextensible" : "inextensible-after", .is_trained = is_trained};
    row.projection.inextensibility = projections::InextensibilitySettings{.stretch = 0.01, .tolerance = 1e-4};
    return row;
}

CoercedRow quasistatic(double mu, bool is_trained) {
    CoercedRow row{.name = fmt::format("quasistatic-{}{}", mu, is_trained ? "" : "-after"), .is_trained = is_trained};
    row.projection.quasistatics =
        projections::QuasistaticsSettings{.mu = mu, .tolerance = 1e-3, .adjoint_tolerance = 1e-3};
    return row;
}

CoercedRow learnt_mu(double start) {
    CoercedRow row = quasistatic(start, true);
    row.name += "-learnt";
    row.learnt_mu = LearntMu::Global;
    return row;
}

CoercedRow vertex_mu() {
    CoercedRow row = quasistatic(0.1, true);
    row.name += "-vertex";
    row.learnt_mu = LearntMu::Vertex;
    return row;
}

std::vector<CoercedRow> rows_of_tables() {
    std::vector<CoercedRow> rows = {network_alone()};
    for (const double mu : {0.01, 0.1, 1.0})
        for (const bool is_trained : {false, true}) rows.push_back(quasistatic(mu, is_trained));
    for (const bool is_trained : {false, true}) rows.push_back(inextensible(is_trained));
    rows.push_back(vertex_mu());
    return rows;
}

std::vector<CoercedRow> rows_of_many_examples() {
    return {network_alone(), inextensible(false), inextensible(true), quasistatic(0.01, false),
            quasistatic(0.01, true)};
}

std::vector<CoercedRow> rows_of_learnt_mu() { return {learnt_mu(0.1), learnt_mu(1), learnt_mu(0.01)}; }

std::vector<CoercedRow> mirrored_rows() {
    return {mirrored(network_alone()), mirrored(quasistatic(0.01, false)), mirrored(quasistatic(0.01, true))};
}

std::vector<CoercedRow> further_rows() {
    return {longer(network_alone()), longer(quasistatic(0.01, false)), told_of_parents(), quasistatic(0.001, false),
            quasistatic(0.001, true)};
}

std::vector<CoercedRow> rows_of_half_the_range() {
    std::vector<CoercedRow> rows = {network_alone()};
    for (const double mu : {0.01, 0.1})
        for (const bool is_trained : {false, true}) rows.push_back(quasistatic(mu, is_trained));
    rows.push_back(longer(network_alone()));
    rows.push_back(longer(quasistatic(0.01, false)));
    return rows;
}

}  // namespace tulle::training

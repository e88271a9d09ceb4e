// SPDX-License-Identifier: Apache-2.0
// The rows of the tables of the paper on coerced networks, and those that we add.
#pragma once

#include "tulle/methods/garment/garment_lesson.h"

#include <string>
#include <vector>

namespace tulle::training {

struct CoercedRow {
    std::string name;  // of its files
    projections::ProjectionSettings projection = {};
    bool is_trained = true;  // if not, it is the network alone, mended afterwards
    methods::LearntMu learnt_mu = methods::LearntMu::No;
    methods::JointRotations rotations = methods::JointRotations::FromRoot;
    bool is_mirrored = false;  // each example is also learnt as a mirror shows it
    bool is_longer = false;    // its network was trained about as long without a projection as others with one
};

CoercedRow network_alone();
CoercedRow told_of_parents();  // the network alone, told how each joint is turned against its parent
CoercedRow mirrored(CoercedRow row);
CoercedRow longer(CoercedRow row);
CoercedRow inextensible(bool is_trained);
CoercedRow quasistatic(double mu, bool is_trained);
CoercedRow learnt_mu(double start);
CoercedRow vertex_mu();
std::vector<CoercedRow> rows_of_tables();         // of those of few examples
std::vector<CoercedRow> rows_of_many_examples();  // of table 2, and of quasistatics
std::vector<CoercedRow> rows_of_learnt_mu();
std::vector<CoercedRow> mirrored_rows();  // of many examples
std::vector<CoercedRow> further_rows();   // of few examples; not in the paper
std::vector<CoercedRow> rows_of_half_the_range();

}  // namespace tulle::training

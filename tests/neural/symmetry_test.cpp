// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/symmetry.h"

#include "tests/neural/symmetries.h"
#include "tests/support/error_of.h"
#include "tulle/neural/character_basis.h"
#include "tulle/neural/fused_network.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tulle::neural {

using namespace tulle::neural::test;

namespace {

std::vector<float> random_numbers(size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<float> numbers(count);
    for (float& x : numbers) x = static_cast<float>(random.uniform(-1, 1));
    return numbers;
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
    double largest = 0;
    for (size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(double{a[i]} - double{b[i]}));
    return largest;
}

}  // namespace

TEST_CASE("Symmetries multiply as a group does, and what is no group is refused") {
    Symmetry symmetry = triangle_like();
    const std::vector<int> table = multiplication_table(symmetry);
    REQUIRE(table.size() == 144);
    for (int a = 0; a < 12; ++a) {
        std::vector<int> row(table.begin() + 12 * a, table.begin() + 12 * (a + 1));
        std::sort(row.begin(), row.end());
        for (int b = 0; b < 12; ++b) CHECK(row[static_cast<size_t>(b)] == b);
    }
    symmetry.inputs.pop_back();
    CHECK(tulle::test::contains(tulle::test::error_of([&] { (void)multiplication_table(symmetry); }), "no group"));
    CHECK(tulle::test::contains(tulle::test::error_of([] { (void)hidden_actions(triangle_like(), 32); }),
                                "a multiple of 12 wide, not 32"));
}

TEST_CASE("A network with symmetric weights answers what is turned with what is turned") {
    const Symmetry symmetry = triangle_like();
    const Network network = symmetric_network(symmetry, {24, 36});
    const std::vector<float> input = random_numbers(7, 3);
    std::vector<float> output(7), turned(7);
    evaluate_reference(network, input, output);
    CHECK(std::abs(output[0]) > 1e-2f);
    for (size_t g = 0; g < 12; ++g) {
        evaluate_reference(network, acted(symmetry.inputs[g], input), turned);
        CHECK(largest_difference(turned, acted(symmetry.outputs[g], output)) < 1e-5);
    }
}

TEST_CASE("Making numbers symmetric twice changes no bit, and forbidden numbers become zero") {
    const Symmetry symmetry = triangle_like();
    const Orbits orbits = find_orbits(symmetry.inputs, symmetry.outputs);
    std::vector<float> once = random_numbers(49, 5);
    make_symmetric(orbits, once);
    std::vector<float> twice = once;
    make_symmetric(orbits, twice);
    CHECK(largest_difference(once, twice) < 1e-7);
    CHECK(once[3] == 0);  // from a number that changes sign to one that does not
}

TEST_CASE("In the characters' basis mirrors only change signs, and coming back is exact") {
    const Symmetry symmetry = triangle_like();
    for (const CharacterBasis& basis : character_bases(symmetry, std::vector<int>{7, 24, 7})) {
        const bool is_hidden = basis.width() == 24;
        const auto actions = is_hidden ? hidden_actions(symmetry, 24) : symmetry.inputs;
        CHECK(basis.characters() == 4);
        const std::vector<float> numbers = random_numbers(static_cast<size_t>(basis.width()), 9);
        std::vector<float> coefficients(numbers.size()), mirrored(numbers.size()), back(numbers.size());
        basis.to_coefficients(numbers.data(), coefficients.data());
        basis.to_numbers(coefficients.data(), back.data());
        CHECK(largest_difference(numbers, back) < 1e-6);
        for (size_t bit = 0; bit < 2; ++bit) {
            const auto mirror = static_cast<size_t>(symmetry.mirrors[bit]);
            basis.to_coefficients(acted(actions[mirror], numbers).data(), mirrored.data());
            for (int k = 0; k < 4; ++k) {
                const float sign = ((3 - k) >> bit & 1) != 0 ? -1.0f : 1.0f;  // the unchanged come last
                for (int i = basis.begins[static_cast<size_t>(k)]; i < basis.begins[static_cast<size_t>(k) + 1]; ++i)
                    CHECK(mirrored[static_cast<size_t>(i)] ==
                          doctest::Approx(sign * coefficients[static_cast<size_t>(i)]).epsilon(1e-5));
            }
        }
    }
}

TEST_CASE("A symmetric network is evaluated block by block to what the plain reference says") {
    const Symmetry symmetry = triangle_like();
    for (const Activation activation : {Activation::Relu, Activation::LeakyRelu}) {
        const Network network = symmetric_network(symmetry, {36, 24, 48}, 4, activation);
        const FusedNetwork fused(network, symmetry);
        const std::vector<float> inputs = random_numbers(7 * 100, 6);
        std::vector<float> expected(7 * 100), said(7 * 100);
        evaluate_reference(network, inputs, expected);
        fused.evaluate(inputs, said);
        CHECK(largest_difference(expected, said) < 1e-5);
    }
}

TEST_CASE("A network without the symmetry it should have is refused") {
    const Symmetry symmetry = triangle_like();
    Network network = symmetric_network(symmetry, {12});
    network.layers[0].weights(0, 0) += 0.5f;
    CHECK(tulle::test::contains(tulle::test::error_of([&] { (void)FusedNetwork(network, symmetry); }),
                                "has not the symmetry"));
    const Network other = test::random_network({5, 12, 7});
    CHECK(tulle::test::contains(tulle::test::error_of([&] { (void)FusedNetwork(other, symmetry); }), "5 inputs"));
}

}  // namespace tulle::neural

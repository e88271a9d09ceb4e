// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/projection_layer.h"

#include "tests/support/error_of.h"
#include "tests/support/tube.h"
#include "tulle/core/parallel.h"
#include "tulle/projections/inextensibility.h"
#include "tulle/projections/quasistatics.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

// libtorch's logging has a macro of the same name, which ends the program.
#undef CHECK
#define CHECK DOCTEST_CHECK

using namespace tulle;
using namespace tulle::projections;

namespace {

const test::Tube tube = test::make_tube(9, 6);
const Cloth cloth = cloth_of_areas(tube.positions, tube.triangles);

Positions example(int seed) {
    return test::deform(tube, {.shrink = 1, .waves = 0.01, .noise = 0.08}, static_cast<std::uint64_t>(seed));
}

at::Tensor batch_of(int examples, at::ScalarType type = at::kDouble) {
    at::Tensor batch = at::empty({examples, tube.positions.rows(), 3}, at::kDouble);
    for (int e = 0; e < examples; ++e)
        Eigen::Map<Positions>(batch.data_ptr<double>() + e * tube.positions.size(), tube.positions.rows(), 3) =
            example(e);
    return batch.to(type);
}

Positions rows(const at::Tensor& batch, long example) {
    const at::Tensor numbers = batch.detach().to(at::kDouble).contiguous();
    return Eigen::Map<const Positions>(numbers.data_ptr<double>() + example * tube.positions.size(),
                                       tube.positions.rows(), 3);
}

}  // namespace

TEST_CASE("A projection layer gives what each example alone would give, and so do its gradients") {
    const Inextensibility projection(cloth);
    at::Tensor batch = batch_of(5).requires_grad_();
    const at::Tensor weights = batch_of(5) - 1;
    training::LayerReport report;
    const at::Tensor projected = training::project(projection, batch, &report);
    CHECK(report.examples == 5);
    CHECK(report.unsolved == 0);
    (projected * weights).sum().backward();
    for (int e = 0; e < 5; ++e) {
        const Projected alone = projection.apply(example(e));
        CHECK(rows(projected, e) == alone.positions);
        CHECK(rows(batch.grad(), e) == projection.adjoint(alone, rows(weights, e)).positions);
    }
}

TEST_CASE("Gradients go through a projection layer to what comes before it, and mu is learnt") {
    const Quasistatics projection(cloth, {.tolerance = 1e-12});
    const at::Tensor batch = batch_of(3), weights = batch_of(3) - 1;
    const auto loss = [&](const at::Tensor& scale, const at::Tensor& mu) {
        return (training::project(projection, batch * scale, mu) * weights).sum();
    };
    at::Tensor scale = at::full({1}, 1.02, at::kDouble).requires_grad_();
    at::Tensor mu = at::full({1}, 0.2, at::kDouble).requires_grad_();
    loss(scale, mu).backward();
    constexpr double step = 1e-6;
    const auto difference = [&](double by_scale, double by_mu) {
        const at::Tensor up = loss(scale.detach() + by_scale, mu.detach() + by_mu);
        const at::Tensor down = loss(scale.detach() - by_scale, mu.detach() - by_mu);
        return (up - down).item<double>() / (2 * step);
    };
    CHECK(scale.grad().item<double>() == doctest::Approx(difference(step, 0)).epsilon(1e-5));
    CHECK(mu.grad().item<double>() == doctest::Approx(difference(0, step)).epsilon(1e-5));
    at::Tensor each = at::full({tube.positions.rows()}, 0.2, at::kDouble).requires_grad_();
    loss(scale.detach(), each).backward();
    CHECK(each.grad().sum().item<double>() == doctest::Approx(mu.grad().item<double>()).epsilon(1e-9));
}

TEST_CASE("A projection layer has the same bits on any number of threads, in single precision too") {
    const Inextensibility projection(cloth);
    const int before = thread_count();
    std::vector<at::Tensor> gradients;
    for (const int threads : {1, 2, 3}) {
        set_thread_count(threads);
        at::Tensor batch = batch_of(6, at::kFloat).requires_grad_();
        const at::Tensor projected = training::project(projection, batch);
        CHECK((projected.scalar_type() == at::kFloat));
        projected.pow(2).sum().backward();
        gradients.push_back(batch.grad());
    }
    set_thread_count(before);
    for (const at::Tensor& gradient : gradients) CHECK(gradient.equal(gradients.front()));
}

TEST_CASE("A projection layer refuses shapes that do not fit in a sentence") {
    using test::error_of;
    const Inextensibility projection(cloth);
    CHECK(error_of([&] {
              training::project(projection, at::zeros({4, 3}));
          }).find("examples × vertices × 3") != std::string::npos);
    CHECK(error_of([&] {
              training::project(projection, at::zeros({2, 7, 3}));
          }) == "7 positions for a cloth of 54 vertices");
    CHECK(error_of([&] { training::project(projection, batch_of(1), at::ones({2})); }).find("mu has 2 numbers") == 0);
}

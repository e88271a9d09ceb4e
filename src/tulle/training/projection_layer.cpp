// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/projection_layer.h"

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>

#include <algorithm>

namespace tulle::training {

namespace {

using torch::autograd::Variable;
using torch::autograd::variable_list;

Positions rows_of(const at::Tensor& batch, long example) {  // of a contiguous tensor of doubles
    const long vertices = batch.size(1);
    return Eigen::Map<const Positions>(batch.data_ptr<double>() + 3 * vertices * example, vertices, 3);
}

void put(at::Tensor& batch, long example, const Positions& rows) {
    Eigen::Map<Positions>(batch.data_ptr<double>() + rows.size() * example, rows.rows(), 3) = rows;
}

at::Tensor in_double(const at::Tensor& tensor) { return tensor.detach().to(at::kCPU, at::kDouble).contiguous(); }

VectorX numbers_of(const at::Tensor& mu, long vertices) {
    const at::Tensor flat = in_double(mu).reshape({-1});
    if (flat.numel() != 1 && flat.numel() != vertices)
        throw Error("mu has {} numbers; a cloth of {} vertices wants one, or one for each",
                    static_cast<long>(flat.numel()), vertices);
    const VectorX numbers = Eigen::Map<const VectorX>(flat.data_ptr<double>(), flat.numel());
    return numbers.size() == 1 ? VectorX(VectorX::Constant(vertices, numbers(0))) : numbers;
}

// What the way back needs.
struct Backward : torch::autograd::Node {
    const projections::Projection* projection = nullptr;
    std::vector<projections::Projected> examples;
    at::ScalarType type = at::kDouble, mu_type = at::kDouble;
    std::vector<int64_t> mu_shape;
    bool has_mu = false;

    variable_list apply(variable_list&& gradients) override {
        const at::Tensor given = in_double(gradients[0]);
        at::Tensor by_positions = at::empty_like(given);
        std::vector<VectorX> by_mu(examples.size());
        parallel_tasks(static_cast<long>(examples.size()), [&](long e) {
            const auto index = static_cast<size_t>(e);
            projections::Gradients back = projection->adjoint(examples[index], rows_of(given, e));
            put(by_positions, e, back.positions);
            by_mu[index] = std::move(back.vertex_mu);
        });
        variable_list result = {by_positions.to(type)};
        if (has_mu) result.push_back(sum_of(by_mu));
        return result;
    }

    // Over the examples, in their order, so that the bits do not depend on the threads.
    at::Tensor sum_of(const std::vector<VectorX>& by_mu) const {
        const long vertices = examples.front().input.rows();
        VectorX sum = VectorX::Zero(vertices);
        for (const VectorX& one : by_mu)
            if (one.size() == vertices) sum += one;
        long count = 1;
        for (const int64_t size : mu_shape) count *= size;
        at::Tensor result = at::empty({count}, at::kDouble);
        if (count == 1)
            result.data_ptr<double>()[0] = sum.sum();
        else
            std::copy_n(sum.data(), count, result.data_ptr<double>());
        return result.reshape(mu_shape).to(mu_type);
    }

    void release_variables() override { examples.clear(); }
};

at::Tensor project_batch(const projections::Projection& projection, const at::Tensor& positions, const at::Tensor* mu,
                         LayerReport* report) {
    if (positions.dim() != 3 || positions.size(2) != 3)
        throw Error("positions to project must be a tensor of examples × vertices × 3, not of {} dimensions",
                    static_cast<long>(positions.dim()));
    const at::Tensor given = in_double(positions);
    const long examples = given.size(0), vertices = given.size(1);
    VectorX numbers;
    if (mu) numbers = numbers_of(*mu, vertices);
    std::vector<projections::Projected> projected(static_cast<size_t>(examples));
    at::Tensor result = at::empty_like(given);
    parallel_tasks(examples, [&](long e) {
        auto& one = projected[static_cast<size_t>(e)];
        one = projection.apply(rows_of(given, e), {.mu = mu ? &numbers : nullptr});
        put(result, e, one.positions);
    });
    if (report) {
        *report = {.unsolved = 0, .examples = static_cast<int>(examples)};
        for (const projections::Projected& one : projected) report->unsolved += one.report.solved ? 0 : 1;
    }
    result = result.to(positions.scalar_type());
    const bool learns_mu = mu && mu->requires_grad();
    if (!positions.requires_grad() && !learns_mu) return result;
    const std::shared_ptr<Backward> back(new Backward, torch::autograd::deleteNode);
    back->projection = &projection;
    back->examples = std::move(projected);
    back->type = positions.scalar_type();
    if (mu) {
        back->has_mu = true;
        back->mu_type = mu->scalar_type();
        back->mu_shape = mu->sizes().vec();
        back->set_next_edges(torch::autograd::collect_next_edges(positions, *mu));
    } else {
        back->set_next_edges(torch::autograd::collect_next_edges(positions));
    }
    torch::autograd::set_history(result, back);
    return result;
}

}  // namespace

at::Tensor project(const projections::Projection& projection, const at::Tensor& positions, LayerReport* report) {
    return project_batch(projection, positions, nullptr, report);
}

at::Tensor project(const projections::Projection& projection, const at::Tensor& positions, const at::Tensor& mu,
                   LayerReport* report) {
    return project_batch(projection, positions, &mu, report);
}

}  // namespace tulle::training

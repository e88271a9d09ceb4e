// SPDX-License-Identifier: Apache-2.0
// Ways through the nodes of a plan on all threads. Each node is visited by one thread, so that results do not depend on
// how many there are.
#pragma once

#include "tulle/numerics/sparse_cholesky_plan.h"

#include <atomic>
#include <exception>

namespace tulle::numerics {

// visit(node), children before parents. An exception of a visit stops the sweep and reaches the caller.
template <typename Visit>
void sweep_up(const FactorPlan& plan, const Visit& visit) {
    std::atomic<bool> failed = false;
    std::exception_ptr failure;
    const auto visit_range = [&](int first, int last) {
        try {
            for (int s = first; s < last && !failed; ++s) visit(s);
        } catch (...) {
#pragma omp critical(tulle_sweep)
            if (!failed.exchange(true)) failure = std::current_exception();
        }
    };
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 1)
        for (const PlanTask& task : plan.tasks) visit_range(task.first_node, task.last_node);
        for (const std::vector<int>& level : plan.levels) {
#pragma omp for schedule(dynamic, 1)
            for (const int node : level) visit_range(node, node + 1);
        }
    }
    if (failure) std::rethrow_exception(failure);
}

// visit(node), parents before children. A visit must not throw.
template <typename Visit>
void sweep_down(const FactorPlan& plan, const Visit& visit) {
#pragma omp parallel
    {
        for (auto level = plan.levels.rbegin(); level != plan.levels.rend(); ++level) {
#pragma omp for schedule(dynamic, 1)
            for (const int node : *level) visit(node);
        }
#pragma omp for schedule(dynamic, 1)
        for (const PlanTask& task : plan.tasks)
            for (int s = task.last_node; s-- > task.first_node;) visit(s);
    }
}

}  // namespace tulle::numerics

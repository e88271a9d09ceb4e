// SPDX-License-Identifier: Apache-2.0
#include "tulle/evaluation/teacher_forcing.h"

#include "tulle/geometry/miniature.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle::evaluation {

DistanceSummary summarise(std::vector<double> distances) {
    if (distances.empty()) return {};
    const double sum = std::accumulate(distances.begin(), distances.end(), 0.0);
    const auto rank = static_cast<long>(std::ceil(0.95 * static_cast<double>(distances.size()))) - 1;
    std::nth_element(distances.begin(), distances.begin() + rank, distances.end());
    return {.mean = sum / static_cast<double>(distances.size()),
            .p95 = distances[static_cast<size_t>(rank)],
            .max = *std::max_element(distances.begin() + rank, distances.end())};
}

DistanceSummary teacher_forced_error(const methods::Upscaler& upscaler, const std::vector<int>& fine_vertices,
                                     const datasets::Sequence& sequence, long every_frame) {
    const auto frame = [&](long index) {
        return Positions(
            Eigen::Map<const Rows<float, 3>>(sequence.frame(index), sequence.vertex_count(), 3).cast<double>());
    };
    std::vector<double> distances;
    const long seen = upscaler.frames_seen();
    for (long f = std::max(1L, seen - 1); f < sequence.frame_count(); f += every_frame) {
        std::vector<Positions> coarse;
        for (long k = f - seen + 1; k <= f; ++k) coarse.push_back(geometry::sample(fine_vertices, frame(k)));
        Positions fine;
        upscaler.upscale(coarse, fine);
        const VectorX apart = (fine - frame(f)).rowwise().norm();
        distances.insert(distances.end(), apart.begin(), apart.end());
    }
    return summarise(std::move(distances));
}

void TeacherForcing::add(const Positions& full) {
    const auto wanted = static_cast<size_t>(upscaler_.frames_seen());
    if (seen_.size() == wanted) seen_.erase(seen_.begin());
    seen_.push_back(geometry::sample(fine_vertices_, full));
    if (++frames_ == 1 || seen_.size() < wanted) return;
    upscaler_.upscale(seen_, fine_);
    distances_.add(fine_, full);
}

}  // namespace tulle::evaluation

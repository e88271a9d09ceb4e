// SPDX-License-Identifier: Apache-2.0
#include "tulle/numerics/nelder_mead.h"

#include <algorithm>
#include <vector>

namespace tulle::numerics {

namespace {

struct Corner {
    VectorX x;
    double value = 0;
    bool operator<(const Corner& other) const { return value < other.value; }
};

VectorX center_without_worst(const std::vector<Corner>& simplex) {
    VectorX sum = VectorX::Zero(simplex.front().x.size());
    for (size_t i = 0; i + 1 < simplex.size(); ++i) sum += simplex[i].x;
    return sum / static_cast<double>(simplex.size() - 1);
}

double size(const std::vector<Corner>& simplex) {
    double largest = 0;
    for (const Corner& corner : simplex)
        largest = std::max(largest, (corner.x - simplex.front().x).cwiseAbs().maxCoeff());
    return largest;
}

}  // namespace

NelderMeadResult minimise_nelder_mead(const std::function<double(const VectorX&)>& f, const VectorX& start,
                                      const NelderMeadSettings& settings) {
    int evaluations = 0;
    const auto at = [&](const VectorX& x) {
        ++evaluations;
        return Corner{x, f(x)};
    };
    std::vector<Corner> simplex = {at(start)};
    for (long i = 0; i < start.size(); ++i)
        simplex.push_back(at(start + settings.first_step * VectorX::Unit(start.size(), i)));
    std::sort(simplex.begin(), simplex.end());
    while (evaluations < settings.max_evaluations && size(simplex) > settings.tolerance) {
        const VectorX center = center_without_worst(simplex);
        Corner& worst = simplex.back();
        const auto along = [&](double t) { return VectorX(center + t * (worst.x - center)); };
        Corner tried = at(along(-1));
        if (tried < simplex.front()) {  // on in that direction
            Corner further = at(along(-2));
            worst = further < tried ? further : tried;
        } else if (tried < simplex[simplex.size() - 2]) {
            worst = tried;
        } else {
            Corner inside = at(tried < worst ? along(-0.5) : along(0.5));
            if (inside < std::min(tried, worst))
                worst = inside;
            else  // towards the best
                for (size_t i = 1; i < simplex.size(); ++i) simplex[i] = at(0.5 * (simplex[i].x + simplex.front().x));
        }
        std::sort(simplex.begin(), simplex.end());
    }
    return {.x = simplex.front().x, .value = simplex.front().value, .evaluations = evaluations};
}

}  // namespace tulle::numerics

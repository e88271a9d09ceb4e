// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/cascade/cascade_upscaler.h"

#include "tests/methods/upscaling/models.h"
#include "tests/support/error_of.h"
#include "tulle/methods/upscaling/interpolation_upscaler.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;

TEST_CASE("A cascade does its stages one after the other") {
    const auto stage = [](const geometry::GridSize& fine) {
        return std::make_unique<InterpolationUpscaler>(geometry::make_miniature(fine, 2),
                                                       geometry::Interpolation::Bicubic);
    };
    const Positions coarse = waving(flat({4, 5}, 0.2));
    std::vector<std::unique_ptr<Upscaler>> stages;
    stages.push_back(stage({7, 9}));
    stages.push_back(stage({13, 17}));
    const CascadeUpscaler cascade(std::move(stages));
    CHECK(cascade.coarse_count() == 4 * 5);
    CHECK(cascade.fine_count() == 13 * 17);
    CHECK(upscaled(cascade, coarse) == upscaled(*stage({13, 17}), upscaled(*stage({7, 9}), coarse)));
}

TEST_CASE("A cascade whose stages do not meet, or that looks back in its middle, is refused") {
    const auto error_of_stages = [](auto first, auto second) {
        return tulle::test::error_of([&] {
            std::vector<std::unique_ptr<Upscaler>> stages;
            stages.push_back(std::move(first));
            stages.push_back(std::move(second));
            const CascadeUpscaler cascade(std::move(stages));
        });
    };
    const auto bicubic = [](const geometry::GridSize& fine) -> std::unique_ptr<Upscaler> {
        return std::make_unique<InterpolationUpscaler>(geometry::make_miniature(fine, 2),
                                                       geometry::Interpolation::Bicubic);
    };
    CHECK(tulle::test::contains(error_of_stages(bicubic({7, 9}), bicubic({17, 17})),
                                "stage 2 of the cascade starts from 81 vertices, but the stage before ends with 63"));
    const UpscalingModel model = random_model("miniature", "flag", 2, Features::Paper);
    auto paper = upscaling_kind("miniature").make_upscaler(flat_cloth({13, 17}), 2, &model);
    CHECK(tulle::test::contains(error_of_stages(bicubic({7, 9}), std::move(paper)), "looks at earlier frames"));
}

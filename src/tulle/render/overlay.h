// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/render/color.h"
#include "tulle/render/text.h"
#include "tulle/render/tracer.h"

#include <string>

namespace tulle::render {

// The colour scale of a picture.
struct Legend {
    std::string title;   // with the unit, such as "stretch [%]"
    double maximum = 1;  // at the right end
    double minimum = 0;  // at the left end
};

// Height of the larger letters [px] in a panel of the given size.
int letter_height(const ImageSize& panel);
// How much of a panel's height its label and the legend take [px].
int label_space(const ImageSize& panel, bool has_subtitle);
int legend_space(const ImageSize& image);

// A panel's title and subtitle in its upper left corner.
void draw_label(Image& image, const TextWriter& text, const Viewport& panel, const std::string& title,
                const std::string& subtitle);
// The legend at the middle of the lower border.
void draw_legend(Image& image, const TextWriter& text, const HeatMap& heat_map, const Legend& legend);

}  // namespace tulle::render

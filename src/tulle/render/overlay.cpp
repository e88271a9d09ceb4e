// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/overlay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tulle::render {

namespace {

const Rgb title_color = {38, 43, 52};
const Rgb subtitle_color = {86, 94, 106};
constexpr int tick_count = 5;

// Mixes white into a rectangle, so that letters can be read on anything.
void whiten(Image& image, int left, int top, int right, int bottom) {
    for (int y = std::max(0, top); y < std::min(bottom, image.size.height); ++y)
        for (int x = std::max(0, left); x < std::min(right, image.size.width); ++x) {
            Rgb pixel = image.at(x, y);
            for (std::uint8_t& channel : pixel) channel = static_cast<std::uint8_t>((channel + 2 * 255) / 3);
            image.set(x, y, pixel);
        }
}

// The largest height, at most the wanted one, at which the text is not wider than allowed.
int fitting_height(const TextWriter& text, const std::string& words, int wanted, int allowed_width) {
    int height = wanted;
    while (height > 6 && text.width(words, height) > allowed_width) --height;
    return height;
}

void draw_bar(Image& image, const HeatMap& heat_map, int left, int top, int width, int height) {
    for (int x = 0; x < width; ++x) {
        const Rgb color = to_srgb(heat_map.at((x + 0.5) / width));
        for (int y = 0; y < height; ++y)
            if (left + x >= 0 && left + x < image.size.width && top + y >= 0 && top + y < image.size.height)
                image.set(left + x, top + y, color);
    }
}

}  // namespace

int letter_height(const ImageSize& panel) {
    return std::clamp(static_cast<int>(std::lround(std::min(panel.height / 28.0, panel.width / 22.0))), 9, 96);
}

int label_space(const ImageSize& panel, bool has_subtitle) { return letter_height(panel) * (has_subtitle ? 3 : 2); }

int legend_space(const ImageSize& image) { return letter_height(image) * 4; }

void draw_label(Image& image, const TextWriter& text, const Viewport& panel, const std::string& title,
                const std::string& subtitle) {
    const int em = letter_height(panel.size);
    const int left = panel.x + em * 3 / 4;
    const int room = panel.size.width - em * 3 / 2;
    int line = panel.y + em * 3 / 2;
    if (!title.empty())
        text.write(image, left, line, title, {.height = fitting_height(text, title, em, room), .color = title_color});
    line += em * 5 / 4;
    const int small = std::max(8, em * 3 / 4);
    if (!subtitle.empty())
        text.write(image, left, line, subtitle,
                   {.height = fitting_height(text, subtitle, small, room), .color = subtitle_color});
}

//        stretch [%]
//   ██████████████████████
//   0    5    10   15   20
void draw_legend(Image& image, const TextWriter& text, const HeatMap& heat_map, const Legend& legend) {
    const int em = std::max(9, letter_height(image.size) * 3 / 4);
    const int width = std::min(image.size.width * 3 / 4, std::max(image.size.width / 3, em * 14));
    const int left = (image.size.width - width) / 2;
    const int bar = std::max(4, em * 2 / 3);
    const int top = image.size.height - em * 3 - bar;
    whiten(image, left - em * 3 / 2, top - em / 2, left + width + em * 3 / 2, image.size.height - em / 2);
    const auto write_centred = [&](int x, int y, const std::string& words) {
        text.write(image, x - text.width(words, em) / 2, y, words, {.height = em, .color = title_color});
    };
    write_centred(image.size.width / 2, top + em * 3 / 4, legend.title);
    draw_bar(image, heat_map, left, top + em * 5 / 4, width, bar);
    for (int tick = 0; tick < tick_count; ++tick) {
        const double part = static_cast<double>(tick) / (tick_count - 1);
        write_centred(left + static_cast<int>(part * width), top + em * 5 / 4 + bar + em,
                      fmt::format("{:.3g}", legend.minimum + part * (legend.maximum - legend.minimum)));
    }
}

}  // namespace tulle::render

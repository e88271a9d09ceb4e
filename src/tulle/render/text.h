// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/render/image.h"

#include <memory>
#include <string>
#include <string_view>

namespace tulle::render {

// Writes into pictures with DejaVu Sans.
class TextWriter {
public:
    TextWriter();  // throws an Error if the font is not installed
    ~TextWriter();
    TextWriter(const TextWriter&) = delete;
    TextWriter& operator=(const TextWriter&) = delete;

    struct Style {
        int height = 20;  // [px] of the font's em square
        Rgb color = {40, 44, 52};
    };

    // Width of the UTF-8 text [px].
    int width(std::string_view text, int height) const;
    // Writes with the left end of the base line at (x, y); what lies outside of the picture is cut off.
    void write(Image& image, int x, int y, std::string_view text, const Style& style) const;

private:
    struct Font;
    std::unique_ptr<Font> font_;
};

}  // namespace tulle::render

// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/text.h"

#include "tulle/core/error.h"

#include <ft2build.h>
#include FT_FREETYPE_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>

namespace tulle::render {

namespace {

// The code points of UTF-8 text; a broken byte becomes U+FFFD.
std::u32string decode_utf8(std::string_view text) {
    std::u32string points;
    for (size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i++]);
        const int following = lead < 0x80 ? 0 : lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : -1;
        if (following < 0 || i + static_cast<size_t>(following) > text.size()) {
            points.push_back(U'\uFFFD');
            continue;
        }
        char32_t point = following == 0 ? lead : lead & (0x3Fu >> following);
        for (int k = 0; k < following; ++k) point = (point << 6) | (static_cast<unsigned char>(text[i++]) & 0x3Fu);
        points.push_back(point);
    }
    return points;
}

std::string find_font() {
    for (const char* path : {TULLE_FONT, "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                             "/usr/share/fonts/dejavu/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf"}) {
        std::error_code ignored;
        if (std::filesystem::exists(path, ignored)) return path;
    }
    throw Error(
        "cannot find the font DejaVu Sans, which labels pictures; install it, for example with "
        "`apt install fonts-dejavu-core`");
}

// Mixes `color` into a pixel with the given coverage in [0, 255].
void blend(Image& image, int x, int y, const Rgb& color, int coverage) {
    if (x < 0 || y < 0 || x >= image.size.width || y >= image.size.height || coverage == 0) return;
    Rgb pixel = image.at(x, y);
    for (size_t c = 0; c < 3; ++c)
        pixel[c] = static_cast<std::uint8_t>((pixel[c] * (255 - coverage) + color[c] * coverage + 127) / 255);
    image.set(x, y, pixel);
}

}  // namespace

struct TextWriter::Font {
    FT_Library library = nullptr;
    FT_Face face = nullptr;

    Font() {
        const std::string path = find_font();
        if (FT_Init_FreeType(&library) != 0)
            throw Error("cannot start FreeType, which labels pictures; is it installed?");
        if (FT_New_Face(library, path.c_str(), 0, &face) == 0) return;
        FT_Done_FreeType(library);
        throw Error("cannot read the font '{}'; reinstall it, for example with `apt install fonts-dejavu-core`", path);
    }
    ~Font() {
        FT_Done_Face(face);
        FT_Done_FreeType(library);
    }
    Font(const Font&) = delete;
    Font& operator=(const Font&) = delete;

    // Calls visit(glyph, pen) for each drawn glyph, with the pen [px] at its origin; returns the width.
    template <typename Visit>
    int lay_out(std::string_view text, int height, const Visit& visit) const {
        FT_Set_Pixel_Sizes(face, 0, static_cast<FT_UInt>(height));
        FT_Pos pen = 0;  // 26.6 fixed point
        FT_UInt previous = 0;
        for (const char32_t point : decode_utf8(text)) {
            const FT_UInt index = FT_Get_Char_Index(face, point);
            FT_Vector kerning{0, 0};
            if (previous != 0) FT_Get_Kerning(face, previous, index, FT_KERNING_DEFAULT, &kerning);
            pen += kerning.x;
            if (FT_Load_Glyph(face, index, FT_LOAD_RENDER | FT_LOAD_TARGET_LIGHT) == 0) {
                visit(face->glyph, static_cast<int>((pen + 32) >> 6));
                pen += face->glyph->advance.x;
            }
            previous = index;
        }
        return static_cast<int>((pen + 63) >> 6);
    }
};

TextWriter::TextWriter() : font_(std::make_unique<Font>()) {}
TextWriter::~TextWriter() = default;

int TextWriter::width(std::string_view text, int height) const {
    return font_->lay_out(text, height, [](FT_GlyphSlot, int) {});
}

void TextWriter::write(Image& image, int x, int y, std::string_view text, const Style& style) const {
    font_->lay_out(text, style.height, [&](FT_GlyphSlot glyph, int pen) {
        const FT_Bitmap& bitmap = glyph->bitmap;
        for (unsigned row = 0; row < bitmap.rows; ++row)
            for (unsigned column = 0; column < bitmap.width; ++column)
                blend(image, x + pen + glyph->bitmap_left + static_cast<int>(column),
                      y - glyph->bitmap_top + static_cast<int>(row), style.color,
                      bitmap.buffer[static_cast<int>(row) * bitmap.pitch + static_cast<int>(column)]);
    });
}

}  // namespace tulle::render

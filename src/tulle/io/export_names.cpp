// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/error.h"
#include "tulle/io/export.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>

namespace tulle::io {

namespace fs = std::filesystem;

namespace {

struct KnownExtension {
    std::string_view extension;
    std::optional<ExportFormat> format;  // none: it is not written
    std::string_view instead;            // what to use then
};

constexpr std::array<KnownExtension, 14> known_extensions{{
    {".usda", ExportFormat::Usd, ""},
    {".usd", ExportFormat::Usd, ""},
    {".usdc", {}, ".usda, the text form, which whatever reads .usdc reads too"},
    {".usdz", {}, ".usda, and pack it with usdzip if it has to be an archive"},
    {".glb", ExportFormat::Gltf, ""},
    {".gltf", ExportFormat::Gltf, ""},
    {".obj", ExportFormat::Obj, ""},
    {".pc2", ExportFormat::Pc2, ""},
    {".abc", {}, ".usda or .pc2"},
    {".fbx", {}, ".glb or .usda"},
    {".mdd", {}, ".pc2"},
    {".ply", {}, "a folder, for OBJ files"},
    {".stl", {}, "a folder, for OBJ files"},
    {".h5", {}, "`tulle upscale` or `tulle simulate` to write a cache"},
}};

std::string extension_of(const fs::path& target) {
    std::string extension = target.extension().string();
    std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
    return extension;
}

const KnownExtension* find_extension(const fs::path& target) {
    const auto found = std::ranges::find(known_extensions, extension_of(target), &KnownExtension::extension);
    return found == known_extensions.end() ? nullptr : &*found;
}

std::string_view word_of(ExportFormat format) {
    switch (format) {
        case ExportFormat::Usd:
            return "usd";
        case ExportFormat::Gltf:
            return "gltf";
        case ExportFormat::Obj:
            return "obj";
        case ExportFormat::Pc2:
            return "pc2";
    }
    return "";
}

void refuse_unwritten(const fs::path& target, const KnownExtension& known) {
    if (!known.format)
        throw Error("cannot write '{}': Tulle does not write {} files; use {}", target.string(), known.extension,
                    known.instead);
}

}  // namespace

ExportFormat parse_export_format(std::string_view word) {
    for (const ExportFormat format : {ExportFormat::Usd, ExportFormat::Gltf, ExportFormat::Obj, ExportFormat::Pc2})
        if (word == word_of(format)) return format;
    throw Error("'{}' is not an export format; use usd, gltf, obj or pc2", word);
}

ExportFormat export_format_of(const fs::path& target) {
    if (const KnownExtension* known = find_extension(target)) {
        refuse_unwritten(target, *known);
        return *known->format;
    }
    if (!target.has_extension()) return ExportFormat::Obj;  // a folder
    throw Error(
        "cannot write '{}': nothing is known of {} files; use .h5, .usda, .glb, .gltf, .pc2, .obj for one frame, or a "
        "folder for OBJ files",
        target.string(), target.extension().string());
}

void check_export_name(ExportFormat format, const fs::path& target, long frames) {
    const KnownExtension* known = find_extension(target);
    if (!known) return;
    refuse_unwritten(target, *known);
    if (*known->format != format)
        throw Error("cannot write '{}': its name promises {}, but {} is to be written; give another name, or --to {}",
                    target.string(), word_of(*known->format), word_of(format), word_of(*known->format));
    if (format == ExportFormat::Obj && frames > 1)
        throw Error("cannot write '{}': an OBJ file holds one frame, and there are {}; name a folder, such as '{}'",
                    target.string(), frames, fs::path(target).replace_extension().string() + "-obj");
}

fs::path default_export_path(const fs::path& cache, ExportFormat format) {
    fs::path stem = cache.parent_path() / cache.stem();
    if (cache.extension() == ".part") stem.replace_extension();  // X.h5.part
    switch (format) {
        case ExportFormat::Usd:
            return stem += ".usda";
        case ExportFormat::Gltf:
            return stem += ".glb";
        case ExportFormat::Obj:
            return stem += "-obj";
        case ExportFormat::Pc2:
            return stem += ".pc2";
    }
    return stem;
}

}  // namespace tulle::io

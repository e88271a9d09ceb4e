// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/cache_reader.h"
#include "tulle/scene/scene.h"
#include "tulle/workflows/identify.h"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace tulle::workflows {

namespace {

const std::array<const char*, 3> kinds = {"stretch", "shear", "bend"};

std::string unit_of(const methods::IdentificationReport& found, int index) {
    if (index < 3) return found.stiffness_per_length ? "N" : "N/m";
    if (index < 6) return "N s/m";
    return index == 6 ? "1/s" : "m/s²";
}

std::string comments(const IdentifyReport& report, const IdentifySettings& settings) {
    const methods::IdentificationReport& found = report.found;
    std::string text = fmt::format("{}{}` from {} frames, compared with {}.\n", identified_format.beginning,
                                   settings.source.filename().string(), found.frames, report.method);
    text +=
        fmt::format("# Noise of the positions {:.3g} m, distance left {:.3g} m; errors are one standard deviation.\n",
                    found.noise, found.distance);
    if (!report.masses_are_known)
        text += "# The masses are not known: each particle counts as 1 kg, and only ratios to it mean something.\n";
    for (int i = 0; i < methods::parameter_count; ++i) {
        const methods::IdentifiedValue& value = found.values[static_cast<size_t>(i)];
        text += fmt::format("#   {:<18} ", methods::parameter_name(i));
        text += value.is_shown ? fmt::format("{:.8g} ± {:.2g} {}\n", value.value, value.error, unit_of(found, i))
                               : fmt::format("not shown by the motion; {:.3g} stands for it\n", value.value);
    }
    for (const std::string& warning : found.warnings) text += fmt::format("# Note: {}.\n", warning);
    return text;
}

scene::Overrides overrides(const methods::IdentificationReport& found) {
    scene::Overrides settings;
    for (size_t i = 0; i < 3; ++i) {
        settings.push_back(fmt::format("cloth.{}.stiffness={:#.10g}", kinds[i], found.parameters.stiffness[i]));
        settings.push_back(fmt::format("cloth.{}.damping={:#.10g}", kinds[i], found.parameters.damping[i]));
    }
    settings.push_back(fmt::format("cloth.stiffness_per_length={}", found.stiffness_per_length));
    settings.push_back(fmt::format("forces.drag={:#.10g}", found.parameters.drag));
    const Vector3& g = found.parameters.gravity;
    settings.push_back(fmt::format("forces.gravity=[{:#.10g}, {:#.10g}, {:#.10g}]", g.x(), g.y(), g.z()));
    return settings;
}

std::string vector_text(const Vector3& v) { return fmt::format("[{:.10g}, {:.10g}, {:.10g}]", v.x(), v.y(), v.z()); }

// A scene for a cache that has none: the grid as it rests, with a kilogram in each particle.
std::string plain_scene(const io::CacheHeader& header, const IdentifyReport& report) {
    const Positions& rest = header.mesh.positions;
    const auto [rows, columns] = header.grid;
    const Vector3 origin = rest.row(0);
    const Vector3 along_columns = Vector3(rest.row(columns - 1)) - origin;
    const Vector3 along_rows = Vector3(rest.row(static_cast<long>(rows - 1) * columns)) - origin;
    std::string text = fmt::format("up_axis = \"{}\"\nmethod = \"{}\"\n[time]\nframe_rate = {:.10g}\n", header.up_axis,
                                   report.method, header.frame_rate);
    text += fmt::format("[cloth]\nrows = {}\ncolumns = {}\nwidth = {:.10g}\nheight = {:.10g}\nmass = 1\n", rows,
                        columns, along_columns.norm(), along_rows.norm());
    text += fmt::format("origin = {}\nalong_columns = {}\nalong_rows = {}\n", vector_text(origin),
                        vector_text(along_columns), vector_text(along_rows));
    return text;
}

}  // namespace

std::string identified_scene(const IdentifyReport& report, const IdentifySettings& settings) {
    const io::CacheReader cache(settings.source);
    const io::CacheHeader& header = cache.header();
    const scene::Overrides found = overrides(report.found);
    const scene::Scene scene =
        !settings.scene.empty() ? scene::load_scene(settings.scene, found)
                                : scene::parse_scene(header.scene.empty() ? plain_scene(header, report) : header.scene,
                                                     settings.source.string(), settings.source.parent_path(), found);
    // the first line names every override, which the comments do better
    return comments(report, settings) + "\n" + scene.text.substr(scene.text.find('\n') + 1);
}

}  // namespace tulle::workflows

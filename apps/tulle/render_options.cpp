// SPDX-License-Identifier: Apache-2.0
#include "apps/tulle/render_options.h"

#include "apps/common/interrupt.h"
#include "apps/common/progress_bar.h"
#include "tulle/core/error.h"

#include <charconv>
#include <map>

namespace tulle::app {

namespace {

const std::map<std::string, render::Coloring> colorings = {{"plain", render::Coloring::Plain},
                                                           {"strain", render::Coloring::Strain},
                                                           {"stretch", render::Coloring::Stretch},
                                                           {"speed", render::Coloring::Speed},
                                                           {"error", render::Coloring::Values}};
const std::map<std::string, render::Pattern> patterns = {{"stripes", render::Pattern::Stripes},
                                                         {"weave", render::Pattern::Weave}};

render::ImageSize parse_size(const std::string& text) {
    render::ImageSize size;
    const char* end = text.data() + text.size();
    const auto [cross, width_error] = std::from_chars(text.data(), end, size.width);
    if (width_error == std::errc() && cross != end && *cross == 'x') {
        const auto [rest, height_error] = std::from_chars(cross + 1, end, size.height);
        if (height_error == std::errc() && rest == end) return size;
    }
    throw Error("'{}' is no size; write it like 1280x720, with sides of {} to {} pixels", text, render::smallest_side,
                render::largest_side);
}

}  // namespace

void RenderOptions::add_to(CLI::App& command) {
    command
        .add_option("--color", color,
                    "plain, strain (stretch in %), stretch (red: longer than at rest, blue: shorter), speed (m/s) or "
                    "error (what "
                    "a learned method says of itself, in mm)")
        ->check(CLI::IsMember({"plain", "strain", "stretch", "speed", "error"}))
        ->capture_default_str();
    command.add_option("--pattern", pattern, "stripes or weave")
        ->check(CLI::IsMember({"stripes", "weave"}))
        ->capture_default_str();
    command.add_option("--size", size, "Width x height in pixels")->capture_default_str();
    command.add_flag("--draft", draft, "Several times faster, with harder edges and shadows");
    command.add_option("--eye", eye, "Where the camera stands, x y z in metres (default: chosen)")->expected(3);
    command.add_option("--target", target, "What it looks at, x y z in metres (default: chosen)")->expected(3);
}

render::RenderSettings RenderOptions::settings() const {
    render::RenderSettings settings{.size = parse_size(size),
                                    .quality = draft ? render::Quality::Draft : render::Quality::Full,
                                    .coloring = colorings.at(color),
                                    .pattern = patterns.at(pattern)};
    if (!eye.empty()) settings.camera.eye = Vector3(eye[0], eye[1], eye[2]);
    if (!target.empty()) settings.camera.target = Vector3(target[0], target[1], target[2]);
    return settings;
}

workflows::RenderReport render_with_progress(workflows::RenderRequest request) {
    const InterruptGuard guard;
    ProgressBar bar("drawing");
    request.on_frame = [&](long done, long total) {
        bar.show(done, total);
        return !guard.interrupted();
    };
    request.look.wants_stop = [&] { return guard.interrupted(); };
    workflows::RenderReport report;
    try {
        report = workflows::render_caches(request);
        if (!report.stopped) return report;
    } catch (const Error&) {
        if (!guard.interrupted()) throw;  // else it is what stopping led to: Ctrl-C reaches ffmpeg too
    }
    throw Error("stopped; nothing was written to '{}'", request.output.string());
}

}  // namespace tulle::app

// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/render_caches.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/core/timer.h"
#include "tulle/io/cache_reader.h"
#include "tulle/render/film.h"

#include <algorithm>
#include <functional>

namespace tulle::workflows {

namespace {

constexpr size_t most_panels = 9;

std::vector<io::CacheReader> open_caches(const std::vector<std::filesystem::path>& paths) {
    if (paths.size() > most_panels)
        throw Error("at most {} caches fit side by side, not {}", most_panels, paths.size());
    std::vector<io::CacheReader> caches;
    for (const auto& path : paths) {
        caches.emplace_back(path);
        if (caches.back().frame_count() == 0) throw Error("'{}' holds no frame to draw", path.string());
        const io::CacheHeader& first = caches.front().header();
        const io::CacheHeader& header = caches.back().header();
        if (header.up_axis != first.up_axis || header.frame_rate != first.frame_rate)
            throw Error("'{}' and '{}' have another up axis or frame rate and cannot be shown side by side",
                        caches.front().path().string(), path.string());
    }
    return caches;
}

// The method and what a frame of it cost; alone in the picture also the scene.
render::Panel make_panel(const io::CacheReader& cache, bool is_alone) {
    const io::CacheHeader& header = cache.header();
    render::Panel panel{.title = is_alone ? header.scene_name + ", " + header.method : header.method,
                        .cloth = header.mesh};
    const FrameCost cost = cache.frame_cost();
    if (cost.median > 0) {  // gathered poses cost nothing
        const auto number = [](double value) {
            return fmt::format("{:.{}f}", value, value < 10 ? 2 : value < 100 ? 1 : 0);
        };
        panel.subtitle = number(cost.median) + " ms per frame";
        if (cost.is_uneven()) panel.subtitle += fmt::format(" (mean {})", number(cost.mean));
    }
    for (const io::ColliderMesh& collider : header.colliders)
        panel.colliders.push_back({collider.rest_positions, collider.triangles, {}});
    return panel;
}

render::PanelFrame make_frame(const io::CacheReader& cache, long index) {
    io::CacheFrame frame = cache.frame(index);
    if (const double farthest = frame.positions.rowwise().norm().maxCoeff(); farthest > render::farthest_drawn)
        throw Error("'{}' cannot be drawn: it has diverged, in frame {} the cloth reaches {:.3g} m from the origin",
                    cache.path().string(), index, farthest);
    constexpr double millimetres = 1000;
    render::PanelFrame panel{.positions = std::move(frame.positions),
                             .velocities = std::move(frame.velocities),
                             .values = millimetres * frame.bounds.cast<double>()};
    const auto& colliders = cache.header().colliders;
    for (size_t c = 0; c < colliders.size(); ++c) panel.colliders.push_back(cache.collider_positions(c, index));
    return panel;
}

std::vector<render::PanelFrame> make_frames(const std::vector<io::CacheReader>& caches, long index) {
    std::vector<render::PanelFrame> frames;
    frames.reserve(caches.size());
    for (const io::CacheReader& cache : caches) frames.push_back(make_frame(cache, index));
    return frames;
}

void require_bounds(const RenderRequest& request, const std::vector<io::CacheReader>& caches) {
    if (request.look.coloring != render::Coloring::Values) return;
    for (const io::CacheReader& cache : caches)
        if (!cache.header().has_bounds)
            throw Error("'{}' has no predicted errors to draw; caches of learned upscaling with canonical weights have",
                        cache.path().string());
}

bool is_film(const std::filesystem::path& output) {
    if (output.extension() == ".mp4") return true;
    if (output.extension() == ".png") return false;
    throw Error("'{}' is neither a picture (.png) nor a film (.mp4)", output.string());
}

long chosen_frame(const RenderRequest& request, long count) {
    const long frame = request.frame.value_or(count - 1);
    if (frame < 0 || frame >= count)
        throw Error("frame {} is outside of '{}', which has frames 0 to {}", frame, request.caches.front().string(),
                    count - 1);
    return frame;
}

render::RenderSettings settings_for(const RenderRequest& request, char up_axis, bool film) {
    render::RenderSettings settings = request.look;
    settings.up = up_axis == 'y' ? render::UpAxis::Y : render::UpAxis::Z;
    if (settings.coloring == render::Coloring::Values) settings.value_title = "predicted error [mm]";
    check_image_size(settings.size);
    if (film) settings.size = render::even_size(settings.size);
    return settings;
}

// The camera must stand still, so all frames are looked at first; a few dozen say enough about a long motion.
render::Survey survey_motion(const std::vector<render::Panel>& panels, const std::vector<io::CacheReader>& caches,
                             long count, const std::function<bool()>& wants_stop) {
    render::Survey survey(panels);
    const long stride = std::max(1L, count / 60);
    for (long f = 0; f < count; f += stride) {
        if (wants_stop && wants_stop()) throw render::Stopped();
        survey.add(make_frames(caches, f));
    }
    if ((count - 1) % stride != 0) survey.add(make_frames(caches, count - 1));
    return survey;
}

RenderReport draw_film(const RenderRequest& request, const std::vector<io::CacheReader>& caches,
                       render::Renderer& renderer, const render::ImageSize& size, long count) {
    RenderReport report;
    render::FilmWriter film(request.output, {.size = size, .frames_per_second = caches.front().header().frame_rate});
    const Stopwatch watch;
    while (report.frames < count && !report.stopped) {
        film.add(renderer.draw(make_frames(caches, report.frames)));
        ++report.frames;
        if (request.on_frame) report.stopped = !request.on_frame(report.frames, count);
    }
    if (!report.stopped) film.finish();
    report.frames_per_second = 1000 * static_cast<double>(report.frames) / watch.milliseconds();
    return report;
}

}  // namespace

void prepare_picture(const std::filesystem::path& output) {
    prepare_target(output, is_film(output) ? render::mp4_format : render::png_format);
    remove_abandoned(output.parent_path());
}

RenderReport render_caches(const RenderRequest& request) {
    const bool film = is_film(request.output);
    prepare_picture(request.output);
    const std::vector<io::CacheReader> caches = open_caches(request.caches);
    long count = caches.front().frame_count();
    std::vector<render::Panel> panels;
    for (const io::CacheReader& cache : caches) {
        count = std::min(count, cache.frame_count());
        panels.push_back(make_panel(cache, caches.size() == 1));
    }
    require_bounds(request, caches);
    const long frame = chosen_frame(request, count);
    const render::RenderSettings settings = settings_for(request, caches.front().header().up_axis, film);
    render::Renderer renderer(panels, survey_motion(panels, caches, count, settings.wants_stop), settings);
    if (film) return draw_film(request, caches, renderer, settings.size, count);
    const Stopwatch watch;
    const render::Image image = renderer.draw(make_frames(caches, frame));
    if (settings.wants_stop && settings.wants_stop()) throw render::Stopped();
    write_png(image, request.output);
    return {.frames = 1, .frames_per_second = 1000 / watch.milliseconds()};
}

}  // namespace tulle::workflows

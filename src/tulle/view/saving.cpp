// SPDX-License-Identifier: Apache-2.0
#include "tulle/view/saving.h"

#include "tulle/core/error.h"
#include "tulle/io/export.h"
#include "tulle/render/renderer.h"
#include "tulle/workflows/replay.h"

#include <algorithm>
#include <cctype>

namespace tulle::view {

namespace fs = std::filesystem;

namespace {

std::string usable(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c) && c != '-' && c != '_'; }, '-');
    return name.substr(0, 100);
}

workflows::SimulateReport replay_into(const live::Recording& recording, const fs::path& cache,
                                      const std::function<bool()>& wants_stop) {
    if (recording.frames == 0) throw Error("nothing has moved yet; let it play and save again");
    const workflows::SimulateReport report = workflows::replay(
        recording, {.cache = cache, .on_frame = [&](const workflows::FrameProgress&) { return !wants_stop(); }});
    if (report.stopped) throw Error("saving was stopped by the end of the program");
    return report;
}

}  // namespace

fs::path free_path(const fs::path& folder, const std::string& name, const std::string& ending) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    constexpr int most = 100'000;
    for (int number = 1; number < most; ++number) {
        const std::string suffix = number == 1 ? std::string() : fmt::format("-{}", number);
        const fs::path path = folder / fmt::format("{}{}{}", usable(name), suffix, ending);
        if (!fs::exists(fs::symlink_status(path, failed))) return path;
    }
    throw Error("'{}' holds too many files named '{}'; empty it, or name another folder with --save-to",
                folder.string(), name);
}

Saved save_cache(const live::Recording& recording, const fs::path& folder, const std::string& name,
                 const std::function<bool()>& wants_stop) {
    const fs::path path = free_path(folder, name, ".h5");
    replay_into(recording, path, wants_stop);
    return {path, fmt::format("`tulle simulate --replay {}` gives the same bits", path.string())};
}

Saved save_gltf(const live::Recording& recording, const fs::path& folder, const std::string& name,
                const std::function<bool()>& wants_stop) {
    const fs::path cache = free_path(folder, name, ".h5");
    replay_into(recording, cache, wants_stop);
    Saved saved = save_gltf(cache, folder, name);
    saved.note = fmt::format("made from `{}`, which was saved too", cache.string());
    return saved;
}

Saved save_gltf(const fs::path& cache, const fs::path& folder, const std::string& name) {
    const fs::path path = free_path(folder, name, ".glb");
    io::export_cache(io::CacheReader(cache), io::ExportFormat::Gltf, path);
    return {path, ""};
}

Saved save_picture(const Snapshot& snapshot, const SaveMessage& wish, bool is_y_up, const fs::path& folder,
                   const std::string& name) {
    const fs::path path = free_path(folder, name, ".png");
    const std::vector<render::Panel> panels = {
        {.title = snapshot.title, .cloth = snapshot.rest, .colliders = snapshot.colliders}};
    const std::vector<render::PanelFrame> frames = {{.positions = snapshot.positions}};
    render::Survey survey(panels);
    survey.add(frames);
    render::RenderSettings look{.size = {wish.size[0], wish.size[1]},
                                .up = is_y_up ? render::UpAxis::Y : render::UpAxis::Z};
    if (wish.camera)
        look.camera = {
            .eye = wish.camera->eye, .target = wish.camera->target, .field_of_view = wish.camera->field_of_view};
    render::write_png(render::Renderer(panels, survey, look).draw(frames), path);
    return {path, ""};
}

}  // namespace tulle::view

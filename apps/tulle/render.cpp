// SPDX-License-Identifier: Apache-2.0
#include "apps/common/interrupt.h"
#include "apps/common/print_text.h"
#include "apps/common/progress_bar.h"
#include "apps/tulle/commands.h"
#include "apps/tulle/render_options.h"

#include <fmt/format.h>

#include <memory>

namespace tulle::app {

namespace {

struct Options {
    std::string cache;
    std::vector<std::string> compare;
    std::string output;
    long frame = -1;
    RenderOptions look;
};

void run(const Options& options) {
    workflows::RenderRequest request{
        .caches = {options.cache}, .output = options.output, .look = options.look.settings()};
    request.caches.insert(request.caches.end(), options.compare.begin(), options.compare.end());
    if (options.frame >= 0) request.frame = options.frame;
    const workflows::RenderReport report = render_with_progress(std::move(request));
    print_text("{}: {} frame{} at {:.2g} frames/s\n", options.output, report.frames, report.frames == 1 ? "" : "s",
               report.frames_per_second);
}

}  // namespace

void add_render(CLI::App& app) {
    CLI::App* command = app.add_subcommand("render", "Draw a cache as a picture or a film");
    const auto options = std::make_shared<Options>();
    command->add_option("cache", options->cache, "Sequence cache (.h5)")->required();
    command->add_option("-o,--output", options->output, "Picture (.png) or film (.mp4)")->required();
    command->add_option("--frame", options->frame, "Frame of a picture (default: the last)")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--compare", options->compare, "More caches, drawn beside the first");
    options->look.add_to(*command);
    command->footer("example: tulle render out/flag-admm.h5 --compare out/flag-newton.h5 --color strain -o flag.mp4");
    command->callback([options] { run(*options); });
}

}  // namespace tulle::app

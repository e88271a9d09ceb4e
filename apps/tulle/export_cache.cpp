// SPDX-License-Identifier: Apache-2.0
#include "apps/tulle/export_cache.h"
#include "apps/common/print_text.h"

#include "apps/common/interrupt.h"
#include "apps/common/progress_bar.h"
#include "tulle/core/error.h"
#include "tulle/io/export.h"

#include <fmt/format.h>

#include <cmath>

namespace tulle::app {

namespace {

io::ExportFormat format_of(const ExportOptions& options) {
    if (!options.format.empty()) return io::parse_export_format(options.format);
    if (options.output.empty())
        throw CLI::ValidationError("export: say what to write with --to, or with the name of the output (-o)");
    return io::export_format_of(options.output);
}

}  // namespace

void export_with_progress(const std::filesystem::path& cache, const ExportOptions& options) {
    const io::ExportFormat target = format_of(options);
    const io::CacheReader reader(cache);
    const std::filesystem::path output =
        options.output.empty() ? io::default_export_path(cache, target) : options.output;
    const long frames = reader.frame_count();
    {
        const InterruptGuard guard;
        ProgressBar bar("exporting", options.progress);
        const auto progress = [&](double done) { bar.show(std::lround(done * static_cast<double>(frames)), frames); };
        const auto stop = [&] {
            if (guard.interrupted()) throw Error("stopped; nothing was written to '{}'", output.string());
        };
        io::export_cache(reader, target, output,
                         {.overwrite = true,
                          .progress = progress,
                          .before_frame = stop,
                          .up_axis = options.up[0],
                          .quantise = options.quantise});
    }
    const bool says_rate = target == io::ExportFormat::Usd || target == io::ExportFormat::Gltf;
    print_text(
        "{}: {} frames{}\n", output.string(), frames,
        says_rate ? "" : fmt::format("; the file cannot say that they are {} a second", reader.header().frame_rate));
}

void add_up_option(CLI::App& command, std::string& up, const std::string& of) {
    command.add_option("--up", up, "Up axis of " + of + ": y or z")
        ->check(CLI::IsMember({"y", "z"}))
        ->capture_default_str();
}

}  // namespace tulle::app

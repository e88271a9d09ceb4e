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

void export_with_progress(const std::filesystem::path& cache, const std::string& format, std::filesystem::path output) {
    const io::CacheReader reader(cache);
    const io::ExportFormat target = io::parse_export_format(format);
    if (output.empty()) output = io::default_export_path(cache, target);
    const long frames = reader.frame_count();
    {
        const InterruptGuard guard;
        ProgressBar bar("exporting");
        const auto progress = [&](double done) { bar.show(std::lround(done * static_cast<double>(frames)), frames); };
        const auto stop = [&] {
            if (guard.interrupted()) throw Error("stopped; nothing was written to '{}'", output.string());
        };
        io::export_cache(reader, target, output, {.overwrite = true, .progress = progress, .before_frame = stop});
    }
    print_text("{}: {} frames\n", output.string(), frames);
}

}  // namespace tulle::app

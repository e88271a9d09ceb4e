// SPDX-License-Identifier: Apache-2.0
#include "apps/tulle/evaluate_modes.h"

#include "apps/common/interrupt.h"
#include "apps/common/print_text.h"
#include "apps/common/progress_bar.h"
#include "tulle/core/atomic_file.h"

#include <CLI/CLI.hpp>

namespace tulle::app {

void stop_without_report() {
    print_text(stderr, "tulle: stopped before there was a report\n");
    throw CLI::RuntimeError(1);
}

void run_ensemble(const scene::Scene& scene, workflows::EnsembleSettings settings, const std::filesystem::path& folder,
                  Print print) {
    workflows::prepare_ensemble(folder);
    workflows::EnsembleReport report;
    {
        const InterruptGuard guard;
        ProgressBar bar("evaluating");
        settings.on_frame = [&](const workflows::EvaluateProgress& progress) {
            bar.show(progress.done, progress.total, progress.method);
            return !guard.interrupted();
        };
        report = workflows::evaluate_ensemble(scene, settings);
    }
    if (report.stopped) stop_without_report();
    const auto write = [&](const workflows::ReportFile& file, const std::string& text) {
        write_file(folder / file.name, text, file.format);
    };
    write(workflows::ensemble_json, to_json(report) + "\n");
    write(workflows::ensemble_csv, to_csv(report));
    write(workflows::ensemble_html, to_html(report));
    if (print == Print::Json)
        print_text("{}\n", to_json(report));
    else
        print_text("{}\nThe whole report is {}.\n", to_table(report),
                   (folder / workflows::ensemble_html.name).string());
    if (report.cpu_share < workflows::least_cpu_share)
        print_text(stderr, "tulle: the machine was busy, so the costs are not to be trusted\n");
}

void run_sequences(const scene::Scene& scene, workflows::SequencesSettings settings, Print print) {
    workflows::SequencesReport report;
    {
        const InterruptGuard guard;
        ProgressBar bar("evaluating");
        settings.on_sequence = [&](long done, long total) {
            bar.show(done, total);
            return !guard.interrupted();
        };
        report = workflows::evaluate_sequences(scene, settings);
    }
    if (report.stopped) stop_without_report();
    print_text("{}\n", print == Print::Json ? to_json(report) : to_table(report));
}

}  // namespace tulle::app

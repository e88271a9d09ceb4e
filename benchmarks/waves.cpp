// SPDX-License-Identifier: Apache-2.0
// Does a network do harm? Sine waves that were bent without stretching, of 4 to 40 coarse cells, in all directions,
// with slopes to 0.7: the mean error of each weights file over that of bicubic interpolation.
// usage: waves WEIGHTS... [--json FILE]
#include "tulle/datasets/developable.h"
#include "tulle/geometry/miniature.h"
#include "tulle/methods/upscaling/upscaling_kind.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>

namespace {

using namespace tulle;

struct Case {
    double length, degrees, slope;  // length in coarse cells
    double ours, bicubic;           // mean error in coarse cells

    double ratio() const { return ours / bicubic; }
};

double mean_error(const methods::Upscaler& upscaler, const std::vector<int>& coarse, const Positions& truth) {
    Positions fine;
    upscaler.upscale(
        std::vector<Positions>(static_cast<size_t>(upscaler.frames_seen()), geometry::sample(coarse, truth)), fine);
    return (fine - truth).rowwise().norm().mean();
}

std::vector<Case> measure(const methods::UpscalingModel& model) {
    const int s = model.part.factor, cells = 24 * s;
    const geometry::GridSize size{cells + 1, cells + 1};
    const auto cloth = geometry::make_grid_cloth(size, {.width = double(cells), .height = double(cells)});
    const methods::FineCloth fine{.mesh = cloth.mesh, .grid = size, .coarsest = {}};
    const auto ours = methods::upscaling_kind(model.card.method).make_upscaler(fine, s, &model);
    const auto bicubic = methods::upscaling_kind("bicubic").make_upscaler(fine, s, nullptr);
    const std::vector<int> coarse = geometry::make_miniature(size, s).fine_vertices();
    const Rows<double, 2> flat = datasets::grid_coordinates(size);
    std::vector<Case> cases;
    for (const double length : {4.0, 5.0, 6.0, 8.0, 10.0, 14.0, 20.0, 28.0, 40.0})
        for (double degrees = 0; degrees < 180; degrees += 15)
            for (const double slope : {0.05, 0.1, 0.2, 0.35, 0.5, 0.7}) {
                const Positions truth = datasets::sine_sheet(flat, degrees * std::numbers::pi / 180, length * s, slope);
                cases.push_back({length, degrees, slope, mean_error(*ours, coarse, truth) / s,
                                 mean_error(*bicubic, coarse, truth) / s});
            }
    return cases;
}

void print(const std::string& name, std::vector<Case> cases) {
    fmt::print("{}\n  wavelength [cells]  median ×  worst ×   bicubic [cells]\n", name);
    for (size_t first = 0; first < cases.size();) {
        std::vector<double> ratios;
        double bicubic = 0;
        const double length = cases[first].length;
        for (; first < cases.size() && cases[first].length == length; ++first) {
            ratios.push_back(cases[first].ratio());
            bicubic = std::max(bicubic, cases[first].bicubic);
        }
        std::ranges::sort(ratios);
        fmt::print("  {:18g}  {:8.3f}  {:7.3f}   {:.2g}\n", length, ratios[ratios.size() / 2], ratios.back(), bicubic);
    }
    std::ranges::sort(cases, {}, &Case::ratio);
    const Case& worst = cases.back();
    fmt::print("  all: median {:.3f} ×, worst {:.3f} × (wavelength {:g}, {:g}°, slope {:g})\n",
               cases[cases.size() / 2].ratio(), worst.ratio(), worst.length, worst.degrees, worst.slope);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: waves WEIGHTS... [--json FILE]\n");
        return 2;
    }
    nlohmann::json rows = nlohmann::json::array();
    std::string json_file;
    for (int i = 1; i < argc; ++i) {
        if (std::string(argv[i]) == "--json" && i + 1 < argc) {
            json_file = argv[++i];
            continue;
        }
        const methods::UpscalingModel model = methods::load_upscaling_model(argv[i]);
        std::vector<Case> cases = measure(model);
        print(argv[i], cases);
        std::ranges::sort(cases, {}, &Case::ratio);
        rows.push_back({{"weights", std::filesystem::path(argv[i]).filename().string()},
                        {"median", cases[cases.size() / 2].ratio()},
                        {"worst", cases.back().ratio()}});
    }
    if (!json_file.empty()) std::ofstream(json_file) << rows.dump(1) << "\n";
}

// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/reproduce/coerced_tables.h"

#include "tulle/training/reproduce/spread.h"

#include <fmt/format.h>

#include <array>

namespace tulle::training {

namespace {

using Rows = std::vector<std::vector<std::string>>;
constexpr std::array<PoseSet, 3> all_sets = {PoseSet::Training, PoseSet::Validation, PoseSet::Test};

std::string seeds_in_words(size_t count) { return count == 1 ? "1 seed" : fmt::format("{} seeds", count); }

// A row of a table and what the paper has in it; empty: nothing.
struct PaperRow {
    std::string name;
    CoercedRow row;
    std::vector<std::string> paper;
};

// Each row twice, the paper's above ours; two measures on each set of poses.
void two_measures(Page& page, const CoercedCells& cells, int examples, const std::vector<PaperRow>& entries,
                  const std::array<std::string, 2>& head, const std::array<std::string, 2>& names) {
    Rows rows;
    for (const auto& [name, row, paper] : entries) {
        if (!paper.empty()) {
            rows.push_back({name + ", paper"});
            rows.back().insert(rows.back().end(), paper.begin(), paper.end());
        }
        const size_t seeds = cells.test_values(row, examples, names[0]).size();
        rows.push_back({fmt::format("{}, ours ({})", name, seeds_in_words(seeds))});
        for (const PoseSet set : all_sets)
            for (const std::string& measure : names)
                rows.back().push_back(text_of(cells.values(row, examples, figure_name(set, measure))));
    }
    page.table(
        {"method", "training: " + head[0], head[1], "validation: " + head[0], head[1], "test: " + head[0], head[1]},
        rows);
}

const std::array<std::string, 2> distances_head = {"SqrtMSE", "MaxDist"}, distances = {"sqrt_mse", "max_dist"};

void table_1(Page& page, const CoercedCells& cells) {
    page.heading(fmt::format("Table 1: inextensibility, {} examples (the paper: 1000)", cells.examples_of_table_1()));
    two_measures(
        page, cells, cells.examples_of_table_1(),
        {{"network alone", network_alone(), {"2.5370", "10.554", "7.6060", "29.799", "7.6840", "29.637"}},
         {"network alone, told of each joint against its parent", told_of_parents(), {}},
         {"post-process only", inextensible(false), {"2.0781", "10.042", "7.2026", "28.880", "7.4326", "29.012"}},
         {"trained with it", inextensible(true), {"2.0767", "9.9807", "7.1903", "29.181", "7.1603", "29.006"}}},
        distances_head, distances);
}

void table_2(Page& page, const CoercedCells& cells) {
    page.heading(fmt::format("Table 2: inextensibility, {} examples (the paper: 8000)", cells.examples_of_table_2()));
    if (cells.examples_of_table_2() == cells.examples_of_table_1()) {
        page.text("There are not twice the examples of table 1; with more poses this table is filled.");
        return;
    }
    two_measures(
        page, cells, cells.examples_of_table_2(),
        {{"network alone", network_alone(), {"4.1824", "17.351", "5.9018", "25.506", "5.9405", "25.597"}},
         {"post-process only", inextensible(false), {"3.9257", "16.853", "5.6153", "25.502", "5.6582", "25.215"}},
         {"trained with it", inextensible(true), {"3.8096", "16.790", "5.5875", "25.030", "5.6511", "25.267"}}},
        distances_head, distances);
}

// The network's own error falls with them, and with it what hides the drift of weak springs.
void more_examples_table(Page& page, const CoercedCells& cells) {
    const int examples = cells.examples_of_table_2();
    if (examples == cells.examples_of_table_1()) return;
    page.heading(
        fmt::format("Beyond the paper: quasistatics on {} examples, and on their mirror images too", examples));
    page.text(
        "Body and pattern are symmetric: a mirror image is an example that nobody had to simulate. How near it is "
        "to a simulated one is in docs/garment.md.");
    std::vector<PaperRow> entries;
    for (const auto& [name, row] : {std::pair{"network alone", network_alone()},
                                    {"μ = 0.01, post-process only", quasistatic(0.01, false)},
                                    {"μ = 0.01, trained with it", quasistatic(0.01, true)}})
        entries.push_back({name, row, {}});
    for (size_t i = 0; i < 3; ++i)
        entries.push_back({entries[i].name + ", mirror images too", mirrored(entries[i].row), {}});
    two_measures(page, cells, examples, entries, distances_head, distances);
}

void table_3(Page& page, const CoercedCells& cells) {
    page.heading(fmt::format("Table 3: quasistatics, {} examples (the paper: 1000)", cells.examples_of_table_1()));
    two_measures(
        page, cells, cells.examples_of_table_1(),
        {{"network alone", network_alone(), {"2.5364", "10.896", "7.5385", "29.322", "7.5131", "29.308"}},
         {"μ = 1, post-process only",
          quasistatic(1, false),
          {"2.2014", "10.333", "7.3195", "29.371", "7.2918", "29.604"}},
         {"μ = 1, trained with it", quasistatic(1, true), {"2.1754", "9.7121", "7.2804", "29.716", "7.2794", "31.191"}},
         {"μ = 0.1, post-process only",
          quasistatic(0.1, false),
          {"2.2268", "12.881", "7.2168", "30.371", "7.1879", "30.599"}},
         {"μ = 0.1, trained with it",
          quasistatic(0.1, true),
          {"1.7223", "10.864", "7.1435", "30.246", "7.1465", "31.191"}},
         {"μ = 0.01, post-process only",
          quasistatic(0.01, false),
          {"4.3621", "22.045", "8.8966", "34.594", "8.9365", "35.022"}},
         {"μ = 0.01, trained with it",
          quasistatic(0.01, true),
          {"2.3120", "16.303", "7.3002", "31.718", "7.3596", "32.494"}},
         {"network alone, trained longer", longer(network_alone()), {}},
         {"μ = 0.01, post-process of that only", longer(quasistatic(0.01, false)), {}},
         {"μ = 0.001, post-process only", quasistatic(0.001, false), {}},
         {"μ = 0.001, trained with it", quasistatic(0.001, true), {}},
         {"μᵢ of each vertex, trained with it",
          vertex_mu(),
          {"1.6213", "10.969", "6.8900", "31.027", "6.9375", "31.816"}}},
        distances_head, distances);
}

void table_4(Page& page, const CoercedCells& cells) {
    page.heading("Table 4: errors of the energies");
    two_measures(page, cells, cells.examples_of_table_1(),
                 {{"network alone", network_alone(), {}},
                  {"μ = 1", quasistatic(1, true), {"4.5191", "1.0058", "14.612", "4.1526", "14.897", "4.0208"}},
                  {"μ = 0.1", quasistatic(0.1, true), {"0.4444", "0.4786", "1.7589", "0.4661", "1.7435", "0.4415"}},
                  {"μ = 0.01", quasistatic(0.01, true), {"1.5587", "0.3319", "1.6390", "0.6551", "1.7534", "0.6847"}},
                  {"μ = 0.001", quasistatic(0.001, true), {}},
                  {"μᵢ of each vertex", vertex_mu(), {"0.3183", "0.4580", "0.5990", "0.4289", "0.6433", "0.4717"}}},
                 {"compression", "stretching"}, {"compression_error", "stretching_error"});
    page.text(
        "All trained with the projection, except the first. Ours: ½ (ℓ − L)² summed over the edges that are shorter "
        "than at rest, and over those that are longer; of that the absolute difference to the same of the truth, "
        "averaged over the poses [mm²]. The paper does not give its unit.");
}

}  // namespace

void half_range_table(Page& page, const CoercedCells& half) {
    page.heading(fmt::format("Beyond the paper: poses of half the range, {} examples", half.examples_of_table_1()));
    page.text(fmt::format(
        "The paper does not say how far its joints turn. These are `tulle generate scenes/shirt.toml --poses {} "
        "--within 0.5`: each angle within half of its limits, {} poses for validation and {} for test. Rows, budget "
        "and weights' choice are those of table 3.",
        half.data().drapes.size(), half.data().split.validation.size(), half.data().split.test.size()));
    std::vector<PaperRow> entries;
    for (const auto& [name, row] : {std::pair{"network alone", network_alone()},
                                    {"μ = 0.1, post-process only", quasistatic(0.1, false)},
                                    {"μ = 0.1, trained with it", quasistatic(0.1, true)},
                                    {"μ = 0.01, post-process only", quasistatic(0.01, false)},
                                    {"μ = 0.01, trained with it", quasistatic(0.01, true)},
                                    {"network alone, trained longer", longer(network_alone())},
                                    {"μ = 0.01, post-process of that only", longer(quasistatic(0.01, false))}})
        entries.push_back({name, row, {}});
    two_measures(page, half, half.examples_of_table_1(), entries, distances_head, distances);
}

void coerced_tables(Page& page, const CoercedCells& cells) {
    table_1(page, cells);
    table_2(page, cells);
    table_3(page, cells);
    table_4(page, cells);
    more_examples_table(page, cells);
}

}  // namespace tulle::training

// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/sweep.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/random.h"
#include "tulle/scene/method.h"
#include "tulle/scene/table_reader.h"

#include <fmt/format.h>

#include <cmath>

namespace tulle::scene {

namespace {

std::vector<double> read_bound(TableReader& table, const std::string& key) {
    if (table.is_list(key)) return table.numbers(key, {});
    return {table.number(key, {})};
}

std::vector<std::vector<double>> read_choices(TableReader& table, size_t keys) {
    const std::vector<double> flat = table.number_rows("choices", static_cast<int>(keys));
    std::vector<std::vector<double>> choices;
    for (size_t i = 0; i < flat.size(); i += keys)
        choices.emplace_back(flat.begin() + static_cast<long>(i), flat.begin() + static_cast<long>(i + keys));
    return choices;
}

Variation read_variation(TableReader& table) {
    Variation variation;
    variation.keys = table.texts("keys");
    if (variation.keys.empty()) table.fail("keys", "must name at least one setting of the scene");
    if (table.has("choices")) {
        variation.choices = read_choices(table, variation.keys.size());
        if (variation.choices.empty()) table.fail("choices", "must hold at least one choice");
        table.exclude({"min", "max", "scale"}, "belongs to a range, but there are choices");
    } else {
        variation.is_vector = table.is_list("min");
        variation.min = read_bound(table, "min");
        variation.max = read_bound(table, "max");
        variation.logarithmic = table.choice<bool>("scale", {{"linear", false}, {"log", true}}, false);
        if (variation.min.size() != variation.max.size()) table.fail("max", "must have as many numbers as 'min'");
        for (size_t i = 0; i < variation.min.size(); ++i)
            if (variation.min[i] > variation.max[i] || (variation.logarithmic && variation.min[i] <= 0))
                table.fail("min", "must not be above 'max', and above zero on a log scale");
    }
    table.finish();
    return variation;
}

double between(double min, double max, double share, bool logarithmic) {
    return logarithmic ? min * std::pow(max / min, share) : min + (max - min) * share;
}

// A whole number stays one, for rows and columns.
std::string number_text(double value) {
    return value == std::round(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                                : fmt::format("{:.17g}", value);
}

std::string drawn_value(const Variation& variation, Random& random) {
    if (!variation.is_vector)
        return number_text(
            between(variation.min.front(), variation.max.front(), random.uniform(), variation.logarithmic));
    std::vector<std::string> numbers;
    for (size_t i = 0; i < variation.min.size(); ++i)
        numbers.push_back(
            number_text(between(variation.min[i], variation.max[i], random.uniform(), variation.logarithmic)));
    return fmt::format("[{}]", fmt::join(numbers, ", "));
}

}  // namespace

Sweep load_sweep(const std::filesystem::path& path) {
    const std::string source = path.string();
    const toml::table table = parse_toml(read_file(path, 1 << 20), source);
    Document document{.source = source, .folder = path.parent_path(), .known_keys = {}};
    TableReader root(document, table);
    Sweep sweep;
    sweep.sequences = root.integer("sequences", {.min = 1, .max = 1'000'000, .fallback = sweep.sequences});
    sweep.frames = root.integer("frames", {.min = 1, .max = 10'000'000, .fallback = sweep.frames});
    sweep.seed = root.seed("seed", sweep.seed);
    sweep.method = root.text("method", sweep.method);
    if (!sweep.method.empty()) parse_method(sweep.method);
    for (TableReader& variation : root.tables("vary")) sweep.variations.push_back(read_variation(variation));
    root.finish();
    return sweep;
}

Sweep single_sequence(const Scene& scene) {
    return {.sequences = 1, .frames = scene.time.frames, .method = scene.method, .variations = {}, .own_seeds = false};
}

Overrides draw(const Sweep& sweep, int index) {
    Random random(mix(sweep.seed) + static_cast<std::uint64_t>(index));
    Overrides overrides;
    if (sweep.own_seeds) overrides.push_back(fmt::format("seed={}", random.bits() % 1'000'000'000));
    for (const Variation& variation : sweep.variations) {
        if (variation.choices.empty()) {
            const std::string value = drawn_value(variation, random);
            for (const std::string& key : variation.keys) overrides.push_back(fmt::format("{}={}", key, value));
            continue;
        }
        const std::vector<double>& choice = variation.choices[static_cast<size_t>(index) % variation.choices.size()];
        for (size_t k = 0; k < variation.keys.size(); ++k)
            overrides.push_back(fmt::format("{}={}", variation.keys[k], number_text(choice[k])));
    }
    return overrides;
}

}  // namespace tulle::scene

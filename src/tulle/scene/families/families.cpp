// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/families.h"

#include "tulle/core/error.h"
#include "tulle/scene/families/force_cell/force_cell_family.h"
#include "tulle/scene/families/garment/garment_family.h"
#include "tulle/scene/families/solvers.h"
#include "tulle/scene/families/upscaling/upscaling_family.h"

#include <algorithm>

namespace tulle::scene {

namespace {

std::vector<std::unique_ptr<const Family>> make_families() {
    std::vector<std::unique_ptr<const Family>> table;
    table.push_back(std::make_unique<SolverFamily>());
    table.push_back(std::make_unique<UpscalingFamily>());
    table.push_back(std::make_unique<ForceCellFamily>());
    table.push_back(std::make_unique<GarmentFamily>());
    return table;
}

}  // namespace

const std::vector<std::unique_ptr<const Family>>& families() {
    static const std::vector<std::unique_ptr<const Family>> table = make_families();
    return table;
}

const Family* find_family(const std::string& method) {
    for (const auto& family : families()) {
        const std::vector<std::string> names = family->method_names();
        if (std::find(names.begin(), names.end(), method) != names.end()) return family.get();
    }
    return nullptr;
}

const Family& family_of(const Method& method) {
    if (const Family* family = find_family(method.name)) return *family;
    throw Error("no family has a method '{}'", method.name);
}

std::vector<std::string> trainable_methods() {
    std::vector<std::string> names;
    for (const auto& family : families())
        for (const std::string& name : family->trainable_methods()) names.push_back(name);
    return names;
}

std::string Family::advice(const Scene& scene, const Method& method) const {
    return fmt::format("take more steps per frame ({}) or a lower stiffness, and check masses and forces",
                       steps_key(scene, method));
}

std::unique_ptr<Course> Family::read_course(TableReader&, const std::string& method, const std::string&) const {
    throw Error("{} has nothing to train", method);
}

methods::ModelCard Course::fit_again(const std::filesystem::path& file, const datasets::TrainingData&,
                                     const OnProgress&) {
    throw Error("'{}' has nothing to calibrate", file.string());
}

}  // namespace tulle::scene

// SPDX-License-Identifier: Apache-2.0
// A family of methods: all that the rest of Tulle must know of it. docs/architecture.md tells how to add one.
#pragma once

#include "tulle/methods/model_card.h"
#include "tulle/methods/upscaling/upscaler.h"
#include "tulle/physics/cloth_model.h"
#include "tulle/physics/stepper.h"
#include "tulle/physics/world.h"
#include "tulle/scene/families/course.h"
#include "tulle/scene/method.h"
#include "tulle/scene/scene.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tulle::scene {

class TableReader;

// A cloth as a method runs it. All must outlive the stepper.
struct Run {
    const Scene& scene;
    const physics::ClothModel& model;
    const physics::World& world;
    const Method& method;
};

// What a method infers from, so that it can be given the true thing instead of its own.
struct Teacher {
    std::unique_ptr<const methods::Upscaler> upscaler;
    std::vector<int> fine_vertices;  // where each coarse vertex is in the fine cloth
    int factor = 2;                  // how many times finer the fine cloth is
};

class Family {
public:
    virtual ~Family() = default;

    virtual std::vector<std::string> method_names() const = 0;
    // What follows the colon, as it is usually written. Throws an Error that says what may.
    virtual std::string read_variant(const std::string& name, const std::string& variant) const = 0;

    // The keys of a scene that are the family's own. `solver` is the scene's [solver], where a method may have a table
    // of its name.
    virtual void read_settings(TableReader& root, TableReader& solver, Scene& scene) const = 0;

    virtual std::unique_ptr<physics::Stepper> make_stepper(const Run& run) const = 0;
    // Whether what a step ends with is what is shown, and the next begins with; not for methods that show something
    // finer.
    virtual bool steps_are_shown() const { return false; }
    virtual int steps_per_frame(const Scene& scene, const physics::ClothModel& model, const Method& method) const = 0;
    // Whether the scene leaves it to us how many that are where there is contact.
    virtual bool leaves_steps_open(const Scene&, const Method&) const { return false; }
    // The key of a scene that sets the steps of a frame, such as "solver.admm.steps_per_frame"; empty: none does.
    virtual std::string steps_key(const Scene& scene, const Method& method) const = 0;
    // What to do about a run that diverged, for the end of a sentence.
    virtual std::string advice(const Scene& scene, const Method& method) const;
    // The key of a scene that names the weights file; empty: there is none.
    virtual std::string weights_key() const { return {}; }
    // None: the method infers nothing from a cloth that could be given to it.
    virtual std::optional<Teacher> teacher(const Run&) const { return {}; }
    virtual bool simulates() const { return true; }  // some of the vertices; no: all are inferred

    // Methods with weights of their own.
    virtual std::vector<std::string> trainable_methods() const { return {}; }
    // What a recipe says beyond [[data]], [network] and [training].
    virtual std::unique_ptr<Course> read_course(TableReader& recipe, const std::string& method,
                                                const std::string& name) const;
    // Throws an Error that names `source` unless the family's part of the card is sound.
    virtual void check_card(const methods::ModelCard&, const std::string& /*source*/) const {}
};

}  // namespace tulle::scene

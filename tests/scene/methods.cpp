// SPDX-License-Identifier: Apache-2.0
#include "tests/support/near.h"
#include "tulle/core/error.h"
#include "tulle/physics/solvers/solver.h"
#include "tulle/scene/build.h"
#include "tulle/scene/families/solvers.h"
#include "tulle/scene/simulation.h"

#include <doctest/doctest.h>

using namespace tulle;

namespace {

scene::Scene parse(const std::string& text) { return scene::parse_scene(text, "test.toml", "."); }

const std::string hanging =
    "[time]\nframe_rate = 50\n[cloth]\nrows = 5\ncolumns = 7\nmass = 0.01\n[[pins]]\nrow = \"first\"\n";

std::string method_error(const std::string& text) {
    try {
        scene::parse_method(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("A method is a name with an optional variant and prints as it was written") {
    CHECK(scene::solver_names() == std::vector<std::string>{"admm", "implicit_cg", "mass_spring", "xpbd", "newton"});
    for (const char* text : {"admm", "admm:5", "implicit_cg:3", "xpbd:100", "mass_spring", "newton"})
        CHECK(scene::parse_method(text).to_string() == text);
}

TEST_CASE("A wrong method lists the valid ones and names the nearest") {
    CHECK(method_error("adm") ==
          "unknown method 'adm'; the methods are admm, implicit_cg, mass_spring, xpbd, newton, "
          "miniature, hierarchy, bilinear, biquadratic, bicubic, butterfly, cascade, force_cell, garment; did you mean "
          "'admm'?");
    CHECK(method_error("finite_elements") ==
          "unknown method 'finite_elements'; the methods are admm, implicit_cg, mass_spring, xpbd, newton, "
          "miniature, hierarchy, bilinear, biquadratic, bicubic, butterfly, cascade, force_cell, garment");
    CHECK(method_error("") ==
          "unknown method ''; the methods are admm, implicit_cg, mass_spring, xpbd, newton, "
          "miniature, hierarchy, bilinear, biquadratic, bicubic, butterfly, cascade, force_cell, garment");
    CHECK(method_error("newton:5") == "method 'newton:5': newton has no variants; write 'newton'");
    for (const char* text : {"admm:", "admm:0", "admm:-1", "admm:five", "admm:5x", "admm:99999999999"})
        CHECK(method_error(text).find("must be a whole number from 1") != std::string::npos);
}

TEST_CASE("A variant replaces the scene's number of iterations") {
    const scene::Scene scene = parse(hanging + "[solver.admm]\niterations = 7\ntolerance = 0.001\n");
    const auto settings = [&](const char* method) {
        return scene::solver_settings(scene, scene::parse_method(method));
    };
    CHECK(std::get<physics::ProjectiveDynamicsSettings>(settings("admm")).iterations == 7);
    CHECK(std::get<physics::ProjectiveDynamicsSettings>(settings("admm:5")).iterations == 5);
    CHECK(std::get<physics::ProjectiveDynamicsSettings>(settings("admm:5")).tolerance == 0.001);
}

TEST_CASE("admm takes the balanced scheme for a fabric and the papers' for their springs, unless it is told") {
    using physics::AdmmScheme;
    const auto admm = [](const std::string& text) {
        return std::get<physics::ProjectiveDynamicsSettings>(
            scene::solver_settings(parse(text), scene::parse_method("admm")));
    };
    const std::string cotton = "[cloth]\nfabric = \"cotton\"\n";
    CHECK(admm(hanging).scheme == AdmmScheme::Paper);
    CHECK(admm(hanging).iterations == 20);
    CHECK(admm(cotton).scheme == AdmmScheme::Balanced);
    CHECK(admm(cotton).iterations == 40);
    CHECK(admm(cotton + "[solver.admm]\nscheme = \"paper\"\niterations = 3\n").scheme == AdmmScheme::Paper);
    CHECK(admm(cotton + "[solver.admm]\nscheme = \"paper\"\niterations = 3\n").iterations == 3);
    CHECK(admm(hanging + "[solver.admm]\nscheme = \"balanced\"\n").scheme == AdmmScheme::Balanced);
}

TEST_CASE("Steps per frame are the solver's own, then the common ones, then one; explicit ones follow stability") {
    const scene::Scene scene = parse(hanging + "[solver]\nsteps_per_frame = 4\n[solver.xpbd]\nsteps_per_frame = 8\n");
    const physics::ClothModel model = make_model(scene);
    const auto steps = [&](const scene::Scene& s, const char* method) {
        return scene::steps_per_frame(s, model, scene::parse_method(method));
    };
    CHECK(steps(scene, "admm") == 4);
    CHECK(steps(scene, "xpbd") == 8);
    CHECK(steps(parse(hanging), "newton") == 1);
    CHECK(steps(parse(hanging + "[solver.mass_spring]\nsteps_per_frame = 99\n"), "mass_spring") == 99);
    const int automatic = steps(scene, "mass_spring");
    CHECK(0.02 / automatic <= physics::stable_explicit_step(model));
    CHECK(0.02 / (automatic - 1) > physics::stable_explicit_step(model));
}

TEST_CASE("A simulation runs frame by frame with every method and can go on from any state") {
    std::vector<std::string> names = scene::solver_names();
    for (const char* name : {"bilinear", "biquadratic", "bicubic", "butterfly"}) names.emplace_back(name);
    const std::string text = hanging + "[upscaling]\nfactor = 2\n";
    for (const std::string& name : names) {
        CAPTURE(name);
        scene::Simulation simulation(parse(text), scene::parse_method(name));
        simulation.advance_frame();
        CHECK(simulation.state().time == test::near(0.02));
        const physics::ClothState middle = simulation.state();
        const std::vector<std::byte> memory = simulation.memory();
        simulation.advance_frame();
        scene::Simulation resumed(parse(text), scene::parse_method(name));
        resumed.resume_from(middle, memory);
        resumed.advance_frame();
        CHECK(resumed.state().positions == simulation.state().positions);
        CHECK(simulation.state().positions.col(2).minCoeff() < -1);  // it hangs and stretches
    }
}

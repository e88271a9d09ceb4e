// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/upscaling/plan.h"

#include "tests/methods/upscaling/models.h"
#include "tests/support/error_of.h"
#include "tests/support/near.h"
#include "tests/support/temporary_folder.h"
#include "tulle/collision/intersections.h"
#include "tulle/core/parallel.h"
#include "tulle/geometry/miniature.h"
#include "tulle/scene/build.h"
#include "tulle/scene/families/upscaling/upscaling_family.h"
#include "tulle/scene/simulation.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::scene;
using methods::Features;
using test::contains;
using test::error_of;

namespace {

const std::string hanging = R"(
name = "hanging"
[cloth]
rows = 9
columns = 13
width = 0.6
height = 0.4
mass = 0.002
[[pins]]
column = "first"
[wind]
velocity = [3, 2, 0]
normal = 3
)";

// A project with a folder of scenes and one of models.
struct Project {
    test::TemporaryFolder folder;

    Project() { std::filesystem::create_directories(folder / "models"); }
    std::filesystem::path save(const methods::UpscalingModel& model) const {
        const methods::ModelCard& card = model.card;
        const auto file =
            folder / "models" / weights_name(card.method, card.scene, model.part.factor, model.part.features);
        save_upscaling_model(file, model);
        return file;
    }
    Scene parse(const std::string& text, const Overrides& overrides = {}) const {
        return parse_scene(text, "hanging.toml", folder / "scenes", overrides);
    }
    std::string weights_of(const Scene& scene, const std::string& method) const {
        const std::string source = plan_upscaling(scene, parse_method(method)).stages.front().model->source;
        return std::filesystem::path(source).filename().string();
    }
};

Positions after(Simulation& simulation, int frames) {
    for (int f = 0; f < frames; ++f) simulation.advance_frame();
    return simulation.state().positions;
}

long crossings(const Simulation& simulation) {
    return static_cast<long>(
        collision::find_crossings(simulation.state().positions, simulation.model().mesh.triangles).size());
}

}  // namespace

TEST_CASE("Weights are the scene's own, then those of the scene it names, then the general ones") {
    const Project project;
    const Scene scene = project.parse(hanging);
    project.save(methods::test::random_model("miniature", "general", 2, Features::Canonical));
    project.save(methods::test::random_model("hierarchy", "general", 4, Features::Canonical));
    CHECK(project.weights_of(scene, "miniature") == "miniature-general-x2-canonical.safetensors");
    CHECK(project.weights_of(scene, "hierarchy") == "hierarchy-general-x4-canonical.safetensors");
    const Scene eight = project.parse(hanging, {"upscaling.factor=8"});  // its networks know no number of levels
    CHECK(project.weights_of(eight, "hierarchy") == "hierarchy-general-x4-canonical.safetensors");
    project.save(methods::test::random_model("miniature", "hanging", 2, Features::Canonical));
    CHECK(project.weights_of(scene, "miniature") == "miniature-hanging-x2-canonical.safetensors");
    project.save(methods::test::random_model("miniature", "flag", 2, Features::Canonical));
    const Scene borrowing = project.parse(hanging, {"upscaling.trained_on='flag'"});
    CHECK(project.weights_of(borrowing, "miniature") == "miniature-flag-x2-canonical.safetensors");
}

TEST_CASE("Missing weights, and weights of another method, factor, scene or grid, are refused with a sentence") {
    const Project project;
    const Scene scene = project.parse(hanging);
    const auto plan_error = [&](const Scene& asked, const std::string& method) {
        return error_of([&] { (void)plan_upscaling(asked, parse_method(method)); });
    };
    const Scene five = project.parse(hanging, {"upscaling.factor=5"});  // nobody ships such weights
    CHECK(contains(plan_error(five, "miniature"), "there are no weights for miniature on 'hanging' at factor 5"));
    CHECK(contains(plan_error(five, "miniature"), "miniature-hanging-x5-canonical.safetensors"));
    CHECK(contains(plan_error(scene, "cascade"), "list its stages with [[upscaling.stages]]"));
    const auto with = [&](const std::filesystem::path& file) {
        return project.parse(hanging, {fmt::format("upscaling.weights='{}'", file.string())});
    };
    const auto hierarchy = project.save(methods::test::random_model("hierarchy", "hanging", 4, Features::Canonical));
    const auto three = project.save(methods::test::random_model("miniature", "hanging", 3, Features::Canonical));
    methods::UpscalingModel paper = methods::test::random_model("miniature", "hanging", 2, Features::Paper);
    paper.part.grid = {49, 73};
    const auto other_grid = project.save(paper);
    const auto other_scene = project.save(methods::test::random_model("miniature", "flag", 2, Features::Paper));
    CHECK(contains(plan_error(with(hierarchy), "miniature"), "was trained for the hierarchy method"));
    CHECK(contains(plan_error(with(three), "miniature"), "was trained for factor 3, not 2"));
    CHECK(contains(plan_error(with(other_grid), "miniature:paper"), "was trained on 49×73 vertices"));
    CHECK(contains(plan_error(with(other_scene), "miniature:paper"), "it knows nothing of 'hanging'"));
}

TEST_CASE("The scaling is that of the weights' own scene, similarity for any other, the paper's for the paper's") {
    const Project project;
    methods::UpscalingModel own = methods::test::random_model("miniature", "hanging", 2, Features::Canonical);
    own.part.calibration = {1.25, 0.75, 0.5};
    const auto file = project.save(own);
    const auto law = [&](const Scene& scene, const std::string& method) {
        return plan_upscaling(scene, parse_method(method)).law;
    };
    CHECK(law(project.parse(hanging), "miniature").scaling == methods::Scaling::Calibrated);
    CHECK(law(project.parse(hanging), "miniature").calibration == own.part.calibration);
    const Scene other = project.parse(hanging, {"name='other'", fmt::format("upscaling.weights='{}'", file.string())});
    CHECK(law(other, "miniature").scaling == methods::Scaling::Similarity);
    CHECK(law(project.parse(hanging), "bicubic").scaling == methods::Scaling::Similarity);
    const Scene given = project.parse(hanging, {"upscaling.calibration={mass=2}"});
    CHECK(law(given, "bicubic").calibration.mass == 2);
    own = methods::test::random_model("miniature", "hanging", 2, Features::Paper);
    own.part.grid = {9, 13};
    project.save(own);
    CHECK(law(project.parse(hanging), "miniature:paper").scaling == methods::Scaling::Paper);
    CHECK(law(project.parse(hanging), "miniature:paper").thin_air);
    // What the weights were calibrated for is no part of a paper's scaling; what the scene itself says is.
    CHECK(law(project.parse(hanging), "miniature:paper").calibration == methods::Calibration{});
    CHECK(law(given, "miniature:paper").calibration.mass == 2);
}

TEST_CASE("A method may name its coarse cloth, and an interpolation borrows the calibration of weights") {
    const Project project;
    methods::UpscalingModel own = methods::test::random_model("miniature", "hanging", 2, Features::Canonical);
    own.part.calibration = {1.25, 0.75, 0.5};
    const auto file = project.save(own);
    const auto law = [&](const Scene& scene, const std::string& method) {
        return plan_upscaling(scene, parse_method(method)).law;
    };
    const Scene scene = project.parse(hanging);
    for (const char* method : {"bilinear", "bicubic", "miniature"}) {
        CAPTURE(method);
        CHECK(law(scene, fmt::format("{}:similarity", method)).scaling == methods::Scaling::Similarity);
        CHECK(law(scene, fmt::format("{}:calibrated", method)).scaling == methods::Scaling::Calibrated);
        CHECK(law(scene, fmt::format("{}:calibrated", method)).calibration == own.part.calibration);
    }
    CHECK(law(project.parse(hanging, {"upscaling.scaling='calibrated'"}), "bicubic").calibration ==
          own.part.calibration);
    CHECK(law(project.parse(hanging, {"upscaling.scaling='calibrated'"}), "bicubic:similarity").scaling ==
          methods::Scaling::Similarity);
    methods::UpscalingModel named = methods::test::random_model("hierarchy", "hanging", 2, Features::Canonical);
    named.part.calibration = {2, 2, 2};
    const Scene with = project.parse(hanging, {fmt::format("upscaling.weights='{}'", project.save(named).string())});
    CHECK(law(with, "bicubic:calibrated").calibration == named.part.calibration);
    const Scene other = project.parse(hanging, {"name='other'", fmt::format("upscaling.weights='{}'", file.string())});
    CHECK(contains(error_of([&] { (void)law(other, "bicubic:calibrated"); }), "nothing is calibrated for 'other'"));
    CHECK(contains(error_of([] { (void)parse_method("bicubic:paper"); }),
                   "write 'bicubic' or 'bicubic:similarity' or 'bicubic:calibrated'"));
}

TEST_CASE("A miniature that says zero simulates to the same bits as bicubic") {
    const Project project;
    methods::UpscalingModel model = methods::test::zero_model("miniature", "hanging", 2);
    project.save(model);
    Simulation learned(project.parse(hanging), parse_method("miniature"));
    Simulation bicubic(project.parse(hanging), parse_method("bicubic"));
    CHECK(after(learned, 10) == after(bicubic, 10));
}

TEST_CASE("An upscaled simulation that is interrupted goes on with the same bits") {
    const Project project;
    project.save(methods::test::random_model("hierarchy", "hanging", 4, Features::Canonical));
    project.save(methods::test::random_model("miniature", "hanging", 2, Features::Canonical));
    methods::UpscalingModel paper = methods::test::random_model("miniature", "hanging", 2, Features::Paper);
    paper.part.grid = {9, 13};
    project.save(paper);  // looks at three frames, which have to be remembered
    const Scene forgetting = project.parse(
        hanging + "[[upscaling.stages]]\nmethod = \"miniature\"\n[[upscaling.stages]]\nmethod = \"hierarchy\"\n");
    const Scene remembering = project.parse(hanging, {"solver.admm.scheme=\"balanced\""});
    for (const std::string name : {"bicubic", "miniature", "miniature:paper", "hierarchy", "cascade", "remembering"})
        for (const int before : {0, 1, 5}) {
            CAPTURE(name);
            CAPTURE(before);
            const bool remembers = name == "remembering";  // the solver of the coarse cloth does
            const Scene& scene = remembers ? remembering : forgetting;
            const Method method = parse_method(remembers ? "bicubic" : name);
            Simulation whole(scene, method), first(scene, method), second(scene, method);
            after(first, before);
            second.resume_from(first.state(), first.memory());
            CHECK(after(second, 8 - before) == after(whole, 8));
        }
}

TEST_CASE("The memory of another coarse cloth is refused") {
    const Project project;
    Simulation two(project.parse(hanging), parse_method("bicubic"));
    Simulation four(project.parse(hanging, {"upscaling.factor=4"}), parse_method("bicubic"));
    after(two, 1);
    CHECK(contains(error_of([&] { four.resume_from(two.state(), two.memory()); }), "another coarse cloth"));
}

TEST_CASE("Pins between coarse vertices are told of and hold in the fine cloth") {
    const Project project;
    Simulation simulation(project.parse(hanging + "[[pins]]\nvertices = [57]\n"), parse_method("bilinear"));
    CHECK(contains(simulation.note(), "5 of 10 pins fall between"));
    const Positions rest = simulation.model().mesh.positions;
    const Positions now = after(simulation, 5);
    for (const physics::PinGroup& group : simulation.model().pins)
        for (const int v : group.vertices) CHECK(now.row(v) == rest.row(v));
    CHECK((now.row(58) - rest.row(58)).norm() > 1e-3);
}

TEST_CASE("Nothing that is inferred is left inside a collider") {
    const Project project;
    project.save(methods::test::random_model("miniature", "hanging", 2, Features::Canonical));
    const std::string ball =
        "[[colliders]]\nshape = \"sphere\"\ncenter = [0.3, 0.16, -0.2]\nradius = 0.15\nthickness = 0.004\n";
    Simulation simulation(project.parse(hanging + ball), parse_method("miniature"));
    long pushed = 0;
    for (int frame = 0; frame < 10; ++frame) {
        pushed += simulation.advance_frame().counters.of("pushed_out_vertices");
        const physics::ClothState& state = simulation.state();
        const Vector3 center(0.3, 0.16, -0.2);
        for (long v = 0; v < state.positions.rows(); ++v)
            CHECK((Vector3(state.positions.row(v)) - center).norm() > 0.154 - 1e-9);
    }
    CHECK(pushed > 0);
}

TEST_CASE("What is inferred crosses neither itself nor a moving collider") {
    const Project project;
    for (const auto& [name, factor] : {std::pair("miniature", 2), std::pair("hierarchy", 4)})
        project.save(methods::test::random_model(name, "hanging", factor, Features::Canonical));
    const std::string ball =
        "[[colliders]]\nshape = \"sphere\"\ncenter = [0.3, 0.3, -0.2]\nradius = 0.15\nthickness = 0.004\n"
        "[colliders.motion]\nkeyframes = [{ time = 0 }, { time = 0.4, translation = [0, -0.2, 0] }]\n"
        "[self_contact]\nenabled = true\n";
    for (const std::string name : {"miniature", "hierarchy"}) {
        CAPTURE(name);
        Simulation simulation(project.parse(hanging + ball), parse_method(name));
        for (int frame = 0; frame < 10; ++frame) {
            CHECK(simulation.advance_frame().counters.of("unresolved_contacts") == 0);
            const physics::ClothState& state = simulation.state();
            CHECK(crossings(simulation) == 0);
            CHECK(collision::find_deep_vertices(state.positions, *simulation.world().colliders, state.time, 0).empty());
        }
    }
}

TEST_CASE("A cloth that falls in folds crosses itself when it is shown finer, unless contact is on") {
    const auto load = [](const std::string& contact) {
        return load_scene(std::filesystem::path(TULLE_SOURCE_DIR) / "scenes" / "collision.toml",
                          {"cloth.rows=21", "cloth.columns=31", "upscaling.contact=" + contact});
    };
    Simulation off(load("false"), parse_method("bicubic")), on(load("true"), parse_method("bicubic"));
    long crossings_without = 0;
    for (int frame = 0; frame < 50; ++frame) {
        (void)off.advance_frame();
        crossings_without += crossings(off);
        (void)on.advance_frame();
        CHECK(crossings(on) == 0);
    }
    CHECK(crossings_without > 0);
}

TEST_CASE("A run whose contact is shown goes on with the same bits") {
    const Project project;
    project.save(methods::test::random_model("miniature", "hanging", 2, Features::Canonical));
    const Scene scene = project.parse(hanging, {"self_contact.enabled=true"});
    const Method method = parse_method("miniature");
    Simulation whole(scene, method), first(scene, method), second(scene, method);
    after(first, 3);
    second.resume_from(first.state(), first.memory());
    CHECK(after(second, 5) == after(whole, 8));
}

TEST_CASE("The coarse cloth meets the colliders of the fine one, which are made once") {
    const Project project;
    const std::string floor = "[[colliders]]\nshape = \"plane\"\npoint = [0, 0, -1]\n";
    const Simulation simulation(project.parse(hanging + floor), parse_method("bicubic"));
    CHECK(simulation.world().colliders.use_count() > 1);  // the fine cloth has no solver that would hold them too
}

TEST_CASE("Upscaled simulations have the same bits on 1, 2, 3 and 8 threads") {
    const Project project;
    project.save(methods::test::random_model("hierarchy", "hanging", 4, Features::Canonical));
    const int before = thread_count();
    const Scene scene = project.parse(hanging, {"cloth.rows=25", "cloth.columns=37"});
    std::vector<Positions> results;
    for (const int threads : {1, 2, 3, 8}) {
        set_thread_count(threads);
        Simulation simulation(scene, parse_method("hierarchy"));
        results.push_back(after(simulation, 5));
    }
    set_thread_count(before);
    for (const Positions& result : results) CHECK(result == results.front());
}

TEST_CASE("A mesh can be upscaled by the hierarchy only") {
    const Project project;
    project.save(methods::test::zero_model("hierarchy", "general", 4));
    const std::string text = fmt::format(
        "[cloth]\nkind = \"mesh\"\nfile = '{}/scenes/meshes/tablecloth.obj'\nfabric = \"cotton\"\nsubdivisions = 1\n"
        "[upscaling]\nfactor = 2\n",
        TULLE_SOURCE_DIR);
    Simulation simulation(project.parse(text), parse_method("hierarchy"));
    const double start = simulation.state().positions.col(2).mean();
    CHECK(after(simulation, 1).col(2).mean() < start - 0.01);  // it falls
    CHECK(contains(error_of([&] { Simulation(project.parse(text), parse_method("bicubic")); }),
                   "can only be upscaled by hierarchy or butterfly"));
}

TEST_CASE("An upscaler by itself makes the same fine cloth as within its method") {
    const Project project;
    project.save(methods::test::random_model("miniature", "hanging", 2, Features::Canonical));
    const Scene scene = project.parse(hanging);
    const auto upscaler = load_upscaler(scene, parse_method("miniature"));
    const geometry::Miniature miniature = geometry::make_miniature({9, 13}, 2);
    const Positions coarse = geometry::sample(miniature.fine_vertices(), make_model(scene).mesh.positions);
    CHECK(upscaler->coarse_count() == miniature.coarse.vertex_count());
    Positions fine;
    upscaler->upscale({&coarse, 1}, fine);
    CHECK(fine.rows() == 9 * 13);
    CHECK(geometry::sample(miniature.fine_vertices(), fine) == coarse);  // what is simulated stays
    CHECK(contains(error_of([&] { (void)load_upscaler(scene, parse_method("admm")); }), "does not upscale"));
}

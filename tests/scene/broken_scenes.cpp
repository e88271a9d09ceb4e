// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/error.h"
#include "tulle/scene/build.h"
#include "tulle/scene/nearest.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace tulle;

namespace {

const std::filesystem::path root = TULLE_SOURCE_DIR;

struct Broken {
    std::string text;
    std::string message;  // what the error must contain
};

// The sentence a person gets who loads and builds the scene.
std::string message_of(const std::string& text) {
    try {
        const scene::Scene scene = scene::parse_scene(text, "x.toml", root / "scenes");
        make_model(scene);
        make_world(scene);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

void check_all(const std::vector<Broken>& table) {
    for (const auto& [text, expected] : table) {
        const std::string message = message_of(text);
        CAPTURE(text);
        CAPTURE(message);
        CHECK(message.find(expected) != std::string::npos);
        CHECK(message.find('\n') == std::string::npos);
    }
}

const std::string cloth = "[cloth]\nmass = 1\n";  // sound; what follows is on line 3

}  // namespace

TEST_CASE("Text that is not TOML is refused with its line") {
    check_all({
        {"[cloth\nmass = 1", "x.toml:1: "},
        {"[cloth]\nmass = = 1", "x.toml:2: "},
        {"[cloth]\nmass = 1\nmass = 2", "x.toml:3: "},
        {"[cloth]\nmass = 0x", "x.toml:2: "},
        {"name = \"flag", "x.toml:1: "},
        {std::string("\xff\xfe\x00 nonsense", 12), "x.toml:1: "},
        {"name = \"\xff\"", "x.toml:1: "},
    });
}

TEST_CASE("Unknown and misspelt keys are named with file, line and the nearest valid key") {
    check_all({
        {cloth + "[cloth.stretch]\nstifness = 3",
         "x.toml:4: unknown key 'stifness' in [cloth.stretch]; did you mean 'stiffness'?"},
        {cloth + "row = 3", "x.toml:3: unknown key 'row' in [cloth]; did you mean 'rows'?"},
        {"[cloth]\nmas = 3", "x.toml:2: unknown key 'mas' in [cloth]; did you mean 'mass'?"},
        {"[clth]\nmass = 3", "x.toml:1: unknown key 'clth' in the file; did you mean 'cloth'?"},
        {cloth + "[wind]\nvelociti = [1, 2, 3]",
         "x.toml:4: unknown key 'velociti' in [wind]; did you mean 'velocity'?"},
        {cloth + "[wnid]\nvelocity = [1, 2, 3]", "x.toml:3: unknown key 'wnid' in the file; did you mean 'wind'?"},
        {cloth + "[wind]\nvelocity = [1, 2, 3]\ngust = 1", "x.toml:5: unknown key 'gust' in [wind]"},
        {cloth + "[[pins]]\nrow = 0\nevry = 3", "x.toml:5: unknown key 'evry' in [pins.0]; did you mean 'every'?"},
        {cloth + "[solver.adm]\niterations = 3", "x.toml:3: unknown key 'adm' in [solver]; did you mean 'admm'?"},
        {cloth + "[solver.newton]\niterations = 3",
         "x.toml:4: unknown key 'iterations' in [solver.newton]; did you mean 'max_iterations'?"},
        {cloth + "[time]\nfps = 25", "x.toml:4: unknown key 'fps' in [time]; valid are frame_rate and frames"},
        {cloth + "[[pins]]\nrow = 0\n[pins.motion]\nkeyframes = [{ time = 0 }, { angle_degrees = 1 }]",
         "x.toml:6: 'time' is missing in [pins.0.motion.keyframes.1]"},
        {cloth + "[[pins]]\nrow = 0\n[pins.motion]\nkeyframes = [{ time = 0, angle = 3 }]",
         "unknown key 'angle' in [pins.0.motion.keyframes.0]; did you mean 'angle_degrees'?"},
    });
}

TEST_CASE("Values of the wrong type are refused with what was expected and found") {
    check_all({
        {cloth + "rows = 2.5", "x.toml:3: 'rows' in [cloth] must be a whole number, not 2.5"},
        {cloth + "rows = \"many\"", "x.toml:3: 'rows' in [cloth] must be a whole number, not the text \"many\""},
        {cloth + "width = true", "x.toml:3: 'width' in [cloth] must be a number [m], not true"},
        {cloth + "origin = [0, 0]",
         "x.toml:3: 'origin' in [cloth] must be a list of three numbers [m], not a list of 2"},
        {cloth + "origin = [0, 0, \"up\"]", "x.toml:3: 'origin' in [cloth] must be a number [m], not the text \"up\""},
        {cloth + "stretch = 3", "x.toml:3: 'stretch' in [cloth] must be a table, not 3"},
        {cloth + "[self_contact]\nenabled = 1", "x.toml:4: 'enabled' in [self_contact] must be true or false, not 1"},
        {"pins = 3\n" + cloth, "x.toml:1: 'pins' in the file must be a list of tables, not 3"},
        {"pins = [3]\n" + cloth, "must be a list of tables"},
        {"name = 3\n" + cloth, "x.toml:1: 'name' in the file must be a text in quotes, not 3"},
        {"name = 2020-01-01\n" + cloth, "not a date or time"},
        {cloth + "[[pins]]\nvertices = [1, \"two\"]", "x.toml:4: 'vertices' in [pins.0] must be a whole number"},
        {cloth + "[[pins]]\ncorners = \"top-left\"", "x.toml:4: 'corners' in [pins.0] must be a list of texts"},
        {cloth + "[[pins]]\nrow = \"middle\"",
         "x.toml:4: 'row' in [pins.0] cannot be \"middle\"; valid are first and last"},
    });
}

TEST_CASE("Values out of range are refused with the limit") {
    check_all({
        {"[cloth]\nmass = -1", "x.toml:2: 'mass' in [cloth] must be greater than 0, not -1 kg"},
        {"[cloth]\nmass = 0", "must be greater than 0"},
        {"[cloth]\nmass = nan", "x.toml:2: 'mass' in [cloth] must be a finite number, not nan kg"},
        {"[cloth]\nmass = [1, -2]", "must be greater than 0, not -2 kg"},
        {"[cloth]\ndensity = inf", "must be a finite number, not inf kg/m²"},
        {cloth + "[cloth.bend]\nstiffness = -5",
         "x.toml:4: 'stiffness' in [cloth.bend] must be at least 0 N/m, not -5 N/m"},
        {cloth + "[time]\nframes = 0", "x.toml:4: 'frames' in [time] must be at least 1, not 0"},
        {cloth + "[time]\nframe_rate = 0", "x.toml:4: 'frame_rate' in [time] must be at least 0.001 1/s"},
        {cloth + "[time]\nframes = 9223372036854775807", "must be at most 10000000"},
        {cloth + "rows = 1", "must be at least 2, not 1"},
        {cloth + "rows = 100000\ncolumns = 100000", "100000×100000 particles; at most 20000000 are allowed"},
        {cloth + "rows = 4294967298", "must be at most 10000000, not 4294967298"},
        {cloth + "along_columns = [0, 0, 0]", "must be a direction, not zero"},
        {cloth + "along_columns = [1, 0, 1]", "must be at a right angle"},
        {cloth + "velocity = [nan, 0, 0]", "must be a finite number"},
        {cloth + "[[colliders]]\nshape = \"sphere\"\ncenter = [0, 0, 0]\nradius = 0",
         "x.toml:6: 'radius' in [colliders.0] must be greater than 0"},
        {cloth + "[[colliders]]\nshape = \"box\"\ncenter = [0, 0, 0]\nsize = [1, -1, 1]",
         "'size' in [colliders.0] must be greater than 0"},
        {cloth + "[[colliders]]\nshape = \"plane\"\nrestitution = 1.5", "must be at most 1, not 1.5"},
        {cloth + "[[colliders]]\nshape = \"plane\"\nfriction = -0.1", "must be at least 0"},
        {cloth + "[solver.admm]\niterations = 0", "x.toml:4: 'iterations' in [solver.admm] must be at least 1"},
        {cloth + "[[pins]]\nrow = 0\nevery = 0", "must be at least 1"},
        {cloth + "[[pins]]\nvertices = [-1]", "must be at least 0, not -1"},
        {"seed = -1\n" + cloth, "'seed' in the file must be at least 0"},
    });
}

TEST_CASE("Missing keys, files and choices that do not exist are named") {
    check_all({
        {"", "x.toml: [cloth] needs one of mass, density, fabric"},
        {"[cloth]\nrows = 3", "x.toml:1: [cloth] needs one of mass, density, fabric"},
        {cloth + "kind = \"gird\"", "x.toml:3: 'kind' in [cloth] cannot be \"gird\"; did you mean 'grid'?"},
        {"[cloth]\nkind = \"mesh\"\nfabric = \"cotton\"", "x.toml:1: 'file' is missing in [cloth]"},
        {"[cloth]\nkind = \"mesh\"\nfabric = \"cotton\"\nfile = \"nowhere.obj\"", "nowhere.obj', which does not exist"},
        {"[cloth]\nkind = \"mesh\"\nfabric = \"cotton\"\nfile = \"meshes\"", "which does not exist"},
        {"[cloth]\nkind = \"mesh\"\nfabric = \"cotton\"\nfile = \"flag.toml\"", "flag.toml"},
        {"[cloth]\nfabric = \"coton\"", "x.toml:2: 'fabric' in [cloth] cannot be \"coton\"; did you mean 'cotton'?"},
        {cloth + "[wind]\nnormal = 1", "x.toml:3: 'velocity' is missing in [wind]"},
        {cloth + "[[colliders]]\nradius = 1", "x.toml:3: 'shape' is missing in [colliders.0]"},
        {cloth + "[[colliders]]\nshape = \"ball\"", "'shape' in [colliders.0] cannot be \"ball\""},
        {cloth + "[[colliders]]\nshape = \"sphere\"\nradius = 1", "'center' is missing in [colliders.0]"},
        {cloth + "[[colliders]]\nshape = \"mesh\"\nfile = \"meshes/tablecloth.obj\"", "x.toml:3: collider 'mesh-0': "},
        {"method = \"adm\"\n" + cloth, "x.toml:1: 'method' in the file is wrong: unknown method 'adm'"},
        {"up_axis = \"x\"\n" + cloth, "'up_axis' in the file cannot be \"x\""},
        {cloth + "[[pins]]\nevery = 3",
         "x.toml:3: [pins.0] needs one of vertices, row, column, corners, border, region"},
    });
}

TEST_CASE("Settings that contradict each other are refused") {
    check_all({
        {cloth + "density = 0.2", "x.toml:3: 'density' in [cloth] contradicts 'mass'; give one of them only"},
        {cloth + "fabric = \"silk\"", "x.toml:3: 'fabric' in [cloth] contradicts 'mass'"},
        {"[cloth]\nfabric = \"silk\"\n[cloth.stretch]\nstiffness = 3",
         "x.toml:3: 'stretch' in [cloth] is a spring, but"},
        {cloth + "file = \"a.obj\"", "x.toml:3: 'file' in [cloth] belongs to kind = \"mesh\", not to a grid"},
        {"[cloth]\nkind = \"mesh\"\nfile = \"meshes/tablecloth.obj\"\nmass = 1\nrows = 3",
         "x.toml:5: 'rows' in [cloth] belongs to kind = \"grid\""},
        {"[cloth]\nkind = \"mesh\"\nfile = \"meshes/tablecloth.obj\"\nmass = 1\n[cloth.membrane]\nshear = 3",
         "'shear' in [cloth.membrane] belongs to kind = \"grid\""},
        {cloth + "[[pins]]\nrow = 0\ncolumn = 0", "x.toml:5: 'column' in [pins.0] contradicts 'row'"},
        {cloth + "[[pins]]\nborder = true\nevery = 2", "'every' in [pins.0] belongs to 'row' or 'column'"},
        {cloth + "[[pins]]\nborder = false", "can only be true"},
        {cloth + "[[pins]]\nrow = 0\n[pins.motion]\naxis = [1, 0, 0]", "turns nothing without 'keyframes'"},
        {cloth + "[[pins]]\nrow = 0\n[pins.motion]\nkeyframes = [{ time = 1 }, { time = 1 }]",
         "must be later than that of the keyframe before, 1 s"},
        {cloth + "[[pins]]\nregion = { min = [0, 0, 1], max = [1, 1, 0] }",
         "'max' in [pins.0.region] must not be below 'min'"},
        {cloth + "[[colliders]]\nshape = \"plane\"\nname = \"a\"\n[[colliders]]\nshape = \"plane\"\nname = \"a\"",
         "x.toml:8: 'name' in [colliders.1] is 'a', which another collider has already"},
        {cloth + "[[colliders]]\nshape = \"plane\"\nname = \"../a\"", "must be 1 to 64 letters"},
    });
}

TEST_CASE("What only shows when the cloth is built is refused with the place in the file") {
    const std::string mesh = "[cloth]\nkind = \"mesh\"\nfile = \"meshes/tablecloth.obj\"\nmass = 1\n";
    check_all({
        {cloth + "[[pins]]\nvertices = [625]", "x.toml:3: vertex 625 is not there; the cloth has 625"},
        {cloth + "[[pins]]\nvertices = []", "x.toml:3: these pins hold no vertex of the cloth"},
        {cloth + "[[pins]]\nregion = { min = [5, 5, 5], max = [6, 6, 6] }", "x.toml:3: these pins hold no vertex"},
        {cloth + "[[pins]]\nrow = 25", "x.toml:3: row 25 is not there; the cloth has 25, counted from 0"},
        {cloth + "[[pins]]\ncolumn = 99", "x.toml:3: column 99 is not there"},
        {cloth + "[[pins]]\nrow = 0\n[[pins]]\nvertices = [3]", "x.toml: vertex 3 is pinned twice"},
        {mesh + "[[pins]]\nrow = 0", "x.toml:5: pins by row need a grid; on a mesh use 'vertices' or 'region'"},
        {mesh + "[[pins]]\nborder = true", "pins by border need a grid"},
        {"[cloth]\nrows = 2\ncolumns = 2\nmass = [1, 2, 3]",
         "x.toml:1: 'mass' in [cloth] lists 3 masses, but the cloth has 4 vertices"},
    });
}

TEST_CASE("Scene files that cannot be read are named") {
    const auto message = [](const std::filesystem::path& path) -> std::string {
        try {
            scene::load_scene(path);
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    };
    CHECK(message("nowhere/flag.toml").find("nowhere/flag.toml") != std::string::npos);
    CHECK(message(TULLE_SOURCE_DIR).find(TULLE_SOURCE_DIR) != std::string::npos);
    const std::string source = (root / "CMakeLists.txt").string();
    CHECK(message(source).starts_with(source + ":"));
}

TEST_CASE("Deeply nested and very long text is refused or read, never a crash") {
    CHECK(message_of("a = " + std::string(100000, '[')).starts_with("x.toml:1: "));
    CHECK(message_of(cloth + "[" + std::string(100000, 'a') + "]").starts_with("x.toml:3: unknown key"));
    std::string masses = "[cloth]\nmass = [1";
    for (int i = 0; i < 100000; ++i) masses += ",1";
    CHECK(message_of(masses + "]").find("lists 100001 masses") != std::string::npos);
}

TEST_CASE("Letters swapped, missing, doubled or wrong count as one edit each") {
    CHECK(scene::edit_distance("wind", "wind") == 0);
    CHECK(scene::edit_distance("wnid", "wind") == 1);
    CHECK(scene::edit_distance("stifness", "stiffness") == 1);
    CHECK(scene::edit_distance("", "abc") == 3);
    CHECK(scene::edit_distance("kitten", "sitting") == 3);
    CHECK(scene::suggestion("grvity", {"drag", "gravity", "pressure"}) == "; did you mean 'gravity'?");
    CHECK(scene::suggestion("zzz", {"drag", "gravity", "pressure"}) == "; valid are drag, gravity and pressure");
}

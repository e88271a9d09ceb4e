// SPDX-License-Identifier: Apache-2.0
// What a scene file says, checked but not yet built. docs/scenes.md explains every key.
#pragma once

#include "tulle/body/joint_turns.h"
#include "tulle/body/keyframes.h"
#include "tulle/body/skin.h"
#include "tulle/collision/contact_pass.h"
#include "tulle/geometry/grid_cloth.h"
#include "tulle/geometry/rigid_motion.h"
#include "tulle/methods/upscaling/features.h"
#include "tulle/methods/upscaling/scaling.h"
#include "tulle/physics/cloth_model.h"
#include "tulle/physics/forces/wind.h"
#include "tulle/physics/solvers/settings.h"
#include "tulle/scene/fabrics.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace tulle::scene {

struct TimeSettings {
    double frame_rate = 25;  // [1/s]
    int frames = 100;        // after the first, which is the start

    double frame_time() const { return 1 / frame_rate; }  // [s]
};

// A mesh file and where it is put: scaled, turned about the origin, then translated.
struct MeshPlacement {
    std::filesystem::path file;
    double scale = 1;
    Matrix3 rotation = Matrix3::Identity();
    Vector3 translation = Vector3::Zero();  // [m]
};

struct GridShape {
    geometry::GridSize size;
    geometry::GridPlacement placement;
};

using ClothShape = std::variant<GridShape, MeshPlacement>;
// The rest shape, a mesh file with the cloth's vertices in their order, or the positions themselves (|V|×3 [m]).
using StartShape = std::variant<std::monostate, MeshPlacement, Positions>;

struct ClothSettings {
    ClothShape shape;  // at rest
    StartShape start;
    int subdivisions = 0;                                  // of a mesh: how often each triangle is split into four
    std::vector<double> particle_masses;                   // [kg] one for all, or one for each; empty: from the density
    double density = 0;                                    // [kg/m²]
    std::variant<physics::GridMaterial, Fabric> material;  // the papers' springs (grids only), or a continuum
    Vector3 velocity = Vector3::Zero();                    // [m/s] at the start
    double noise = 0;  // [m] largest random displacement along the normals at the start
    // Parts of a grid without cloth: rows and columns, from the first to the last.
    struct Hole {
        int first_row, last_row, first_column, last_column;
    };
    std::vector<Hole> holes;
    // Springs along the border of a grid and springs at pins, relative to what the material says; see coarsen.
    double border_stiffness = 1, pin_stiffness = 1;
    std::string where;  // place in the file, for messages
};

// A cloth that is worn: it lies on the body of the scene as that rests, and is placed where the body is.
struct GarmentSection {
    std::filesystem::path file;  // an OBJ with texture coordinates, which are its pattern; where it starts
    std::filesystem::path rest;  // an OBJ with the same vertices at their rest lengths; empty: the file itself
};

// Which vertices a group of pins holds.
struct RowOrColumn {
    bool is_row = true;
    int index = 0;             // negative: counted from the last one, which is -1
    int every = 1;             // only every n-th vertex of the line, from its first
    bool include_last = true;  // and the line's last vertex in any case
};
struct Border {};
struct Region {
    Vector3 min, max;  // [m] a box around where the cloth starts
};
struct Corners {
    std::vector<std::array<bool, 2>> corners;  // {last row?, last column?}
};
using PinSelection = std::variant<std::vector<int>, RowOrColumn, Border, Region, Corners>;

struct PinSettings {
    PinSelection selection;
    geometry::RigidMotion motion;
    std::string where;
};

struct PlaneShape {
    Vector3 point, normal;
};
struct SphereShape {
    Vector3 center;
    double radius = 0;
};
struct CapsuleShape {
    Vector3 start, end;
    double radius = 0;
};
struct BoxShape {
    Vector3 center, size;
    Matrix3 orientation;
};
struct SolidMesh {
    MeshPlacement placement;
    std::optional<double> voxel_size;  // [m] of its level set; none: exact if it has few triangles, else 0.01
};

// A solid whose vertices move from key to key. All keys have the same triangles.
struct DeformingSolid {
    std::vector<MeshPlacement> keys;
    double frame_rate = 0;  // [1/s] keys in a second; the first is at time 0
};

// A posed body: the mannequin, or a skinned character from a glTF file.
struct BodySolid {
    MeshPlacement placement;                 // without a file: the mannequin
    std::string clip;                        // empty: none
    std::vector<body::Keyframes> clips;      // written in the scene
    std::vector<body::NamedAngles> angles;   // of the mannequin's joints, when there is no clip
    double lead_in = 1;                      // [s] from where it rests to where the clip begins, or to the pose
    bool repeats = true;                     // the clip, when it is over
    std::optional<body::Skinning> skinning;  // none: the body's own
    Vector3 up = Vector3::UnitZ();
    std::shared_ptr<const body::JointTurns> turns;  // by a person while it runs, who shares them; null: by nobody
};

struct ColliderSettings {
    std::string name;
    std::variant<PlaneShape, SphereShape, CapsuleShape, BoxShape, SolidMesh, DeformingSolid, BodySolid> shape;
    geometry::RigidMotion motion;
    double thickness = 0.005;  // [m]
    double friction = 0;
    double restitution = 0;
    double contact_drag = 0;  // [1/s]
    collision::ContactLaw law = collision::ContactLaw::Position;
    std::string where;
};

struct SolverSection {
    std::optional<int>
        steps_per_frame;  // none: one, with contact as many as it needs, or for mass_spring as many as are stable
    physics::SolverSettings settings;
};

struct ForceCellSection {
    std::optional<int> steps_per_frame;  // none: as many as mass_spring takes
    std::filesystem::path weights;       // empty: the shipped ones
    bool reference = false;              // the plain double-precision twin
    bool takes_scene_material = true;    // what it learnt is scaled to the scene's springs; false: it keeps its own
};

// How the method `garment` dresses the body.
struct GarmentMethodSection {
    std::filesystem::path weights;    // empty: those of the scene's garment
    bool pushes_out = false;          // of colliders, after everything else
    std::optional<double> tolerance;  // of its projection; none: that of training
};

// One stage of a cascade.
struct UpscalingStage {
    std::string method;  // "miniature", "hierarchy", "bilinear", "biquadratic", "bicubic" or "butterfly"
    int factor = 2;
    std::filesystem::path weights;  // empty: those that belong to the scene, or else the general ones
};

// How the learned methods and the interpolations turn a coarse simulation into the scene's cloth.
struct UpscalingSettings {
    std::optional<int> factor;                  // none: 2, and for the hierarchy 4
    std::optional<methods::Features> features;  // none: local, or the paper's for a method such as miniature:paper
    std::optional<methods::Scaling> scaling;    // none: calibrated, or the paper's
    std::optional<methods::Calibration> calibration;  // none: what the weights file says
    std::filesystem::path weights;                    // empty: those that belong to the scene, or else the general ones
    std::string trained_on;                           // whose weights belong to the scene; empty: its own
    std::string solver = "admm";                      // of the coarse cloth
    bool contact = true;                              // where the scene has self-contact, what is shown has it too
    std::vector<UpscalingStage> stages;               // of the method "cascade"
    std::string where;                                // place in the file, for messages
};

// What the cloth goes through before contact. With both, quasistatics comes first.
struct ProjectionSection {
    bool is_attached = true;             // to every method; otherwise only to those that name it
    std::optional<double> inextensible;  // largest stretch of an edge
    std::optional<double> compression;   // largest compression, beside it
    bool quasistatic = false;
    double mu = 0.1;
    double tolerance = 1e-6;
    std::optional<int> max_iterations;  // none: each projection's own
};

struct Scene {
    std::string name;
    std::string description;
    std::string source;            // the file, for messages
    std::string text;              // TOML with the overrides in place: reading it gives the same scene
    std::filesystem::path folder;  // what file names in the scene are relative to
    std::uint64_t seed = 1;
    Vector3 up = Vector3::UnitZ();
    std::string method = "admm";
    TimeSettings time;
    ClothSettings cloth;
    std::optional<GarmentSection> garment;
    std::vector<PinSettings> pins;
    Vector3 gravity = {0, 0, -9.81};  // [m/s²]
    double pressure = 0;              // [Pa]
    double drag = 0;                  // [1/s]
    std::optional<physics::WindSettings> wind;
    std::vector<ColliderSettings> colliders;
    collision::SelfContactSettings self_contact;
    std::map<std::string, SolverSection> solvers;  // by name, all of them
    UpscalingSettings upscaling;
    ForceCellSection force_cell;
    GarmentMethodSection garment_method;
    ProjectionSection projection;
};

using Overrides = std::vector<std::string>;  // each "key.subkey=value", the value in TOML; "pins.0.every=6" for lists

// Throw an Error that names file, line and key unless everything in the scene is sound.
Scene load_scene(const std::filesystem::path& path, const Overrides& overrides = {});
Scene parse_scene(const std::string& text, const std::string& source, const std::filesystem::path& folder,
                  const Overrides& overrides = {});

// Every key that is looked for in such a scene, present or not, such as "cloth.stretch.stiffness".
std::set<std::string> known_keys(const std::string& text, const std::filesystem::path& folder);

// Most particles a scene may ask for: about 40 GB of solver memory.
inline constexpr int max_particles = 20'000'000;

}  // namespace tulle::scene

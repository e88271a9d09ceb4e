// SPDX-License-Identifier: Apache-2.0
// Sequence cache: an animation of one cloth and the colliders around it, in one HDF5 file without compression.
//
//   /rest_positions      |V|×3 f64 [m]          /triangles            |T|×3 i32       /uv  |V|×2 f64 (if there are any)
//   /positions           |F|×|V|×3 f32 [m]      /velocities           |F|×|V|×3 f32 [m/s] (if has_velocities)
//   /error_bounds        |F|×|V| f32 [m] (if has_bounds): what nine of ten vertices keep, as the method says
//   /faces/              what triangles do not say of the mesh, if there is more: polygons and texture seams; sizes
//                        |P| i32, corners |C| i32, uv |C|×2 f64 (of every corner, if there are any)
//   /time                |F| f64 [s]            /frame_milliseconds   |F| f64, the cost of computing each frame
//   /colliders/<name>/   rest_positions |W|×3 f64, triangles |S|×3 i32, and transforms |F|×4×4 f64 (rest to world,
//   rigid)
//                        or, for one that deforms, positions |F|×|W|×3 f32 [m] in the world
//   /checkpoint/         the last frames in full precision; see checkpoint.h
//   /ending              u8, why a run ended before its last frame, as UTF-8; empty or missing: it did not
//   attributes of /:     format = "tulle-sequence", version = 1, scene (the TOML text), scene_name, method, seed,
//                        frame_rate [1/s], planned_frames (0 or missing: not known), up_axis ("y" or "z"), grid_rows
//                        and grid_columns (0: not a grid), program_version; texts are UTF-8 strings of fixed length
//
// One chunk is one frame. A frame is complete when its /time is there: that is written last.
// A cache is streamed into X.h5.part in HDF5's SWMR mode and becomes X.h5, with X.xdmf beside it for ParaView, when it
// is closed. Velocities are those of the solver, stored because motion blur and speed colours want them unfiltered;
// caches without (has_velocities = false) get finite differences where an export needs them.
#pragma once

#include "tulle/geometry/grid_cloth.h"
#include "tulle/geometry/triangle_mesh.h"

#include <Eigen/Geometry>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tulle::io {

inline constexpr int cache_version = 1;

struct ColliderMesh {
    std::string name;          // unique, not empty, without '/'
    Positions rest_positions;  // |W|×3 [m]
    Triangles triangles;       // |S|×3
    bool deforms = false;      // its vertices move each on their own way, instead of rigidly
};

// What does not change from frame to frame.
struct CacheHeader {
    geometry::TriangleMesh mesh;  // rest shape
    std::vector<ColliderMesh> colliders;
    std::string scene;  // the TOML text
    std::string scene_name;
    std::string method;
    std::string program_version;
    std::uint64_t seed = 0;
    double frame_rate = 60;         // [1/s]
    long planned_frames = 0;        // how many the run was to have, the first included; 0: not known
    char up_axis = 'z';             // 'y' or 'z'
    geometry::GridSize grid{0, 0};  // zeros if the mesh is not a grid
    bool has_velocities = true;
    bool has_bounds = false;
};

struct CacheFrame {
    Positions positions;                                 // |V|×3 [m]
    Velocities velocities;                               // |V|×3 [m/s], or empty if the cache has none
    double time = 0;                                     // [s]
    double milliseconds = 0;                             // cost of computing the frame
    std::vector<Eigen::Isometry3d> collider_transforms;  // one per collider, rest to world; counts where it is rigid
    std::vector<Positions> collider_positions;  // |W|×3 [m], one per collider, read where it deforms; else may be empty
    Eigen::VectorXf bounds = {};                // |V| [m] of errors, or empty if the cache has none
};

// Everything a run needs to go on with the same bits.
struct Checkpoint {
    long frame = 0;                 // index of the frame it belongs to
    double time = 0;                // [s]
    Positions positions;            // |V|×3 [m], not rounded to f32
    Velocities velocities;          // |V|×3 [m/s]
    std::vector<std::byte> memory;  // whatever the method wants to remember
};

// X.h5 → X.h5.part and X.xdmf.
std::filesystem::path part_path(const std::filesystem::path& cache);
std::filesystem::path xdmf_path(const std::filesystem::path& cache);

// Throws an Error that names `source` unless indices are in range, values finite, names usable.
void check_header(const CacheHeader& header, const std::string& source);

}  // namespace tulle::io

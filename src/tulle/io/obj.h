// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/atomic_file.h"
#include "tulle/geometry/triangle_mesh.h"

#include <filesystem>
#include <string>

namespace tulle::io {

// Reads the faces of a Wavefront OBJ file, of all its groups, as one mesh. Polygons are cut into triangles; normals,
// materials and lines are left out. A vertex on a texture seam has several texture coordinates: its own is the first
// one used. Where there are polygons or seams, the mesh's `faces` have them as they are in the file. Vertices no face
// uses are kept too, so that indices stay those of the file. Throws an Error that names the file, and the line where
// there is one, for anything that is not such a mesh: a number that is not finite, an index that is not there, a face
// of fewer than three corners, no faces at all.
geometry::TriangleMesh read_obj(const std::filesystem::path& path);

// Every OBJ file of ours begins so: other people's meshes are never replaced.
inline constexpr FileFormat own_obj_format{"a mesh that Tulle wrote (OBJ)", "# Written by Tulle\n"};

struct ObjWriteSettings {
    bool single_precision = false;  // shorter: enough digits to read the same f32 numbers back, instead of f64
    Sync sync = Sync::Now;
    std::string name = {};   // of the object; empty: it has none
    bool normals = false;    // smooth ones, worked out from the triangles
    std::string notes = {};  // lines for whoever opens the file as text
};

// The faces of the mesh, or its triangles if it has none. Every number but those of normals is written so that reading
// it back gives the same bits.
std::string obj_text(const geometry::TriangleMesh& mesh, const ObjWriteSettings& settings = {});
void write_obj(const std::filesystem::path& path, const geometry::TriangleMesh& mesh,
               const ObjWriteSettings& settings = {});

}  // namespace tulle::io

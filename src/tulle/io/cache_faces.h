// SPDX-License-Identifier: Apache-2.0
// The polygons and seams of a cloth in its cache. Only for the .cpp files of this folder.
#pragma once

#include "tulle/geometry/faces.h"
#include "tulle/io/hdf5_read.h"
#include "tulle/io/hdf5_write.h"

namespace tulle::io {

void write_faces(const hdf5::OutputFile& file, const geometry::Faces& faces);  // nothing if they are empty

// Empty if the cache has none. Sizes fit the corners; whether the vertices are there is for check_header to say.
geometry::Faces read_faces(const hdf5::InputFile& file);

}  // namespace tulle::io

// SPDX-License-Identifier: Apache-2.0
// The library as most users need it: load a scene, simulate it by any method, read what came out, or make the coarse
// cloth of another simulator fine.
#pragma once

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/core/version.h"
#include "tulle/io/cache_reader.h"
#include "tulle/io/obj.h"
#include "tulle/methods/force_cell/force_cell_stepper.h"
#include "tulle/methods/upscaling/upscaler.h"
#include "tulle/physics/solvers/solver.h"
#include "tulle/scene/build.h"
#include "tulle/scene/families/force_cell/force_cell_family.h"
#include "tulle/scene/families/upscaling/upscaling_family.h"
#include "tulle/scene/scene.h"
#include "tulle/scene/simulation.h"
#include "tulle/workflows/simulate.h"

namespace tulle {

using io::CacheReader;
using methods::ForceCell;
using methods::Upscaler;
using physics::ClothModel;
using physics::ClothState;
using physics::Stepper;
using physics::World;
using scene::initial_state;
using scene::load_cell_for;
using scene::load_scene;
using scene::load_upscaler;
using scene::make_model;
using scene::make_world;
using scene::parse_method;
using scene::Scene;
using scene::Simulation;
using workflows::simulate;

}  // namespace tulle

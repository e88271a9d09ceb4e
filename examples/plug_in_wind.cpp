// SPDX-License-Identifier: Apache-2.0
// Plugs a force of one's own into the force cell: a jet of air that wanders over the cloth. A network would go in the
// same way, as a physics::Force. usage: plug_in_wind [scenes/corner-breeze.toml]
#include <tulle/tulle.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>

namespace {

// Air of 30 m/s along x in a tube of 0.2 m around a point that goes up and down. It pushes what stands in it by the
// difference of the velocities.
class Jet final : public tulle::physics::Force {
public:
    void add_to(tulle::Forces& forces, const tulle::ClothState& state) const override {
        const double height = -0.4 + 0.3 * std::sin(6 * state.time);  // [m]
        for (long v = 0; v < forces.rows(); ++v) {
            const double off = (state.positions(v, 1) - height) / 0.1;
            const double strength = 5 * std::exp(-off * off);  // [N s/m]
            forces(v, 0) += strength * (30 - state.velocities(v, 0));
        }
    }
};

}  // namespace

int main(int argc, char** argv) {
    try {
        const tulle::Scene scene = tulle::load_scene(argc > 1 ? argv[1] : "scenes/corner-breeze.toml",
                                                     {"cloth.rows=32", "cloth.columns=32", "cloth.mass=16"});
        const tulle::ClothModel model = tulle::make_model(scene);
        const tulle::World world = tulle::make_world(scene);
        tulle::ClothState state = tulle::initial_state(scene, model);
        const double dt = 1e-3;  // [s]

        const tulle::ForceCell cell = tulle::load_cell_for(scene, model, dt);
        tulle::physics::ForceList outside = tulle::methods::forces_outside(world, model);  // the scene's own breeze
        outside.push_back(std::make_unique<Jet>());
        const auto stepper = tulle::methods::make_force_cell(model, world, std::move(outside), cell, {});

        for (int tenth = 1; tenth <= 10; ++tenth) {
            stepper->advance(state, dt, 100);
            const auto corner = state.positions.row(model.vertex_count() - 1);
            std::printf("%.1f s: free corner at (%.2f, %.2f, %.2f) m\n", state.time, corner.x(), corner.y(),
                        corner.z());
        }
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

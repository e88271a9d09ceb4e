// SPDX-License-Identifier: Apache-2.0
// Simulates a flag by a learned method and prints where its free corner flies.
// usage: simulate_flag [scenes/flag.toml]
#include <tulle/tulle.h>

#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
    try {
        const tulle::Scene scene =
            tulle::load_scene(argc > 1 ? argv[1] : "scenes/flag.toml", {"wind.velocity=[8,1,0]"});
        tulle::Simulation flag(scene, tulle::parse_method("miniature"));  // or "admm", the full simulation
        const int corner = flag.model().vertex_count() - 1;
        for (int frame = 1; frame <= 50; ++frame) {
            flag.advance_frame();
            const auto position = flag.state().positions.row(corner);
            if (frame % 10 == 0)
                std::printf("%.2f s: corner at (%.2f, %.2f, %.2f) m\n", flag.state().time, position.x(), position.y(),
                            position.z());
        }
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/gradient_engine.h"

namespace tulle::training {

std::unique_ptr<GradientEngine> make_engine(Engine engine, const EngineSettings& settings) {
    return engine == Engine::Torch ? make_torch_engine(settings) : make_fused_engine(settings);
}

}  // namespace tulle::training

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>

namespace tulle::physics {

// How `admm` weighs a spring of stiffness k at masses m, and what a step begins with.
enum class AdmmScheme {
    Paper,     // w² = k and no tension: the papers' method, for their rubbery cloth
    Balanced,  // w² between k and the inertia m/Δt² (admm_weights.h), and the tensions that the last step ended with:
               // for fabrics, whose springs are thousands of times stiffer than their masses are heavy
};

// `admm`: projective dynamics by the alternating direction method of multipliers (Narain, Overby, Brown 2016).
struct ProjectiveDynamicsSettings {
    int iterations = 20;  // fixed number, or the most if a tolerance is given
    AdmmScheme scheme = AdmmScheme::Paper;
    double tolerance = 0;    // relative change of the positions between iterations at which to stop; 0: never
    bool reference = false;  // the plain double-precision twin instead of the fused single-precision kernel
};

// `implicit_cg`: implicit Euler after Baraff and Witkin 1998.
struct ImplicitEulerSettings {
    int newton_steps = 1;        // 1 is the linearised step of Baraff and Witkin
    int cg_iterations = 100;     // at most, for each
    double cg_tolerance = 1e-4;  // relative residual of the linear system
};

// `mass_spring`: the force-cell paper's semi-implicit step.
struct MassSpringSettings {
    bool reference = false;  // the plain double-precision twin instead of the fused grid kernel
};

// `xpbd`: extended position-based dynamics (Macklin, Müller, Chentanez 2016).
struct XpbdSettings {
    int iterations = 20;
};

// `newton`: the minimiser of the step, the reference that tells who is right.
struct NewtonSettings {
    double tolerance = 1e-8;  // ‖∇E(x)‖ / ‖∇E(x̃)‖
    int max_iterations = 200;
};

using SolverSettings =
    std::variant<ProjectiveDynamicsSettings, ImplicitEulerSettings, MassSpringSettings, XpbdSettings, NewtonSettings>;

// The name of a method on the command line: "admm", "implicit_cg", "mass_spring", "xpbd" or "newton".
std::string method_name(const SolverSettings& settings);

}  // namespace tulle::physics

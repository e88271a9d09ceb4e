#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every goal of the upscaling methods that is about errors, measured by `tulle evaluate` and written as a page.

usage: benchmarks/accuracy.py BUILD_FOLDER [PAGE]
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = pathlib.Path(sys.argv[1]).resolve() / "tulle"
PAGE = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "docs/results/goals.md")
rows = []


def evaluate(scene, methods, frames, *overrides, converged=False):
    """The figures of each method by name, with the full simulation as "full"."""
    with tempfile.TemporaryDirectory() as folder:
        command = [PROGRAM, "evaluate", ROOT / f"scenes/{scene}.toml", "--methods", ",".join(methods), "--frames",
                   str(frames), "-o", folder, "--json", "--no-pictures"]
        for override in overrides:
            command += ["--set", override]
        if not converged:
            command.append("--no-converged")
        print(" ".join(str(word) for word in command[1:]), file=sys.stderr)
        report = json.loads(subprocess.run(command, check=True, capture_output=True, cwd=ROOT).stdout)
    return {method["name"]: method for method in report["methods"]}


def add(what, goal, ratio, detail):
    rows.append((what, f"at most {goal} ×", f"{ratio:.2f} ×", "yes" if ratio <= goal else "**no**", detail))
    print(rows[-1], file=sys.stderr)


def cm(metres):
    return f"{100 * metres:.3g} cm"


def teacher_forced():
    forced = {}
    for scene, goal in (("flag", 0.25), ("curtain", 0.35), ("collision", 0.35)):
        figures = evaluate(scene, ["bicubic", "miniature", "miniature:paper"], 100)
        ours, bicubic = figures["miniature"]["teacher_forced_error"], figures["bicubic"]["teacher_forced_error"]
        forced[scene] = ours
        add(f"teacher-forced, {scene}, against bicubic", goal, ours / bicubic,
            f"{cm(ours)} against {cm(bicubic)}; the paper's features {cm(figures['miniature:paper']['teacher_forced_error'])}")
        if scene != "collision":
            free, theirs = figures["miniature"]["mean_error_to_full"], figures["miniature:paper"]["mean_error_to_full"]
            add(f"free-running to full, {scene}, ours against the paper's", 0.15 if scene == "curtain" else 0.6,
                free / theirs, f"{cm(free)} against {cm(theirs)}")
    opposite = evaluate("flag-opposite", ["miniature"], 100)["miniature"]["teacher_forced_error"]
    add("teacher-forced, opposite wind against trained wind", 1.4, opposite / forced["flag"],
        f"{cm(opposite)} against {cm(forced['flag'])}")


def general_model():
    weights = f"upscaling.weights='{ROOT / 'models/miniature-general-x2-local.safetensors'}'"
    for scene in ("twist", "overstretch", "cloth", "drape"):
        figures = evaluate(scene, ["bicubic", "miniature"], 100, weights)
        ours, bicubic = figures["miniature"]["teacher_forced_error"], figures["bicubic"]["teacher_forced_error"]
        add(f"teacher-forced, general model on {scene}, against bicubic", 0.8, ours / bicubic,
            f"{cm(ours)} against {cm(bicubic)}")


def over_stretched():
    figures = evaluate("overstretch", ["hierarchy:paper", "hierarchy"], 150)
    ours, theirs = (figures[name]["mean_error_to_full"] for name in ("hierarchy", "hierarchy:paper"))
    add("hierarchy on overstretch, ours against the paper's", 0.5, ours / theirs, f"{cm(ours)} against {cm(theirs)}")


def equal_cost():
    """Against the full solver with as many iterations as fit into the same time."""
    variants = [f"admm:{n}" for n in (2, 3, 4, 5, 6, 7, 8, 10)]
    for scene in ("curtain", "flag"):
        for name, stiffness, goal in (("soft", 30, 1.1), ("stiff", 400, 1 / 1.5 if scene == "curtain" else 1.0)):
            # A quarter of the particles: newton takes seconds a frame on the full 49×73 flag.
            figures = evaluate(scene, variants + ["miniature"], 50, "cloth.rows=25",
                               "cloth.columns=37", "cloth.mass=0.002", "pins.0.every=6" if scene == "curtain" else "seed=1",
                               f"cloth.stretch.stiffness={stiffness}", f"cloth.shear.stiffness={stiffness}",
                               converged=True)
            ours = figures["miniature"]
            rival = min(variants, key=lambda v: abs(figures[v]["ms_per_frame"] - ours["ms_per_frame"]))
            error, other = ours["mean_error_to_converged"], figures[rival]["mean_error_to_converged"]
            add(f"to converged at equal cost, {name} {scene}", round(goal, 2), error / other,
                f"{cm(error)} in {ours['ms_per_frame']:.2f} ms; {rival} {cm(other)} in "
                f"{figures[rival]['ms_per_frame']:.2f} ms")


def main():
    teacher_forced()
    general_model()
    over_stretched()
    equal_cost()
    lines = ["# Goals about errors", "",
             "Written by `benchmarks/accuracy.py BUILD_FOLDER` on sequences that nothing was trained on. Mean distances per "
             "particle; speed is in `benchmarks/results/upscaling.json`.", "",
             "| what | goal | measured | reached | in detail |", "|---|---|---|---|---|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text("\n".join(lines) + "\n")
    print(PAGE.read_text())


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a frame costs against an earlier commit: both programs simulate the same scenes in turn.

usage: benchmarks/compare.py BUILD_FOLDER REVISION [SCENE...]
       (default: collision twist drape; TULLE_COMPARE_RUNS says how often, default 5)

The earlier program is built from a worktree in build-compare/, which is kept for the next time. Each scene is simulated
as its own revision ships it.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
CONTACT = ("colliders", "self_collision")


def program_at(revision):
    found = subprocess.run(["git", "rev-parse", "--verify", "--quiet", "--short", revision + "^{commit}"], cwd=ROOT,
                           capture_output=True, text=True)
    if found.returncode:
        sys.exit(f"there is no commit '{revision}'")
    commit = found.stdout.strip()
    folder = ROOT / "build-compare" / commit
    if not folder.exists():
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", folder, commit], check=True, cwd=ROOT)
    print(f"building the program of {commit} ...", file=sys.stderr)
    subprocess.run(["cmake", "--preset", "release"], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", folder / "build", "tulle"], check=True, stdout=subprocess.DEVNULL)
    return folder / "build/tulle", folder / "scenes"


def simulate(program, scenes, scene):
    command = [program, "simulate", scenes / f"{scene}.toml", "--json"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    stages = report["stages"]
    contact = sum(stages.get(stage, 0) for stage in CONTACT) / sum(stages.values())
    return report["ms_per_frame"], contact


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    now = pathlib.Path(sys.argv[1]).resolve() / "tulle", ROOT / "scenes"
    before = program_at(sys.argv[2])
    print(f"| scene | ms at {sys.argv[2]} | ms now | ratio, and of single runs | contact before | contact now |")
    print("|---|---|---|---|---|---|")
    for scene in sys.argv[3:] or ("collision", "twist", "drape"):
        print(f"simulating {scene} ...", file=sys.stderr)
        pairs = [(simulate(*before, scene), simulate(*now, scene))
                 for _ in range(int(os.environ.get("TULLE_COMPARE_RUNS", "5")))]
        ratios = sorted(new[0] / old[0] for old, new in pairs)
        median = [statistics.median(values) for values in zip(*(old + new for old, new in pairs))]
        print(f"| `{scene}` | {median[0]:.1f} | {median[2]:.1f} | {statistics.median(ratios):.2f} "
              f"({ratios[0]:.2f}–{ratios[-1]:.2f}) | {100 * median[1]:.0f} % | {100 * median[3]:.0f} % |", flush=True)


if __name__ == "__main__":
    main()

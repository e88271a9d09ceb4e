#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One scene gives the same bits on 1, 2, 3 and 8 threads. Runs are compared with each other, never with a stored hash.

usage: determinism_test.py PROGRAM SCENE FRAMES [METHOD]
"""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from support import digest, tulle  # noqa: E402


def main():
    scene, frames = sys.argv[2:4]
    method = ["--method", sys.argv[4]] if len(sys.argv) > 4 else []
    hashes = {}
    with tempfile.TemporaryDirectory() as temporary:
        for threads in (1, 2, 3, 8):
            cache = pathlib.Path(temporary) / "run.h5"
            done = tulle("simulate", scene, *method, "--frames", frames, "--threads", threads, "-o", cache)
            if done.returncode != 0:
                sys.exit(done.stderr)
            hashes[threads] = digest(cache)
            print(threads, "threads:", hashes[threads], flush=True)
    sys.exit(0 if len(set(hashes.values())) == 1 else "the thread count changed the result")


if __name__ == "__main__":
    main()

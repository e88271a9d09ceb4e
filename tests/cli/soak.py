#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills a running simulation with SIGKILL at random moments, again and again. After each kill the cache must be readable
up to its last complete frame, with the frames of an uninterrupted run; at the end, resumed until it is finished, it must
be that run to the bit.

usage: soak.py PROGRAM [MINUTES | --kills N]
"""
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import numpy
from support import PROGRAM, SMALL_SCENE, digest, frames_of, tulle

FRAMES = 2000  # so that a run is much longer than starting it


def kill_once(scene, cache, resume, delay):
    command = [PROGRAM, "simulate", str(scene), "--frames", str(FRAMES), "-o", str(cache)] + (["--resume"] if resume else [])
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    time.sleep(delay)
    finished = process.poll() is not None
    process.kill()
    _, errors = process.communicate()
    if finished and process.returncode != 0:
        sys.exit(f"the run failed by itself: {errors}")
    return finished


def check_part(cache, whole_positions):
    part = pathlib.Path(f"{cache}.part")
    if not part.exists():
        return 0
    if tulle("info", part).returncode != 0:  # killed before the first frame was whole
        return 0
    positions, _ = frames_of(part)
    if not numpy.array_equal(positions, whole_positions[: len(positions)]):
        sys.exit("a frame of a killed run differs from the uninterrupted run")
    return len(positions)


def one_round(folder, generator, kills_left):
    scene, whole, cache = folder / "small.toml", folder / "whole.h5", folder / "killed.h5"
    scene.write_text(SMALL_SCENE)
    started = time.time()
    if not whole.exists():
        done = tulle("simulate", scene, "--frames", FRAMES, "-o", whole)
        assert done.returncode == 0, done.stderr
    duration = max(time.time() - started, 0.2)
    positions, _ = frames_of(whole)
    for leftover in folder.glob("killed*"):
        leftover.unlink()
    kills, most = 0, 0
    resume = False
    while kills < kills_left and not kill_once(scene, cache, resume, generator.uniform(0.0, 0.6 * duration)):
        kills += 1
        most = max(most, check_part(cache, positions))
        resume = generator.random() < 0.9
    done = tulle("simulate", scene, "--frames", FRAMES, "--resume", "-o", cache)
    assert done.returncode == 0, done.stderr
    if digest(cache) != digest(whole):
        sys.exit("a killed and resumed run differs from the uninterrupted run")
    return kills, most


def main():
    arguments = sys.argv[2:]
    kills_wanted = int(arguments[1]) if arguments[:1] == ["--kills"] else 10**9
    minutes = 10**9 if arguments[:1] == ["--kills"] else float(arguments[0]) if arguments else 60
    generator = random.Random(1)
    kills, rounds, most, end = 0, 0, 0, time.time() + 60 * minutes
    with tempfile.TemporaryDirectory() as temporary:
        while kills < kills_wanted and time.time() < end:
            done, frames = one_round(pathlib.Path(temporary), generator, min(20, kills_wanted - kills))
            kills, rounds, most = kills + done, rounds + 1, max(most, frames)
            print(f"{kills} kills in {rounds} rounds, all as they should be", flush=True)
    assert most > 1, "no kill ever hit a run that had written frames"


if __name__ == "__main__":
    main()

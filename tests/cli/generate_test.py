#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`tulle generate` as a person uses it: interrupted, several at once, pointed at the wrong folder."""
import json
import signal
import subprocess
import time
import unittest

import h5py
import numpy
from support import PROGRAM, ROOT, SmallSceneTest, digest, frames_of, tulle

SWEEP = """
sequences = {sequences}
frames = {frames}
seed = {seed}
[[vary]]
keys = ["cloth.mass"]
min = 0.001
max = 0.004
scale = "log"
"""


class GenerateTest(SmallSceneTest):
    def sweep(self, sequences=4, frames=8, seed=1):
        path = self.folder / f"{sequences}-{frames}-{seed}.sweep.toml"
        path.write_text(SWEEP.format(sequences=sequences, frames=frames, seed=seed))
        return path

    def generate(self, data, sweep, *options):
        return tulle("generate", self.scene, "--sweep", sweep, "-o", self.folder / data, "--set", "cloth.rows=5",
                     "--set", "cloth.columns=7", *options)

    def digests(self, data):
        return [digest(path) for path in sorted((self.folder / data).glob("*.h5"))]

    def test_one_at_a_time_and_several_at_once_make_the_same_sequences(self):
        sweep = self.sweep()
        for jobs in (1, 3):
            done = self.generate(f"by{jobs}", sweep, "--jobs", jobs, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(done.stdout)
            self.assertEqual((report["sequences"], report["frames"], report["diverged"]), (4, 32, 0))
        self.assertEqual(self.digests("by1"), self.digests("by3"))
        self.assertEqual(len(set(self.digests("by1"))), 4)
        names = sorted(path.name for path in (self.folder / "by3").iterdir())
        self.assertEqual([name for name in names if name.endswith((".lock", ".part"))], [])
        self.assertEqual(frames_of(self.folder / "by3" / "0000.h5")[0].shape, (9, 35, 3))

    def test_two_commands_share_a_folder(self):
        sweep = self.sweep(sequences=6)
        words = [PROGRAM, "generate", self.scene, "--sweep", sweep, "-o", self.folder / "data", "--jobs", "1"]
        runs = [subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
        for run in runs:
            _, errors = run.communicate(timeout=120)
            self.assertEqual(run.returncode, 0, errors)
        self.assertEqual(len(self.digests("data")), 6)

    def test_interrupted_it_goes_on_and_ends_with_the_same_bits(self):
        sweep = self.sweep(sequences=2, frames=1500)
        self.assertEqual(self.generate("whole", sweep, "--jobs", 1).returncode, 0)
        for stop in (signal.SIGINT, signal.SIGKILL):
            data = f"stopped{stop}"
            words = [PROGRAM, "generate", self.scene, "--sweep", sweep, "-o", self.folder / data, "--jobs", "1",
                     "--set", "cloth.rows=5", "--set", "cloth.columns=7"]
            run = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            part = self.folder / data / "0000.h5.part"
            while not part.exists() and run.poll() is None:
                time.sleep(0.002)
            time.sleep(0.05)
            run.send_signal(stop)
            _, errors = run.communicate(timeout=60)
            self.assertNotEqual(run.returncode, 0)
            if stop == signal.SIGINT:
                self.assertIn("the same command goes on from there", errors)
            self.assertFalse((self.folder / data / "0000.h5").exists(), "an unfinished sequence must not look finished")
            self.assertEqual(self.generate(data, sweep, "--jobs", 1).returncode, 0)
            self.assertEqual(self.digests(data), self.digests("whole"))

    def test_without_a_sweep_it_is_the_scene_itself_once(self):
        done = tulle("generate", self.scene, "-o", self.folder / "one", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((json.loads(done.stdout)["sequences"], json.loads(done.stdout)["frames"]), (1, 20))
        tulle("simulate", self.scene, "-t", 1, "-o", self.folder / "same.h5")
        self.assertEqual(self.digests("one"), [digest(self.folder / "same.h5")])

    def test_poses_may_be_drawn_within_a_share_of_the_limits(self):
        angles = []
        for within in (1, 0.5):
            folder, cache = self.folder / f"poses-{within}", self.folder / "poses.h5"
            done = tulle("generate", ROOT / "scenes" / "shirt.toml", "--poses", 1, "--within", within, "-o", folder,
                         "--cache", cache, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["made"], 1)
            with h5py.File(folder / "0000.h5") as pose:
                self.assertEqual(pose.attrs["attempts"], 1)
                angles.append(pose["angles"][:])
                self.assertLess(numpy.abs(frames_of(cache)[0][0] - pose["positions"][:]).max(), 1e-6)
        numpy.testing.assert_allclose(angles[1], 0.5 * angles[0], rtol=1e-9)
        done = tulle("generate", ROOT / "scenes" / "shirt.toml", "--poses", 1, "-o", folder)
        self.assertIn("another scene, seed or share of the limits", done.stderr)

    def test_finished_sequences_are_kept(self):
        done = self.generate("data", self.sweep(sequences=2))
        self.assertEqual(done.returncode, 0, done.stderr)
        before = [path.stat().st_mtime_ns for path in sorted((self.folder / "data").glob("*.h5"))]
        self.assertEqual(self.generate("data", self.sweep(sequences=3)).returncode, 0)
        after = [path.stat().st_mtime_ns for path in sorted((self.folder / "data").glob("*.h5"))]
        self.assertEqual(after[:2], before)
        self.assertEqual(len(after), 3)

    def test_a_folder_of_another_sweep_is_refused_in_one_sentence(self):
        self.generate("data", self.sweep())
        before = self.digests("data")
        done = self.generate("data", self.sweep(seed=2), "--jobs", 1)
        self.assertEqual(done.returncode, 1)
        self.assertIn("was made by another scene or sweep", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertEqual(self.digests("data"), before)

    def test_a_broken_sweep_is_refused_with_its_line(self):
        sweep = self.folder / "broken.toml"
        sweep.write_text("sequences = 3\nframs = 2\n")
        done = self.generate("data", sweep)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"broken.toml:2: unknown key 'frams'.*did you mean 'frames'")


if __name__ == "__main__":
    unittest.main(argv=["generate_test.py"])

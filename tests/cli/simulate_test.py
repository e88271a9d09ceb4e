#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line as a person or a script uses it."""
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import time
import unittest

from support import PROGRAM, ROOT, SmallSceneTest, digest, frames_of, tulle


class SimulateTest(SmallSceneTest):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "small.h5"

    def test_json_prints_one_object_with_the_promised_keys_and_nothing_else(self):
        for method in ("admm", "admm:5", "implicit_cg", "mass_spring", "xpbd", "newton"):
            done = tulle("simulate", self.scene, "--method", method, "--frames", 3, "--threads", 2, "--json", "-o", self.cache)
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(done.stdout)
            self.assertLessEqual({"scene", "method", "particles", "frames", "threads", "ms_per_frame", "stages", "cache"},
                                 set(report))
            self.assertEqual((report["scene"], report["method"], report["particles"], report["frames"], report["threads"]),
                             ("small", method, 117, 3, 2))
            self.assertGreater(report["ms_per_frame"], 0)
            self.assertLessEqual(sum(report["stages"].values()), 3 * report["ms_per_frame"] + 1)
            self.assertEqual(report["cache"], str(self.cache))
            self.assertEqual(done.stderr, "", "no progress bar when it is not a terminal")

    def test_the_cache_holds_the_start_and_every_frame_at_its_time(self):
        self.assertEqual(tulle("simulate", self.scene, "-o", self.cache).returncode, 0)
        positions, times = frames_of(self.cache)
        self.assertEqual(positions.shape, (21, 117, 3))
        self.assertTrue(all(abs(t - i / 25) < 1e-9 for i, t in enumerate(times)))
        self.assertTrue((self.folder / "small.xdmf").exists())
        self.assertFalse((self.folder / "small.h5.part").exists())

    def test_a_setting_on_the_command_line_changes_the_run(self):
        tulle("simulate", self.scene, "-o", self.cache)
        other = self.folder / "other.h5"
        done = tulle("simulate", self.scene, "--set", "wind.velocity=[4,-1,0]", "-o", other)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotEqual(digest(self.cache), digest(other))
        again = self.folder / "again.h5"
        tulle("simulate", self.scene, "--set", "wind.velocity=[4,1,0]", "-o", again)
        self.assertEqual(digest(self.cache), digest(again))

    def test_more_frames_are_added_by_resume_and_are_the_same_bits(self):
        whole = self.folder / "whole.h5"
        tulle("simulate", self.scene, "--frames", 20, "-o", whole)
        tulle("simulate", self.scene, "--frames", 7, "-o", self.cache)
        done = tulle("simulate", self.scene, "--frames", 20, "--resume", "-o", self.cache)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(digest(whole), digest(self.cache))

    def test_resuming_another_scene_is_refused_and_leaves_the_cache_alone(self):
        tulle("simulate", self.scene, "--frames", 3, "-o", self.cache)
        before = self.cache.read_bytes()
        done = tulle("simulate", self.scene, "--set", "cloth.mass=1e-3", "--resume", "-o", self.cache)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.cache.read_bytes(), before)

    def test_ctrl_c_closes_the_cache_properly_and_resume_goes_on(self):
        whole = self.folder / "whole.h5"
        tulle("simulate", self.scene, "--frames", 2000, "-o", whole)
        process = subprocess.Popen([PROGRAM, "simulate", self.scene, "--frames", "2000", "-o", self.cache],
                                   stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        part = pathlib.Path(f"{self.cache}.part")
        while not part.exists() and process.poll() is None:
            time.sleep(0.005)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn("--resume", errors)
        self.assertTrue(self.cache.exists())
        self.assertFalse(part.exists())
        self.assertEqual(tulle("info", self.cache).returncode, 0)
        frames, _ = frames_of(self.cache)
        self.assertLess(len(frames), 2001)
        self.assertEqual(tulle("simulate", self.scene, "--frames", 2000, "--resume", "-o", self.cache).returncode, 0)
        self.assertEqual(digest(whole), digest(self.cache))

    def test_a_run_that_diverges_says_where_and_what_to_do_and_keeps_the_frames_before(self):
        done = tulle("simulate", self.scene, "--method", "mass_spring", "--set", "solver.mass_spring.steps_per_frame=4",
                     "--frames", 200, "-o", self.cache)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"frame \d+: (vertex \d+ (is|moves at)|an edge at vertex \d+ is) .*solver.mass_spring.steps_per_frame")
        self.assertEqual(done.stderr.count("\n"), 1)
        frames, _ = frames_of(self.cache)
        self.assertEqual(len(frames), int(re.search(r"frame (\d+)", done.stderr)[1]))
        info = tulle("info", self.cache)
        self.assertEqual(info.returncode, 1)
        self.assertRegex(info.stdout, r"not complete, \d+ of 201 frames: diverged in frame \d+")
        self.assertNotIn("sound       yes", info.stdout)

    def test_every_method_says_what_to_do_when_it_diverges(self):
        for method, key in (("admm", "admm"), ("implicit_cg", "implicit_cg"), ("xpbd", "xpbd"), ("newton", "newton"),
                            ("bilinear", "admm"), ("miniature", "admm"), ("hierarchy", "admm")):
            done = tulle("simulate", ROOT / "scenes/flag-small.toml", "-m", method, "-n", 20, "--set",
                         "wind.velocity=[4e8,1e9,0]", "-o", self.cache)
            self.assertEqual(done.returncode, 1, method)
            self.assertRegex(done.stderr, rf"^tulle: frame \d+: vertex \d+ .*\(solver.{key}.steps_per_frame\)")
            self.assertEqual("networks" in done.stderr, method in ("miniature", "hierarchy"), done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertEqual(tulle("info", self.cache).returncode, 1)

    def test_a_run_that_was_stopped_is_not_called_complete(self):
        run = subprocess.Popen([PROGRAM, "simulate", str(self.scene), "--frames", "1000000", "-o", str(self.cache)],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        part = self.folder / "small.h5.part"
        while not part.exists() or len(frames_of(part)[1]) < 3:
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(), 1)
        info = tulle("info", self.cache)
        self.assertRegex(info.stdout, r"state +not complete, \d+ of 1000001 frames: stopped")
        self.assertFalse(json.loads(tulle("info", self.cache, "--json").stdout)["complete"])

    def test_a_terminal_gets_a_progress_bar_with_the_time_left(self):
        controller, terminal = pty.openpty()
        process = subprocess.Popen([PROGRAM, "simulate", self.scene, "--frames", "300"], stderr=terminal, stdout=subprocess.PIPE)
        os.close(terminal)
        shown = b""
        try:
            while chunk := os.read(controller, 4096):
                shown += chunk
        except OSError:  # the terminal is gone when the program ends
            pass
        process.communicate(timeout=60)
        self.assertRegex(shown.decode(), r"small \[#*\.*\] \d+/300, \d+ s left")

    def test_info_knows_scenes_meshes_and_caches(self):
        tulle("simulate", self.scene, "--frames", 3, "-o", self.cache)
        self.assertIn("117 vertices", tulle("info", self.scene).stdout)
        self.assertEqual(json.loads(tulle("info", self.cache, "--json").stdout)["frames"], 4)
        mesh = next((ROOT / "scenes" / "meshes").glob("*.obj"))
        self.assertEqual(json.loads(tulle("info", mesh, "--json").stdout)["kind"], "mesh")

    def test_every_command_has_help_with_an_example(self):
        for command in ([], ["simulate"], ["info"], ["demo"], ["render"], ["export"], ["generate"], ["upscale"]):
            done = tulle(*command, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn("example: tulle", done.stdout)

    def test_demo_compares_every_solver_with_the_converged_one(self):
        done = tulle("demo", self.scene, "-o", self.folder / "out", "--frames", 5)
        self.assertEqual(done.returncode, 0, done.stderr)
        for method in ("admm", "implicit_cg", "mass_spring", "xpbd", "newton"):
            self.assertRegex(done.stdout, rf"{method} +117 +[\d.]+ +[\d.]+ +[\d.]+")
            self.assertTrue((self.folder / "out" / f"small-{method}.h5").exists())
        self.assertGreater((self.folder / "out" / "demo.mp4").stat().st_size, 1000)
        self.assertEqual((self.folder / "out" / "demo.png").read_bytes()[:4], b"\x89PNG")
        self.assertRegex(done.stdout, r"newton +117 +[\d.]+ +0\.00 +0\.00")


if __name__ == "__main__":
    unittest.main(argv=["simulate_test.py"])

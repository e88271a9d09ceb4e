#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`tulle evaluate` as a person or a script uses it."""
import csv
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree

import numpy

from support import PROGRAM, ROOT, frames_of, tulle

FIGURES = ["name", "ms_per_frame", "mean_ms_per_frame", "p99_ms_per_frame", "ms_simulation", "ms_inference", "mean_error_to_full",
           "p95_error_to_full", "max_error_to_full", "mean_error_to_converged", "p95_error_to_converged",
           "max_error_to_converged", "teacher_forced_error", "teacher_forced_p95", "normal_error_degrees",
           "p95_normal_error_degrees", "max_stretch", "p99_strain", "stretch_energy", "bending_energy", "wrinkle_energy",
           "flicker", "intersections", "intersecting_frames", "penetrations", "penetrating_faces", "penetrating_frames",
           "speedup"]
SMALL = ["--set", "cloth.rows=13", "--set", "cloth.columns=19", "--set", "cloth.mass=0.008"]


class EvaluateTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name) / "report"

    def evaluate(self, methods, *options):
        return tulle("evaluate", ROOT / "scenes" / "flag.toml", "--methods", methods, "-o", self.folder, *SMALL, *options)

    def test_a_pipe_gets_a_line_of_progress_now_and_then(self):
        for seconds, least in (("0", 8), ("1000", 0)):
            done = tulle("evaluate", ROOT / "scenes/flag.toml", "-m", "admm,xpbd", "-n", 4, "--no-converged",
                         "--no-pictures", "-o", self.folder, *SMALL,
                         env={**os.environ, "TULLE_PROGRESS_SECONDS": seconds})
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = [line for line in done.stderr.splitlines() if line.startswith("evaluating: ")]
            self.assertEqual(len(lines) >= least, True, done.stderr)
            self.assertEqual(len(lines) == 0, least == 0, done.stderr)
            self.assertNotIn("\x1b", done.stderr)
            self.assertNotIn("\r", done.stderr)
            if lines:
                self.assertRegex(lines[0], r"^evaluating: 1/\d+, .* left, admm$")

    def test_json_prints_one_object_with_exactly_the_promised_keys(self):
        done = self.evaluate("admm,admm:5,xpbd,bicubic", "--frames", 12, "--threads", 2, "--json", "--no-pictures")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"^(tulle: the machine was busy.*\n)?$", "no progress bar when it is not a terminal")
        report = json.loads(done.stdout)
        self.assertEqual(list(report), ["scene", "frames", "threads", "chaos_floor", "cpu_share", "methods"])
        self.assertEqual((report["scene"], report["frames"], report["threads"]), ("flag", 12, 2))
        self.assertEqual([method["name"] for method in report["methods"]], ["admm", "admm:5", "xpbd", "bicubic"])
        for method in report["methods"]:
            self.assertEqual(list(method), FIGURES)
            forced = method["name"] == "bicubic"
            for name in ("teacher_forced_error", "teacher_forced_p95", "ms_inference"):
                self.assertEqual(method[name] is not None, forced, name)
            self.assertLessEqual(method["mean_error_to_full"], method["max_error_to_full"])
            self.assertGreater(method["mean_error_to_converged"], 0)
            self.assertGreater(method["ms_simulation"], 0)
        full, five = report["methods"][:2]
        self.assertEqual((full["max_error_to_full"], full["flicker"], full["speedup"]), (0, 1, 1))
        self.assertGreater(five["mean_error_to_full"], report["chaos_floor"])

    def test_the_figures_are_those_of_the_caches(self):
        report = json.loads(self.evaluate("admm:5", "--frames", 12, "--json", "--no-pictures").stdout)
        full, _ = frames_of(self.folder / "admm.h5")
        converged, _ = frames_of(self.folder / "newton.h5")
        method, _ = frames_of(self.folder / "admm-5.h5")
        figures = report["methods"][0]
        for reference, name in ((full, "full"), (converged, "converged")):
            distances = numpy.linalg.norm((method - reference)[1:].astype(float), axis=2)
            self.assertAlmostEqual(figures[f"mean_error_to_{name}"], distances.mean(), delta=1e-6)
            self.assertAlmostEqual(figures[f"max_error_to_{name}"], distances.max(), delta=1e-6)
            percentile = numpy.percentile(distances, 95)
            self.assertAlmostEqual(figures[f"p95_error_to_{name}"], percentile, delta=0.02 * percentile)

    def test_the_folder_holds_the_report_whole(self):
        done = self.evaluate("admm:5,bilinear", "--frames", 3, "--json", "--no-converged")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads((self.folder / "report.json").read_text()), json.loads(done.stdout))
        self.assertIsNone(json.loads(done.stdout)["methods"][0]["mean_error_to_converged"])
        rows = list(csv.DictReader((self.folder / "report.csv").read_text().splitlines()))
        self.assertEqual([row["name"] for row in rows], ["admm:5", "bilinear"])
        self.assertEqual(list(rows[0]), FIGURES)
        self.assertEqual(rows[0]["teacher_forced_error"], "")
        curves = list(csv.DictReader((self.folder / "curves.csv").read_text().splitlines()))
        self.assertEqual([row["frame"] for row in curves], ["1", "2", "3"])
        self.assertEqual((self.folder / "frame.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
        html = (self.folder / "report.html").read_text()
        self.assertIn("data:image/png;base64,iVBOR", html)
        self.assertNotRegex(html, r'(src|href)="(?!data:)', "self-contained")
        for plot in re.findall(r"<svg.*?</svg>", html, re.DOTALL):
            xml.etree.ElementTree.fromstring(plot)
        self.assertFalse((self.folder / "newton.h5").exists())

    def test_without_json_there_is_a_table(self):
        done = self.evaluate("admm,bicubic", "--frames", 2, "--no-converged", "--no-pictures")
        self.assertEqual(done.returncode, 0, done.stderr)
        for word in ("bicubic", "chaos floor", "report.html"):
            self.assertIn(word, done.stdout)
        self.assertFalse((self.folder / "frame.png").exists())

    def test_the_pareto_plot_is_drawn_and_tabled(self):
        done = self.evaluate("admm", "--frames", 2, "--pareto", "--no-pictures", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(list(json.loads(done.stdout)), ["scene", "frames", "threads", "chaos_floor", "cpu_share", "methods"])
        rows = list(csv.DictReader((self.folder / "pareto.csv").read_text().splitlines()))
        for cloth in ("soft", "medium", "stiff"):
            methods = [row["method"] for row in rows if row["cloth"] == cloth]
            self.assertLessEqual({"admm:2", "admm:20", "xpbd:10", "bicubic"}, set(methods))
            for missing in {"miniature", "miniature:paper", "hierarchy", "hierarchy:paper"} - set(methods):
                self.assertIn(missing, done.stderr)
        xml.etree.ElementTree.parse(self.folder / "pareto.svg")
        self.assertIn("stiff cloth", (self.folder / "report.html").read_text())

    def test_an_ensemble_has_every_figure_with_its_interval(self):
        done = self.evaluate("admm:5,bicubic", "--frames", 6, "--ensemble", 4, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(list(report), ["scene", "frames", "threads", "seeds", "chaos_floor", "cpu_share", "chaos_curve",
                                        "full", "methods"])
        self.assertEqual((report["frames"], report["seeds"]), (6, 4))
        self.assertGreater(report["chaos_floor"]["mean"], 0)
        for method in [report["full"], *report["methods"]]:
            self.assertEqual(list(method["figures"]), FIGURES[1:])
            self.assertEqual(len(method["curve_to_full"]), len(report["chaos_curve"]))
            self.assertIsNone(method["figures"]["mean_error_to_converged"])
            self.assertGreaterEqual(method["figures"]["p99_strain"]["half_width"], 0)
            for distance in ("strain_distance", "curvature_distance", "tip_distance"):
                self.assertGreater(method[distance], 0)
        self.assertEqual(json.loads((self.folder / "ensemble.json").read_text()), report)
        rows = list(csv.DictReader((self.folder / "ensemble.csv").read_text().splitlines()))
        self.assertEqual([row["name"] for row in rows], ["full", "admm:5", "bicubic"])
        html = (self.folder / "ensemble.html").read_text()
        plots = re.findall(r"<svg.*?</svg>", html, re.DOTALL)
        self.assertEqual(len(plots), 3)
        for plot in plots:
            xml.etree.ElementTree.fromstring(plot)
        self.assertFalse((self.folder / "admm.h5").exists(), "no caches")
        table = self.evaluate("admm:5", "--frames", 3, "--ensemble", 4)
        for word in ("full (admm)", "horizon", "±", "ensemble.html"):
            self.assertIn(word, table.stdout)

    def test_an_ablation_has_two_coarse_cloths_and_three_upscalings(self):
        done = tulle("evaluate", ROOT / "scenes" / "flag.toml", "--ablation", "miniature", "--frames", 4, "-o", self.folder, *SMALL,
                     "--no-converged", "--no-pictures", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([method["name"] for method in json.loads(done.stdout)["methods"]],
                         [f"{upscaling}:{scaling}" for scaling in ("similarity", "calibrated")
                          for upscaling in ("bilinear", "bicubic", "miniature")])
        done = tulle("evaluate", ROOT / "scenes" / "flag.toml", "--ablation", "miniature", "--frames", 4, "-o", self.folder, *SMALL,
                     "--no-converged", "--no-pictures", "--json", "--set", "name='other'")
        self.assertIn("the ablation has no calibrated rows: ", done.stderr)
        self.assertEqual(len(json.loads(done.stdout)["methods"]), 3)

    def test_sequences_that_are_recorded_are_measured_without_a_run(self):
        sweep = self.folder.parent / "small.sweep.toml"
        sweep.write_text('sequences = 10\nframes = 4\n[[vary]]\nkeys = ["cloth.mass"]\nmin = 0.004\nmax = 0.01\n')
        data = self.folder.parent / "data"
        scene = ROOT / "scenes" / "flag.toml"
        self.assertEqual(tulle("generate", scene, "--sweep", sweep, *SMALL, "-o", data).returncode, 0)
        done = tulle("evaluate", scene, "--sequences", data, "--part", "all", "--methods", "bicubic,miniature", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual((report["scene"], report["baseline"], len(report["files"])), ("flag", "bicubic", 10))
        bicubic, ours = report["methods"]
        self.assertEqual((bicubic["ratio"], bicubic["min_ratio"], bicubic["max_ratio"]), (1, 1, 1))
        self.assertAlmostEqual(ours["ratio"], sum(ours["errors"]) / sum(bicubic["errors"]))
        held_out = json.loads(tulle("evaluate", scene, "--sequences", data, "--methods", "bicubic", "--json").stdout)
        self.assertEqual(len(held_out["files"]), 1)
        self.assertIn(held_out["methods"][0]["errors"][0], bicubic["errors"])
        self.assertIn("miniature", tulle("evaluate", scene, "--sequences", data, "--methods", "bicubic,miniature").stdout)

    def test_modes_that_exclude_each_other_are_bad_usage(self):
        scene = ROOT / "scenes" / "flag.toml"
        for options in (["--methods", "admm"], ["-o", self.folder], ["--methods", "admm", "-o", self.folder, "--ensemble", "3"],
                        ["--methods", "admm", "-o", self.folder, "--ensemble", "4", "--pareto"],
                        ["--methods", "bicubic", "--sequences", self.folder, "-o", self.folder],
                        ["--methods", "bicubic", "--sequences", self.folder, "--ensemble", "4"],
                        ["--methods", "bicubic", "--sequences", self.folder, "--part", "some"]):
            self.assertEqual(tulle("evaluate", scene, *options).returncode, 2, options)
        missing = tulle("evaluate", scene, "--methods", "bicubic", "--sequences", self.folder)
        self.assertEqual((missing.returncode, missing.stderr.count("\n")), (1, 1), missing.stderr)

    def test_a_method_that_cannot_run_ends_in_one_sentence_that_names_it(self):
        for methods, words in (("admm,nonsense", "nonsense"), ("admm:5,bicubic", "bicubic")):
            done = self.evaluate(methods, "--set", "cloth.rows=12", "--frames", 3)
            self.assertEqual(done.returncode, 1)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertFalse(self.folder.exists())

    def test_pareto_without_the_converged_solution_is_bad_usage(self):
        self.assertEqual(self.evaluate("admm", "--pareto", "--no-converged").returncode, 2)

    def test_ctrl_c_stops_properly(self):
        process = subprocess.Popen([PROGRAM, "evaluate", ROOT / "scenes" / "flag.toml", "--methods", "admm:5",
                                    "--frames", "5000", "-o", self.folder, *SMALL], stderr=subprocess.PIPE, text=True)
        part = self.folder / "admm.h5.part"
        while not part.exists() and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 1)
        self.assertIn("stopped", errors)
        self.assertFalse((self.folder / "report.html").exists())


if __name__ == "__main__":
    unittest.main(argv=["evaluate_test.py"])

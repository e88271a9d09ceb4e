#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`tulle reproduce PAPER --quick` runs every table and figure of the papers with the shipped weights. The papers' own
figures are given here as the papers print them; ours must be numbers of a plausible size, and where two tables or the
caches say the same thing they must say the same."""
import pathlib
import re
import subprocess
import tempfile
import unittest

import numpy
from draped_poses import write_poses
from support import ROOT, frames_of, tulle

ERROR, CHAOS, LOSS, CELL, MS, COUNT = "error", "chaos", "loss", "cell", "ms", "count"
PLAUSIBLE = {    # how it is written, and between what
    ERROR: (r"\d\.\d{3}e-\d\d", 1e-7, 1),        # [m] mean distance, of cloths of a metre that moved for six frames
    CHAOS: (r"\d\.\d{3}e-\d\d", 1e-12, 1e-2),    # [m] the same, of starts 10⁻⁹ m apart
    LOSS: (r"\d\.\d{3}e[-+]\d\d", 1e-9, 10),     # [m] or [m²] after hardly any training
    CELL: (r"(\d\.\d{3}e[-+]\d\d) (?:flat|↓\d+ %)", 1e-9, 10),  # a loss, and whether it was flat
    MS: (r"\d+\.\d\d", 1e-3, 1e5),              # [ms] per frame
    COUNT: (r"\d+", 100, 1e6)}                  # multiplications of a network
PANEL = 320    # pixels that a method's picture is wide


def sections_of(page):
    """The text under each heading."""
    parts = re.split(r"^## (.*)\n", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def tables_of(section):
    """Each table as a list of rows, the head first."""
    tables = re.findall(r"(?:^\|.*\|\n)+", section, flags=re.MULTILINE)
    rows = [[line.strip("|\n").split("|") for line in table.splitlines()] for table in tables]
    return [[[cell.strip() for cell in row] for row in table if not set("".join(row)) <= set("-:")] for table in rows]


def colours_of(picture):
    """Height×width×3, decoded by another program."""
    data = picture.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", f"{picture} is no PNG"
    width, height = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", picture, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
                         check=True, capture_output=True).stdout
    return numpy.frombuffer(raw, numpy.uint8).reshape(height, width, 3)


class PageTest(unittest.TestCase):
    """A page that was made once, for all tests of the class."""
    paper = None

    @classmethod
    def setUpClass(cls):
        if cls.paper is None:
            raise unittest.SkipTest("a page of no paper")
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        cls.prepare()
        done = tulle("reproduce", cls.paper, "--quick", "--project", ROOT, "-o", cls.folder)
        assert done.returncode == 0, done.stderr
        cls.page = (cls.folder / f"{cls.paper}.md").read_text()
        cls.sections = sections_of(cls.page)

    @classmethod
    def prepare(cls):
        """What must be there before."""

    def table(self, heading, index=0):
        return tables_of(self.sections[heading])[index]

    def check_table(self, heading, head, rows, index=0):
        """`rows` hold the text of a cell, or the kind of number it must be."""
        table = self.table(heading, index)
        self.assertEqual(table[0], head)
        self.assertEqual([row[0] for row in table[1:]], [row[0] for row in rows])
        for row, expected in zip(table[1:], rows):
            self.assertEqual(len(row), len(expected), row)
            for cell, wanted in zip(row, expected):
                self.check_cell(cell, wanted, f"{heading}: {row}")

    def check_cell(self, cell, wanted, where):
        if wanted not in PLAUSIBLE:
            self.assertEqual(cell, wanted, where)
            return
        pattern, least, most = PLAUSIBLE[wanted]
        self.assertRegex(cell, f"^{pattern}$", where)
        number = float(cell.split()[0])
        self.assertGreater(number, least, where)
        self.assertLess(number, most, where)

    def check_pictures(self, panels):
        """Each picture has so many panels, and something is drawn in each of them."""
        linked = re.findall(r"!\[.*?\]\((.*?png)\)", self.page)
        self.assertEqual(linked, list(panels))
        self.assertEqual(sorted(linked), sorted(file.name for file in self.folder.glob("*.png")))
        for name, count in panels.items():
            picture = colours_of(self.folder / name)
            self.assertEqual(picture.shape[1], PANEL * count, name)
            for panel in range(count):
                pixels = picture[:, PANEL * panel:PANEL * (panel + 1)].reshape(-1, 3)
                self.assertGreater(len(numpy.unique(pixels, axis=0)), 50, f"{name}, panel {panel}")

    def check_against_caches(self, errors):
        """The caches that the last evaluation left behind are what its errors were measured on."""
        full, _ = frames_of(self.folder / "caches" / "admm.h5")
        for method, error in errors.items():
            positions, _ = frames_of(self.folder / "caches" / f"{method.replace(':', '-')}.h5")
            self.assertEqual(len(positions), 7)
            distances = numpy.linalg.norm(positions[1:].astype(float) - full[1:].astype(float), axis=2)
            self.assertAlmostEqual(distances.mean() / float(error), 1, delta=1e-3, msg=method)


class HierarchyTest(PageTest):
    paper = "hierarchy"
    rows = [f"{layers}*FC-32" for layers in range(2, 6)] + [f"3*FC-{width}" for width in (16, 64, 128)]

    def test_there_is_every_table_and_figure(self):
        self.assertEqual([heading.split(":")[0] for heading in self.sections],
                         ["Table 1", "Table 2", "Figures 6, 8 and 9", "Figure 7", "Figure 10", "Figure 11", "Weights"])

    def test_table_1(self):
        heading = "Table 1: loss while training (flag)"
        ours = [LOSS] * 4
        self.check_table(heading, ["network 3*FC-32", "100 epochs", "1500", "3000", "5000"],
                         [["l1, paper", "1.48e-05", "8.14e-06", "2.28e-06", "1.63e-06"],
                          ["l1, paper features", *ours], ["l1, canonical features", *ours],
                          ["l2, paper", "2.94e-04", "1.45e-06", "3.13e-07", "2.62e-07"],
                          ["l2, paper features", *ours], ["l2, canonical features", *ours]])
        self.assertIn("in the paper at 1500, 3000, 5000;", self.sections[heading])
        levels = {row[0]: [float(cell) for cell in row[1:]] for row in self.table(heading)[1:]}
        for words, features in (("with its features here", "paper"), ("with ours", "canonical")):
            l1, l2 = (levels[f"{level}, {features} features"] for level in ("l1", "l2"))
            if all(second < first for first, second in zip(l1, l2)):
                self.assertIn(f"{words} at all of them", self.sections[heading])

    def test_table_2(self):
        self.check_table("Table 2: ms per frame",
                         ["example", "masses", "CG: paper", "ours", "ADMM: paper", "ours", "hierarchy: paper",
                          "its settings", "ours"],
                         [["Flag", "3577", "87.5", MS, "76.4", MS, "33.8", MS, MS],
                          ["Cloth", "925", "21.3", MS, "19.2", MS, "15.4", MS, MS]])

    def test_figures_6_8_and_9(self):
        heading = "Figures 6, 8 and 9: levels, collision, full and coarse"
        methods = ("l0 of ours alone, bilinear", "hierarchy:paper", "hierarchy:paper, total mass kept", "hierarchy")
        self.check_table(heading, ["scene and method", "free-running error", "teacher-forced"],
                         [[f"{scene}, {method}", ERROR, ERROR] for scene in ("flag", "collision")
                          for method in methods])
        rows = {row[0]: row[1:] for row in self.table(heading)[1:]}
        for scene in ("flag", "collision"):
            by_paper, other = (rows[f"{scene}, hierarchy:paper{end}"] for end in ("", ", total mass kept"))
            self.assertNotEqual(by_paper[0], other[0])
            self.assertEqual(by_paper[1], other[1])    # which has no coarse cloth that could weigh something

    def test_figure_7(self):
        self.check_table("Figure 7: other stiffness (flag)",
                         ["stiffness", "paper's: error", "total mass kept: error", "ours: error",
                          "paper's: teacher-forced", "ours: teacher-forced"],
                         [[f"k = {stretch}, k_b = {bend} N/m", *[ERROR] * 5] for stretch in (50, 200)
                          for bend in (2, 20)])

    def test_figure_10(self):
        heading = "Figure 10: structures (flag, last level)"
        self.check_table(heading,
                         ["network", "paper's features: multiplications", "training", "test",
                          "canonical: multiplications", "training", "test"],
                         [[name, COUNT, LOSS, CELL, COUNT, LOSS, CELL] for name in self.rows])
        for row in self.table(heading)[1:]:    # networks of about the same cost are compared
            self.assertAlmostEqual(int(row[4]) / int(row[1]), 1.1, delta=0.15, msg=row[0])

    def test_curves(self):
        curves = re.findall(r"!\[.*?\]\((.*?svg)\)", self.page)
        self.assertEqual(curves, [f"hierarchy-structures-{kind}-{features}.svg" for features in ("paper", "canonical")
                                  for kind in ("depth", "width")])
        for name in curves:
            drawing = (self.folder / name).read_text()
            for structure in self.rows[:4] if "depth" in name else [self.rows[4], self.rows[1], *self.rows[5:]]:
                self.assertIn(structure, drawing)

    def test_figure_11(self):
        heading = "Figure 11: the over-stretched cloth"
        methods = ["bicubic, coarse cloth of ours", "hierarchy:paper", "hierarchy:paper, total mass kept", "hierarchy"]
        self.check_table(heading, ["method", "free-running error", "teacher-forced"],
                         [[method, ERROR, ERROR] for method in methods])
        errors = {row[0]: row[1] for row in self.table(heading)[1:]}
        self.check_against_caches({method: errors[method] for method in ("hierarchy:paper", "hierarchy")})
        self.assertIn("All at factor 4", self.sections[heading])

    def test_pictures(self):
        flag = ("levels-paper", "levels-ours", "flag-paper", "flag-ours", "flag-readings")
        stiffness = ("stiffness-50-2", "stiffness-50-20", "stiffness-200-2", "stiffness-200-20")
        self.check_pictures({f"hierarchy-{name}.png": 3 for name in (*flag, "collision", *stiffness, "overstretch")})


class MiniatureTest(PageTest):
    paper = "miniature"

    def test_there_is_every_table_and_figure(self):
        self.assertEqual([heading.split(":")[0] for heading in self.sections],
                         ["Table 2", "Table 3", "Table 4 and figures 7 and 8", "Table 5", "Figures 6 and 9 to 12",
                          "Table 6", "Table 7", "Table 8", "Figures 13 and 14", "Figure 15", "Weights"])

    def test_table_2(self):
        """Every window of 3×3 particles of a frame is a pair: 47 × 71, 31 × 47 and 39 × 59 of them."""
        table = self.table("Table 2: training pairs")
        self.assertEqual(table[0], ["example", "paper: pairs / frames", "ours: pairs / frames",
                                    "ours, for the paper's frames"])
        paper = [("Curtain", 4211294, 1262, 47 * 71), ("Flag", 4051917, 2781, 31 * 47),
                 ("Collision", 4652622, 2022, 39 * 59)]
        self.assertEqual(len(table), 4)
        for row, (name, pairs, frames, windows) in zip(table[1:], paper):
            self.assertEqual(row[0], name)
            self.assertEqual(row[1], f"{pairs} / {frames}")
            our_pairs, our_frames = map(int, row[2].split(" / "))
            self.assertEqual(our_pairs, windows * our_frames)
            self.assertGreater(our_frames, 0)
            self.assertEqual(row[3], str(pairs))

    def test_table_3(self):
        self.check_table("Table 3: input features (flag, 33×49)",
                         ["features", "paper: training", "paper: test", "ours: training", "ours: test",
                          "test, second seed"],
                         [["positions", "9.094e-05", "2.850e-04", LOSS, CELL, CELL],
                          ["positions + velocities", "8.876e-05", "2.778e-04", LOSS, CELL, CELL],
                          ["positions in 3 frames", "8.856e-05", "2.691e-04", LOSS, CELL, CELL],
                          ["canonical (ours)", "–", "–", LOSS, CELL, "–"],  # the paper has none
                          ["bicubic, no network", "–", "–", "–", LOSS, "–"]])

    def test_table_4(self):
        ours = [ERROR, ERROR, MS]
        self.check_table("Table 4 and figures 7 and 8: factors (curtain)",
                         ["factor", "paper: error", "ms", "paper's settings: error", "teacher-forced", "ms",
                          "ours: error", "teacher-forced", "ms"],
                         [["2", "1.816e-03", "37.5", *ours, *ours], ["3", "2.916e-03", "19.1", *ours, *ours],
                          ["4", "3.901e-03", "16.2", *ours, *ours]])

    def test_table_5(self):
        heading = "Table 5: structures"
        paper = [["4*FC-32", "9.594e-06", "1.674e-04", "1.660e-05"], ["3*FC-64", "6.405e-06", "1.276e-04", "1.357e-05"],
                 ["4*FC-64", "6.214e-06", "1.217e-04", "1.170e-05"], ["5*FC-64", "7.158e-06", "1.677e-04", "1.454e-05"],
                 ["4*FC-128", "6.772e-06", "1.486e-04", "1.414e-05"]]
        self.check_table(heading, ["network", "multiplications", "curtain: paper", "ours", "flag: paper", "ours",
                                   "collision: paper", "ours"],
                         [[name, COUNT, curtain, CELL, flag, CELL, collision, CELL]
                          for name, curtain, flag, collision in paper])
        self.check_table(heading, ["network", "multiplications", "curtain", "flag", "collision"],
                         [[row[0], COUNT, CELL, CELL, CELL] for row in paper], index=1)
        for theirs, ours in zip(self.table(heading)[1:], self.table(heading, 1)[1:]):
            self.assertAlmostEqual(int(ours[1]) / int(theirs[1]), 1, delta=0.2, msg=theirs[0])

    def test_order_of_rows_is_told(self):
        """The best row of ours and of the paper, by the table and by the sentence about it."""
        heading = "Table 5: structures"
        for column, scene in ((3, "Curtain"), (5, "Flag"), (7, "Collision")):
            rows = self.table(heading)[1:]
            best = min(rows, key=lambda row: float(row[column].split()[0]))[0]
            said = re.search(rf"{scene}: (?:best first, the paper has ([^,]*),.*?; we have ([^,]*),|"
                             r"the order is the paper's; best first, ([^,]*),)", self.sections[heading])
            self.assertEqual(said[2] or said[3], best)
            self.assertEqual(said[1] or said[3], "4*FC-64")

    def test_table_6(self):
        heading = "Table 6: against interpolation (curtain)"
        table = self.table(heading)
        teacher = table[-1][5].split(" / ")
        for cell in teacher:
            self.check_cell(cell, ERROR, heading)
        ours = [ERROR, ERROR, ERROR, MS]
        self.check_table(heading, ["upscaling", "paper: error", "ms", "paper's scaling: error", "our scaling: error",
                                   "teacher-forced", "ms"],
                         [["bilinear", "1.826e-03", "17.7", *ours], ["biquadratic", "1.825e-03", "17.7", *ours],
                          ["bicubic", "1.825e-03", "17.8", *ours],
                          ["network", "1.816e-03", "37.5", ERROR, ERROR, " / ".join(teacher), MS]])
        self.assertEqual(table[-1][3:5], self.table("Table 7: distance to the full simulation")[1][6:8])

    def test_table_7(self):
        self.check_table("Table 7: distance to the full simulation",
                         ["example", "H-DNN: paper", "its settings", "total mass kept", "ours", "miniature: paper",
                          "its settings", "ours", "chaos floor"],
                         [[name, hierarchy, ERROR, ERROR, ERROR, miniature, ERROR, ERROR, CHAOS]
                          for name, hierarchy, miniature in (("Curtain", "1.841e-03", "1.816e-03"),
                                                             ("Flag", "2.492e-02", "7.767e-03"),
                                                             ("Collision", "5.982e-03", "5.973e-03"))])

    def test_table_8(self):
        self.check_table("Table 8: ms per frame",
                         ["example", "particles", "P-ADMM: paper", "ours", "H-DNN: paper", "its settings", "ours",
                          "miniature: paper", "its settings", "ours", "both at factor 2: H-DNN", "miniature"],
                         [["Curtain", "3577", "72.8", MS, "49.7", MS, MS, "37.5", MS, MS, MS, MS],
                          ["Flag", "1617", "33.2", MS, "24.8", MS, MS, "18.1", MS, MS, MS, MS],
                          ["Collision", "2501", "50.2", MS, "35.1", MS, MS, "33.2", MS, MS, MS, MS]])

    def test_figures_13_and_14(self):
        heading = "Figures 13 and 14: other masses and springs (curtain)"
        changes = ["mass 1.5", "mass 3", "mass 4.5", "spring 40", "spring 70", "spring 150"]
        self.check_table(heading, ["changed", "hierarchy, paper's", "miniature, paper's", "hierarchy, ours",
                                   "miniature, ours"], [[change, *[ERROR] * 4] for change in changes])
        errors = {row[0]: row[1:] for row in self.table(heading)[1:]}
        self.assertEqual(errors["mass 3"], errors["spring 150"])  # the curtain as it is
        self.assertEqual(len({tuple(row) for row in errors.values()}), 5)

    def test_figure_15(self):
        heading = "Figure 15: wind from the other side (flag)"
        methods = ["bicubic:calibrated", "miniature:paper", "miniature"]
        self.check_table(heading, ["method", "teacher-forced, trained wind", "opposite wind",
                                   "free-running, trained wind", "opposite wind"],
                         [[method, *[ERROR] * 4] for method in methods])
        self.check_against_caches({row[0]: row[4] for row in self.table(heading)[1:]})

    def test_pictures(self):
        curtain = {"miniature-curtain-pair.png": 2, "miniature-curtain-paper.png": 3, "miniature-curtain-ours.png": 3}
        others = {f"miniature-{name}-{what}.png": panels for name in ("flag-small", "collision")
                  for what, panels in (("pair", 2), ("paper", 3), ("ours", 3))}
        self.check_pictures({"miniature-factors-coarse.png": 4, "miniature-factors-fine.png": 3,
                             **curtain, "miniature-interpolations.png": 4, **others,
                             **{f"miniature-mass-{mass}.png": 4 for mass in (15, 30, 45)},
                             **{f"miniature-spring-{spring}.png": 4 for spring in (40, 70, 150)},
                             "miniature-opposite.png": 3})

    def test_cells_that_are_finished_are_kept(self):
        cells = list((self.folder / "data" / "reproduce").glob("*.safetensors"))
        self.assertEqual(len(cells), 7 + 6 + 30)
        for cell in cells:
            self.assertTrue(cell.with_suffix(".csv").read_text().startswith("epoch,"), cell)


class ForceCellTest(PageTest):
    paper = "force-cell"

    def number(self, cell):
        self.assertRegex(cell, r"^\d\.\d{3}e[-+]\d\d$")
        return float(cell)

    def test_there_is_every_table_and_figure(self):
        self.assertEqual([heading.split(":")[0] for heading in self.sections],
                         ["Table 2", "Figure 3", "Table 2", "Table 2", "Scenes never trained on", "Figures 4 to 6"])

    def test_training(self):
        rows = {row[0]: row for row in self.table("Figure 3: training")[1:]}
        self.assertEqual(rows["paper"][2], "29")
        self.assertEqual(rows["ours"][2], "21")
        error = {name: self.number(row[4]) for name, row in rows.items()}
        self.assertLess(error["closed-form"], 1e-9)
        self.assertLess(error["closed-form-pressure"], 1e-9)
        self.assertLess(error["ours"], 1e-2)
        self.assertLess(error["ours"], error["paper"])
        self.assertLess(error["paper"], error["paper-evolved"])
        self.assertLess(error["paper"], error["paper-tanh"])

    def test_errors(self):
        for heading in [h for h in self.sections if h.startswith("Table 2: errors at")]:
            rows = {row[0]: row for row in self.table(heading)[1:]}
            self.assertEqual([rows[f"{case}: paper, double"][1] for case in ("no pressure", "pressure", "cross test")],
                             ["0.213 %", "0.477 %", "0.518 %"])
            for case in ("no pressure", "pressure", "cross test"):
                self.assertLess(self.number(rows[f"{case}: closed-form, double"][4]), 1e-10)
                self.assertLess(self.number(rows[f"{case}: closed-form, fused"][4]), 1e-6)
            for scene in ("pinned-fall", "blow-up"):
                race, floor = (self.number(rows[f"{scene}: {what}"][4]) for what in ("the paper's race", "chaos floor"))
                self.assertLess(1000 * floor, race)
                self.assertLess(race, 0.05)

    def test_speed(self):
        for row in self.table("Table 2: steps per second")[1:]:
            self.assertEqual((row[1], row[4]), ("232", "201"))
            self.assertGreater(float(row[2]), float(row[3]))
            self.assertAlmostEqual(float(row[2]) / float(row[5]), float(row[6]), delta=0.01)

    def test_pictures(self):
        for name in ("pinned-fall", "blow-up", "corner-breeze", "ball-drop"):
            picture = colours_of(self.folder / f"force-cell-{name}.png")
            self.assertEqual(picture.shape[1], 2 * PANEL)
            halves = picture[:, :PANEL], picture[:, PANEL:]
            for half in halves:
                self.assertGreater(len(numpy.unique(half.reshape(-1, 3), axis=0)), 50, name)
        for name in ("force-cell-training.svg", "force-cell-unseen.svg"):
            self.assertIn("<svg", (self.folder / name).read_text())


class CoercingTest(PageTest):
    paper = "coercing"
    NUMBER = r"^\d+(\.\d+)?(e[-+]\d\d)?$"

    @classmethod
    def prepare(cls):
        for folder in ("shirt", "shirt-half"):
            write_poses(cls.folder / "data" / folder, 10)

    def test_there_is_every_table_and_figure(self):
        self.assertEqual([heading.split(":")[0] for heading in self.sections],
                         ["Table 1", "Table 2", "Table 3", "Table 4", "Beyond the paper", "Between the rows", "Learnt μ",
                          "Figures 5 and 9", "Times", "Figures 4, 7, 8 and 10", "Figure 11"])

    def rows(self, start):
        heading = next(heading for heading in self.sections if heading.startswith(start))
        return {row[0]: row[1:] for row in self.table(heading)[1:]}

    def test_rows_stand_beside_those_of_the_paper(self):
        rows = self.rows("Table 3")
        self.assertEqual(rows["μ = 0.01, trained with it, paper"],
                         ["2.3120", "16.303", "7.3002", "31.718", "7.3596", "32.494"])
        self.assertEqual(len(rows), 20)
        for start in ("Table 1", "Table 3", "Table 4", "Beyond the paper"):
            for name, cells in self.rows(start).items():
                self.assertEqual(len(cells), 6, name)
                for cell in cells:
                    self.assertRegex(cell, self.NUMBER, name)

    def test_edges_that_must_not_stretch_do_not(self):
        energies = self.rows("Figures 5 and 9")
        self.assertLess(float(energies["inextensible, post-process only"][1]), float(energies["network alone"][1]))

    def test_forces_that_are_not_unique_are_told_of(self):
        heading = next(heading for heading in self.sections if heading.startswith("Figure 11"))
        self.assertIn("The adjoint says so", self.sections[heading])

    def test_what_is_finished_is_not_made_again(self):
        cells = {file: file.stat().st_mtime_ns for file in (self.folder / "data").glob("coercing*/*.safetensors")}
        self.assertEqual(len(cells), 18 + 7)
        done = tulle("reproduce", "coercing", "--quick", "--project", ROOT, "-o", self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(cells, {file: file.stat().st_mtime_ns for file in cells})
        self.assertEqual((self.folder / "coercing.md").read_text(), self.page)

    def test_pictures(self):
        for name, panels in (("stretch", 4), ("sleeve", 4), ("mu", 5), ("vertex-mu", 2)):
            picture = colours_of(self.folder / f"coercing-{name}.png")
            self.assertEqual(picture.shape[1], 300 * panels)
            for panel in range(panels):
                pixels = picture[:, 300 * panel:300 * (panel + 1)].reshape(-1, 3)
                self.assertGreater(len(numpy.unique(pixels, axis=0)), 50, f"{name}, panel {panel}")
        self.assertIn("<svg", (self.folder / "coercing-energies.svg").read_text())


if __name__ == "__main__":
    unittest.main(argv=["reproduce_test"])

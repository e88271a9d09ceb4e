#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every goal of the upscaling methods that is about errors, measured by `tulle evaluate` and written as a page.

usage: benchmarks/accuracy.py BUILD_FOLDER [PAGE] [--only PART]... [--quick] [--fresh]

Parts: teacher-forced, general, meshes, over-stretched, same-coarse-cloth, ensemble, equal-cost. All of them take hours, so every
result is kept in BUILD_FOLDER/accuracy/ under what was measured, by which program and with which weights: after an
interruption the same command goes on. Finished parts are also kept in benchmarks/results/accuracy.json with the commit
that they were measured at, so with --only some the page shows the others as they were, and says from when. --fresh
measures again. --quick takes a few frames of everything, to try the script; its page is BUILD_FOLDER/accuracy/quick.md.
Sweeps that are missing in data/ are generated.
"""
import argparse
import datetime
import hashlib
import json
import math
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
EQUAL_COST_SECONDS = 10
FRAME_RATE = 25  # of flag and curtain
LEAST_CPU_SHARE = 0.7  # below it `tulle evaluate` does not trust its costs


def digest(*files):
    found = hashlib.sha256()
    for file in files:
        found.update(pathlib.Path(file).read_bytes())
    return found.hexdigest()


class Measurements:
    """Results of commands of one program, kept from run to run."""

    def __init__(self, build, quick=False, fresh=False):
        self.program = pathlib.Path(build).resolve() / "tulle"
        self.folder = pathlib.Path(build).resolve() / "accuracy"
        self.folder.mkdir(exist_ok=True)
        self.quick = quick
        self.fresh = fresh
        self.identity = digest(self.program, *sorted((ROOT / "models").glob("*.safetensors")))

    def frames(self, usual):
        return min(usual, 6) if self.quick else usual

    def run(self, *words):
        """What the command prints as JSON."""
        words = [str(word) for word in words]
        key = hashlib.sha256("\0".join([self.identity, *words]).encode()).hexdigest()[:16]
        kept = self.folder / f"{key}.json"
        if kept.exists() and not self.fresh:
            return json.loads(kept.read_text())["result"]
        print("tulle " + " ".join(words), file=sys.stderr)
        done = subprocess.run([self.program, *words], check=True, stdout=subprocess.PIPE, cwd=ROOT)
        result = json.loads(done.stdout)
        part = kept.with_suffix(".part")
        part.write_text(json.dumps({"command": words, "result": result}))
        part.rename(kept)
        return result

    def evaluate(self, scene, frames, *options, overrides=(), converged=False):
        words = ["evaluate", f"scenes/{scene}.toml", "--frames", self.frames(frames), "--json", "--no-pictures", *options,
                 "-o", self.folder / "report"]
        for override in overrides:
            words += ["--set", override]
        return self.run(*words, *([] if converged else ["--no-converged"]))

    def sequences(self, scene, sweep):
        """The folder of a sweep's sequences, made if it is missing."""
        folder, file = ROOT / "data" / sweep, ROOT / f"models/{sweep}.sweep.toml"
        if self.quick:
            folder, short = self.folder / f"quick-{sweep}", self.folder / f"quick-{sweep}.sweep.toml"
            lines = file.read_text().splitlines()
            fewer = {"sequences": "sequences = 10", "frames": "frames = 4"}
            short.write_text("\n".join(fewer.get(line.split(" =")[0], line) for line in lines) + "\n")
            file = short
        subprocess.run([self.program, "generate", f"scenes/{scene}.toml", "--sweep", file, "-o", folder], check=True,
                       stdout=subprocess.DEVNULL, cwd=ROOT)
        return folder


def by_name(report):
    return {method["name"]: method for method in report["methods"]}


def cm(metres):
    return f"{100 * metres:.3g} cm"


def share(value):
    return "none" if value is None else f"{value:.2f}"


def goal_row(what, goal, ratio, detail):
    return (what, f"at most {goal:.3g} ×", f"{ratio:.2f} ×", "yes" if ratio <= goal else "**no**", detail)


def teacher_forced(measured):
    """On all held-out sequences of the sweeps that the networks were trained on."""
    held_out = {}
    for scene, sweep, goal in (("flag", "flag-many", 0.25), ("curtain", "curtain-many", 0.30), ("collision", "collision-many", 0.30)):
        report = measured.run("evaluate", f"scenes/{scene}.toml", "--sequences", measured.sequences(scene, sweep), "--part",
                              "test", "--methods", "bicubic,miniature,miniature:paper", "--json")
        methods = by_name(report)
        ours, paper = methods["miniature"], methods["miniature:paper"]
        held_out[scene] = ours["mean_error"]
        yield goal_row(f"teacher-forced, {scene}, held-out sequences, against bicubic", goal, ours["ratio"],
                       f"{len(report['files'])} sequence{'s' if len(report['files']) > 1 else ''}, {ours['min_ratio']:.2f}–{ours['max_ratio']:.2f} ×; "
                       f"{cm(ours['mean_error'])} against {cm(methods['bicubic']['mean_error'])}; the paper's features "
                       f"{paper['ratio']:.2f} × ({paper['min_ratio']:.2f}–{paper['max_ratio']:.2f})")
    opposite = by_name(measured.evaluate("flag-opposite", 100, "--methods", "miniature"))["miniature"]["teacher_forced_error"]
    yield goal_row("teacher-forced, opposite wind against the held-out flags", 1.4, opposite / held_out["flag"],
                   f"{cm(opposite)} against {cm(held_out['flag'])}")


def general(measured):
    """One model on scenes that it was never trained on; `tablecloth` is the cotton drape."""
    weights = f"upscaling.weights='{ROOT / 'models/miniature-general-x2-canonical.safetensors'}'"
    for scene, goal in (("twist", 0.6), ("cloth", 0.6), ("drape", 0.6), ("tablecloth", 0.6), ("scarf-silk", 0.6),
                        ("overstretch", 0.9)):
        methods = by_name(measured.evaluate(scene, 100, "--methods", "bicubic,miniature", overrides=[weights]))
        ours, bicubic = (methods[name]["teacher_forced_error"] for name in ("miniature", "bicubic"))
        yield goal_row(f"teacher-forced, general model on {scene}, against bicubic", goal, ours / bicubic,
                       f"{cm(ours)} against {cm(bicubic)}")


def meshes(measured):
    """The general hierarchy on irregular meshes that nothing was trained on, against the butterfly scheme it starts from."""
    weights = f"upscaling.weights='{ROOT / 'models/hierarchy-general-x4-canonical.safetensors'}'"
    for scene in ("disc-drape", "ell", "skirt-twirl"):
        report = measured.evaluate(scene, 100, "--methods", "butterfly,hierarchy", overrides=[weights])
        methods = by_name(report)
        ours, butterfly = methods["hierarchy"], methods["butterfly"]
        for what, figure in (("teacher-forced", "teacher_forced_error"), ("free-running", "mean_error_to_full")):
            floor = f", chaos floor {cm(report['chaos_floor'])}" if figure == "mean_error_to_full" else ""
            yield goal_row(f"{what}, general hierarchy on {scene}, against butterfly", 1.0, ours[figure] / butterfly[figure],
                           f"{cm(ours[figure])} against {cm(butterfly[figure])}{floor}")
        yield (f"wrinkle energy, general hierarchy on {scene}", "none", share(ours["wrinkle_energy"]), "–",
               f"butterfly {share(butterfly['wrinkle_energy'])}; flicker {share(ours['flicker'])}, butterfly {share(butterfly['flicker'])}; "
               f"{ours['intersections']:.0f} intersections")


def over_stretched(measured):
    methods = by_name(measured.evaluate("overstretch", 150, "--methods", "hierarchy:paper,hierarchy"))
    ours, theirs = (methods[name]["mean_error_to_full"] for name in ("hierarchy", "hierarchy:paper"))
    yield goal_row("hierarchy on overstretch, ours against the paper's", 0.5, ours / theirs, f"{cm(ours)} against {cm(theirs)}")


ABLATED = ("flag", "flag-small", "curtain", "collision", "twist", "cloth", "drape", "overstretch", "tablecloth", "scarf-silk")


def ablation(measured, scene):
    """The methods of the ablation, the scaling that has a calibration if any has, and the chaos floor."""
    report = measured.evaluate(scene, 250, "--ablation", "miniature")
    methods = by_name(report)
    return methods, "calibrated" if "miniature:calibrated" in methods else "similarity", report["chaos_floor"]


def same_coarse_cloth(measured):
    """The network against bicubic on the same coarse cloth, free-running."""
    for scene in ABLATED:
        methods, scaling, floor = ablation(measured, scene)
        ours, bicubic = methods[f"miniature:{scaling}"], methods[f"bicubic:{scaling}"]
        error, other = ours["mean_error_to_full"], bicubic["mean_error_to_full"]
        detail = f"{cm(error)} against {cm(other)}, chaos floor {cm(floor)}; {scaling}"
        row = goal_row(f"free-running, {scene}, against bicubic on the same coarse cloth", 0.8, error / other, detail)
        if floor > other / 2:  # then neither can be much nearer to full than another full run is
            row = (*row[:3], "chaotic: no goal", detail)
        yield row
        wrinkles, theirs = ours["wrinkle_energy"], bicubic["wrinkle_energy"]
        if wrinkles is None:
            yield (f"wrinkle energy, {scene}", "0.7–1.3 of full", "none", "–", "full has no wrinkles there")
        else:
            yield (f"wrinkle energy, {scene}", "0.7–1.3 of full", f"{wrinkles:.2f}",
                   "yes" if 0.7 <= wrinkles <= 1.3 else "**no**",
                   f"bicubic {theirs:.2f}; flicker {share(ours['flicker'])}, bicubic {share(bicubic['flicker'])}")


def ablation_table(measured):
    lines = ["| scene | coarse cloth | bilinear | bicubic | network |", "|---|---|---|---|---|"]
    for scene in ABLATED:
        methods, _, _ = ablation(measured, scene)
        for scaling in ("similarity", "calibrated"):
            if f"bicubic:{scaling}" in methods:
                cells = [cm(methods[f"{upscaling}:{scaling}"]["mean_error_to_full"])
                         for upscaling in ("bilinear", "bicubic", "miniature")]
                lines.append(f"| {scene} | {scaling} | " + " | ".join(cells) + " |")
    return lines


def ensemble_table(measured):
    """Chaotic flags as ensembles: what they look like, not where they are."""
    report = measured.run("evaluate", "scenes/flag.toml", "--methods", "admm:5,bicubic:calibrated,miniature,miniature:paper",
                          "--ensemble", 4 if measured.quick else 16, "--frames", measured.frames(250), "--json", "-o",
                          measured.folder / "ensemble")
    lines = [f"Flag, {report['seeds']} seeds, {report['frames']} frames; the row of full has the distances between its halves.", "",
             "| method | horizon [s] | wrinkle energy | flicker | strain distance [%] | curvature distance [1/m] | "
             "tip distance [cm] |", "|---|---|---|---|---|---|---|"]

    def interval(value):
        return f"{value['mean']:.3g} ± {value['half_width']:.2g}" if value else "–"

    for method in [report["full"], *report["methods"]]:
        name = "full" if method is report["full"] else method["name"]
        lines.append(f"| {name} | {interval(method['horizon'])} | {interval(method['figures']['wrinkle_energy'])} | "
                     f"{interval(method['figures']['flicker'])} | {100 * method['strain_distance']:.3g} | "
                     f"{method['curvature_distance']:.3g} | {100 * method['tip_distance']:.3g} |")
    return lines


def at_equal_cost(points, milliseconds):
    """The error of a solver at this cost, from (milliseconds, error) of its variants: interpolated on logarithmic axes
    between the nearest that costs no more and the nearest that costs no less. None if one side has no variant."""
    below = [point for point in points if point[0] <= milliseconds]
    above = [point for point in points if point[0] >= milliseconds]
    if not below or not above:
        return None
    low, high = max(below), min(above)
    if low[0] == high[0]:
        return low[1]
    share = math.log(milliseconds / low[0]) / math.log(high[0] / low[0])
    return low[1] * (high[1] / low[1]) ** share


def rival_at(solver, points, milliseconds):
    """The error of a solver at this cost, and what to say of it. The error is infinite if every variant costs more, and
    None if every one costs less: then nobody knows what more iterations would have done."""
    error = at_equal_cost(points, milliseconds)
    if error is not None:
        return error, f"{solver} {cm(error)}"
    if points and min(points)[0] > milliseconds:
        return math.inf, f"every {solver} costs more"
    return None, f"no {solver} costs as much"


SOLVERS = {"admm": [f"admm:{n}" for n in (1, 2, 3, 4, 5, 6, 8, 10, 14, 20)],
           "xpbd": [f"xpbd:{n}" for n in (1, 2, 3, 5, 8, 12, 20)]}
OTHERS = ["mass_spring", "bicubic:calibrated", "miniature:paper", "hierarchy", "hierarchy:paper"]


def equal_cost(measured):
    """To the converged solution at 49×73 over 10 s, against whatever else the same time buys."""
    variants = [variant for solver in SOLVERS.values() for variant in solver]
    for scene in ("curtain", "flag"):
        for name, stiffness, goal in (("soft", 30, 1.1), ("stiff", 400, 1 / 1.5 if scene == "curtain" else 1.0)):
            overrides = [f"cloth.{spring}.stiffness={stiffness}" for spring in ("stretch", "shear")]
            report = measured.evaluate(scene, EQUAL_COST_SECONDS * FRAME_RATE, "--methods",
                                       ",".join(variants + OTHERS + ["miniature"]), overrides=overrides, converged=True)
            methods = by_name(report)
            ours = methods["miniature"]
            error, cost = ours["mean_error_to_converged"], ours["ms_per_frame"]
            details = [f"{cm(error)} in {cost:.2f} ms"]
            rivals = []
            for solver, names in SOLVERS.items():
                points = [(methods[one]["ms_per_frame"], methods[one]["mean_error_to_converged"]) for one in names
                          if methods[one]["mean_error_to_converged"] is not None]
                rival, words = rival_at(solver, points, cost)
                rivals.append(rival)
                details.append(words)
            for other in OTHERS:
                figures = methods[other]
                details.append(f"{other} {cm(figures['mean_error_to_converged'])} in {figures['ms_per_frame']:.2f} ms"
                               if figures["mean_error_to_converged"] is not None else f"{other} diverged")
            what = f"to converged at equal cost, {name} {scene}, 49×73, {EQUAL_COST_SECONDS} s"
            if None in rivals:
                yield (what, f"at most {goal:.3g} ×", "–", "not comparable", "; ".join(details))
                continue
            row = goal_row(what, goal, error / min(rivals), "; ".join(details))
            if min(rivals) == math.inf:
                row = (*row[:2], "cheaper than all", "yes", row[4])
            busy = report["cpu_share"] < LEAST_CPU_SHARE
            yield (*row[:3], "the machine was busy: --fresh", row[4]) if busy else row


ROWS = {"teacher-forced": teacher_forced, "general": general, "meshes": meshes, "over-stretched": over_stretched,
        "same-coarse-cloth": same_coarse_cloth, "equal-cost": equal_cost}
TABLES = {"same-coarse-cloth": ("Free-running distance to full by coarse cloth and upscaling", ablation_table),
          "ensemble": ("Ensembles", ensemble_table)}
PARTS = ["teacher-forced", "general", "meshes", "over-stretched", "same-coarse-cloth", "ensemble", "equal-cost"]


def commit():
    try:
        found = subprocess.run(["git", "rev-parse", "--short", "HEAD"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT)
    except FileNotFoundError:
        return "unknown"
    return found.stdout.strip() or "unknown"


class Parts:
    """Finished parts, kept in the repository."""

    def __init__(self, file):
        self.file = file
        self.known = json.loads(file.read_text()) if file.exists() else {}

    def keep(self, part, rows, table):
        self.known[part] = {"commit": commit(), "date": datetime.date.today().isoformat(), "rows": rows, "table": table}
        part = self.file.with_suffix(".part")
        part.write_text(json.dumps(self.known, indent=1, ensure_ascii=False) + "\n")
        part.rename(self.file)


def measure(measured, parts, wanted):
    """The page, with every part that is wanted or already known."""
    for part in wanted:
        rows = [list(row) for row in ROWS[part](measured)] if part in ROWS else []
        parts.keep(part, rows, TABLES[part][1](measured) if part in TABLES else [])
    known = [part for part in PARTS if part in parts.known]
    lines = ["# Goals about errors", "",
             "Written by `benchmarks/accuracy.py BUILD_FOLDER`; [evaluation.md](../evaluation.md) explains the figures. Mean distances "
             "per particle. Nothing was trained on these sequences; speed is in `benchmarks/results/upscaling.json`. "
             "Networks with the paper's features learnt from the same sequences, for as many epochs as ours. "
             "[goals-history.md](goals-history.md) has older figures, of other weights, goals and scenes.", "",
             *(["**A trial of the script on a few frames: no figure here means anything.**", ""] if measured.quick else []),
             *remarks(), "| what | goal | measured | reached | in detail |", "|---|---|---|---|---|"]
    lines += ["| " + " | ".join(row) + " |" for part in known for row in parts.known[part]["rows"]]
    for part in known:
        if part in TABLES:
            lines += ["", f"## {TABLES[part][0]}", "", *parts.known[part]["table"]]
    lines += ["", "## When it was measured", "", "| part | commit | date |", "|---|---|---|"]
    lines += [f"| {part} | {parts.known[part]['commit']} | {parts.known[part]['date']} |" for part in known]
    missing = [part for part in PARTS if part not in parts.known]
    if missing:
        lines += ["", f"Not measured: {', '.join(missing)}."]
    return "\n".join(lines) + "\n"


def remarks():
    """What a person has to say of the figures, as paragraphs."""
    file = ROOT / "benchmarks/goals_remarks.md"
    return [file.read_text().strip(), ""] if file.exists() else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("page", nargs="?")
    parser.add_argument("--only", action="append", choices=PARTS)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--fresh", action="store_true")
    options = parser.parse_args()
    measured = Measurements(options.build, options.quick, options.fresh)
    usual = measured.folder / "quick.md" if options.quick else ROOT / "docs/results/goals.md"
    page = pathlib.Path(options.page or usual)
    kept = measured.folder / "quick.json" if options.quick else ROOT / "benchmarks/results/accuracy.json"
    text = measure(measured, Parts(kept), options.only or PARTS)
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text)
    print(text)


if __name__ == "__main__":
    main()

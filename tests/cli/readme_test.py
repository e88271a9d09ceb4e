#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands under "Use" in the README, one after the other in an empty folder, as a new user types them. Only their
length is changed: fewer frames, and no converged solution, which takes minutes."""
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

from support import PROGRAM, ROOT

LONG = ("train", "reproduce", "view")  # minutes to hours, or until Ctrl-C; their own tests run them


def commands():
    use = (ROOT / "README.md").read_text().split("## Use\n")[1].split("\n## ")[0]
    return [shlex.split(line, comments=True) for line in use.splitlines() if line.startswith("    build/tulle ")]


def shorter(words):
    """The same command with few frames."""
    words = list(words)
    if words[1] in ("simulate", "evaluate"):
        if "--frames" not in words:
            words += ["--frames", "0"]
        recorded = "time.frame_rate=3200" in words  # to be identified
        words[words.index("--frames") + 1] = "40" if recorded else "4"
    if words[1] == "evaluate":
        words += ["--no-converged", "--no-pictures"]
    return words


class ReadmeTest(unittest.TestCase):
    def test_every_command_works_as_it_is_printed(self):
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            for name in ("scenes", "models"):
                (folder / name).symlink_to(ROOT / name)
            run = [words for words in commands() if words[1] not in LONG]
            self.assertGreater(len(run), 8)
            for words in run:
                command = [str(pathlib.Path(PROGRAM).resolve()), *shorter(words)[1:]]
                done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, f"{words}: {done.stderr}")
            made = {path.name for path in (folder / "out").iterdir()}
            self.assertLessEqual({"fast.h5", "flag.h5", "storm.mp4", "storm.usda", "coarse.pc2", "fine.pc2", "mended.h5",
                                  "fabric.toml", "report", "flag.png", "flag.glb"}, made)

    def test_every_file_that_a_command_of_the_documents_reads_is_there_or_made_before(self):
        pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
        kept = {"out/flag.h5"}  # by the first commands of the README and of scenes.md
        for page in pages:
            made = set(kept)
            for line in page.read_text().splitlines():
                match = re.match(r"^(?:    )?(?:build/)?tulle (simulate|upscale|project|identify|render|export) .*", line)
                if not match:
                    continue
                words = shlex.split(line.strip(), comments=True)
                for place, word in enumerate(words):
                    if not re.search(r"\.(toml|h5|pc2|obj|safetensors)$", word) or words[place - 1] == "-o":
                        continue
                    stem = re.sub(r"/\*$", "", str(pathlib.Path(word).with_suffix("")))
                    known = (ROOT / word).exists() or word in made or stem in made or page.name == "force-cell.md"
                    self.assertTrue(known, f"{page.name}: {word} in `{line.strip()}`")
                if "-o" in words:
                    output = pathlib.Path(words[words.index("-o") + 1])
                    made |= {str(output), str(output.with_suffix(""))}


if __name__ == "__main__":
    unittest.main(argv=["readme_test"])

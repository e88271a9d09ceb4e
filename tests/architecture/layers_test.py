#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on an include that points up the layers, on a folder that is not in the table, and on a CMake arrow that the
table does not allow.

usage: layers_test.py SOURCE_FOLDER
"""
import pathlib
import re
import sys


def read_table(path):
    table = {}
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            folder, below = line.split(":")
            table[folder.strip()] = set(below.split())
    return table


def wrong_includes(library, table):
    pattern = re.compile(r'#\s*include\s*"tulle/(\w+)/')
    for path in sorted(library.rglob("*")):
        if path.suffix not in (".h", ".cpp", ".inl"):
            continue
        folder = path.relative_to(library).parts[0]
        if path.parent == library:
            continue  # the umbrella header sees everything
        if folder not in table:
            yield f"{path}: folder '{folder}' is not in layers.txt"
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = pattern.search(line)
            if found and found[1] != folder and found[1] not in table[folder]:
                yield f"{path}:{number}: {folder} may not include {found[1]}"


def wrong_arrows(library, table):
    text = (library / "CMakeLists.txt").read_text()
    for folder, arguments in re.findall(r"tulle_library\((\w+)([^)]*)\)", text):
        below = re.search(r"DEPENDS((?:\s+[a-z_]+)*)", arguments)
        for other in below[1].split() if below else []:
            if other not in table.get(folder, set()):
                yield f"CMakeLists.txt: {folder} may not depend on {other}"


def wrong_sizes(library):
    for path in sorted(library.rglob("*")):
        if path.suffix in (".h", ".cpp", ".inl") and "generated" not in path.parts:
            lines = path.read_text().count("\n")
            if lines > 300:
                yield f"{path}: {lines} lines; split it (the house's limit is 300)"


def main():
    root = pathlib.Path(sys.argv[1])
    library = root / "src" / "tulle"
    table = read_table(root / "tests" / "architecture" / "layers.txt")
    problems = [*wrong_includes(library, table), *wrong_arrows(library, table), *wrong_sizes(library)]
    print("\n".join(problems) or "the layers hold")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs everything into a temporary folder, builds a tiny project against it with find_package(tulle), and runs it and
the installed program.

usage: install_test.py BUILD_FOLDER SOURCE_FOLDER
"""
import pathlib
import subprocess
import sys
import tempfile


def run(*command, folder=None):
    print("+", *command, flush=True)
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, cwd=folder).stdout


def main():
    build, source = map(pathlib.Path, sys.argv[1:3])
    with tempfile.TemporaryDirectory() as temporary:
        prefix, consumer = f"{temporary}/prefix", f"{temporary}/consumer"
        run("cmake", "--install", str(build), "--prefix", prefix)
        run("cmake", "-S", str(source / "tests/install/consumer"), "-B", consumer, "-G", "Ninja",
            f"-DCMAKE_PREFIX_PATH={prefix}", f"-DEXAMPLE={source / 'examples/simulate_flag.cpp'}", "-DCMAKE_BUILD_TYPE=Release")
        run("cmake", "--build", consumer)
        output = run(f"{consumer}/consumer", f"{prefix}/share/tulle/scenes/flag.toml")
        print(output)
        assert output.count("corner at") == 5, "the example must report five positions"
        installed = run(f"{prefix}/bin/tulle", "info", f"{prefix}/share/tulle/scenes/flag.toml")
        assert "3577 vertices" in installed, installed
        # The weights are installed too, and found from any folder.
        run(f"{prefix}/bin/tulle", "simulate", f"{prefix}/share/tulle/scenes/flag.toml", "--method", "miniature",
            "--frames", "2", "-o", f"{temporary}/flag.h5", folder=temporary)
        run(f"{prefix}/bin/tulle", "upscale", f"{temporary}/flag.h5", "-o", f"{temporary}/fine.pc2", folder=temporary)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs everything into a temporary folder, builds a tiny project against it with find_package(tulle), and runs it and
the installed program.

usage: install_test.py BUILD_FOLDER SOURCE_FOLDER
"""
import os
import pathlib
import subprocess
import sys
import tempfile


def run(*command, folder=None):
    print("+", *command, flush=True)
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, cwd=folder).stdout


def check_weights(prefix, folder):
    """They are found from any folder, then where $TULLE_MODELS says; and if they are nowhere, the message says where it looked."""
    tulle, models = f"{prefix}/bin/tulle", pathlib.Path(prefix, "share/tulle/models")
    run(tulle, "simulate", f"{prefix}/share/tulle/scenes/flag.toml", "--method", "miniature", "--frames", "2", "-o", "flag.h5",
        "--export", "pc2", folder=folder)
    upscale = [tulle, "upscale", "flag.pc2", "--mesh", "flag.obj", "-o", "fine.pc2"]
    run(*upscale, folder=folder)
    moved = models.rename(folder / "moved")
    nowhere = dict(os.environ)
    nowhere.pop("TULLE_MODELS", None)
    refused = subprocess.run(upscale, cwd=folder, env=nowhere, text=True, capture_output=True)
    assert refused.returncode == 1 and f"{models}," in refused.stderr, refused.stderr
    subprocess.run(upscale, cwd=folder, env=dict(nowhere, TULLE_MODELS=str(moved)), check=True)


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
        work = pathlib.Path(temporary, "work")
        work.mkdir()
        check_weights(prefix, work)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`tulle view` from outside: its address, its page, its end, and what it says if something is missing. The wire itself is
tested in tests/view."""
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.request

from support import PROGRAM, SMALL_SCENE


class ViewTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)
        (self.folder / "small.toml").write_text(SMALL_SCENE)
        (self.folder / "page").mkdir()
        (self.folder / "page" / "index.html").write_text("<html>the page</html>")
        self.environment = {**os.environ, "TULLE_PAGE": str(self.folder / "page"), "XDG_RUNTIME_DIR": str(self.folder)}
        self.program = str(pathlib.Path(PROGRAM).resolve())

    def start(self, *words):
        server = subprocess.Popen([self.program, "view", *words, "--no-browser"], cwd=self.folder, env=self.environment,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(server.kill)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.stderr.close)
        return server, server.stdout.readline().strip()

    def fail_with(self, *words, code=1):
        done = subprocess.run([self.program, "view", *words, "--no-browser"], cwd=self.folder, env=self.environment,
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def test_it_prints_an_address_that_works_and_ends_with_an_interrupt(self):
        server, address = self.start("small.toml")
        self.assertRegex(address, r"^http://127\.0\.0\.1:\d+/\?token=[0-9a-f]{32}$")
        self.assertIn("the page", urllib.request.urlopen(address).read().decode())
        server.send_signal(signal.SIGINT)
        self.assertEqual(server.wait(30), 0)

    def test_the_token_stays_for_a_login_and_differs_between_files(self):
        first, address = self.start("small.toml")
        second, other = self.start("small.toml")  # on the next port
        token = re.search(r"token=(\w+)", address)[1]
        self.assertIn(token, other)
        self.assertNotEqual(address, other)
        _, third = self.start("small.toml", "--token-file", "own")
        self.assertNotIn(token, third)

    def test_other_names_of_the_machine_are_refused(self):
        _, address = self.start("small.toml")
        request = urllib.request.Request(address, headers={"Host": "evil.example"})
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request)
        self.assertEqual(refused.exception.code, 403)
        refused.exception.close()

    def test_listening_elsewhere_is_said_clearly(self):
        server, _ = self.start("small.toml", "--listen", "0.0.0.0")
        self.assertIn("Other machines can reach this", server.stdout.readline())

    def test_without_a_page_it_says_how_to_get_one(self):
        (self.folder / "page" / "index.html").unlink()
        self.assertIn("./dev view", self.fail_with("small.toml"))

    def test_what_cannot_be_shown_ends_in_a_sentence(self):
        self.assertIn("nowhere.toml", self.fail_with("nowhere.toml"))
        self.assertIn("nowhere.h5", self.fail_with("nowhere.h5"))
        self.assertIn("unknown method", self.fail_with("small.toml", "--methods", "magic"))
        self.assertIn("at most 4", self.fail_with("small.toml", "--methods", "admm,admm,admm,admm,admm", code=2))
        self.assertIn("--compare", self.fail_with("small.toml", "--compare", "a.h5", code=2))
        with socket.create_server(("127.0.0.1", 0)) as taken:
            self.assertIn("--port", self.fail_with("small.toml", "--port", str(taken.getsockname()[1])))

    def test_replay_wants_a_recording(self):
        run = lambda *words: subprocess.run([self.program, "simulate", *words], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(run().returncode, 2)
        self.assertEqual(run("small.toml", "--replay", "x.h5").returncode, 2)
        (self.folder / "x.inputs.json").write_text("{}")
        broken = run("--replay", "x.h5")
        self.assertEqual(broken.returncode, 1)
        self.assertIn("x.inputs.json", broken.stderr)


if __name__ == "__main__":
    unittest.main(argv=["view_test"])

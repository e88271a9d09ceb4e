#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs `tulle view` for a long time with a client that never reads, and fails if the memory of the server grows.

usage: view_soak.py TULLE [MINUTES]
"""
import base64
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time

WARM_UP = 0.1  # part of the time after which memory is compared
GROWTH = 16    # [MB] that an allocator may still come to need


def connect(address):
    host, port, token = re.fullmatch(r"http://([\d.]+):(\d+)/\?token=(\w+)", address).groups()
    client = socket.create_connection((host, int(port)))
    key = base64.b64encode(os.urandom(16)).decode()
    client.sendall((f"GET /live?token={token} HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: http://{host}:{port}\r\n"
                    f"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                    f"Sec-WebSocket-Key: {key}\r\n\r\n").encode())
    if not client.recv(12).startswith(b"HTTP/1.1 101"):
        sys.exit("the server does not let the client in")
    return client


def has_ended(client):
    """Whether the server has closed the connection; nothing is read from it."""
    states = pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
    local = client.getsockname()[1]
    for line in states:
        fields = line.split()
        if int(fields[1].split(":")[1], 16) == local:
            return fields[3] != "01"  # established
    return True


def megabytes(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def watch(server, address, seconds):
    client, ends, samples, connections = connect(address), time.time() + seconds, [], 1
    while time.time() < ends:
        time.sleep(min(5, seconds / 20))
        if server.poll() is not None:
            sys.exit("the server has ended")
        samples.append(megabytes(server.pid))
        if has_ended(client):
            client.close()
            client, connections = connect(address), connections + 1
    return samples, connections


def main():
    program, minutes = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 30
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "index.html").write_text("no page is needed")
        server = subprocess.Popen([program, "view", "scenes/flag.toml", "--no-browser", "--token-file", f"{folder}/token"],
                                  stdout=subprocess.PIPE, text=True, env={**os.environ, "TULLE_PAGE": folder})
        try:
            samples, connections = watch(server, server.stdout.readline().strip(), 60 * minutes)
        finally:
            server.terminate()
            server.wait(20)
    settled = samples[int(WARM_UP * len(samples)):]
    growth = max(settled) - settled[0]
    print(f"{minutes:g} minutes, {connections} connections that did not read: {settled[0]:.1f} MB, at most {growth:+.1f} MB more")
    if growth > GROWTH:
        sys.exit("the memory of the server grows")


main()

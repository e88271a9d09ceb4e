# SPDX-License-Identifier: Apache-2.0
# An independent reader of PC2 point caches: read_pc2.py FILE.pc2 EXPECTED, with EXPECTED as read_cache.py knows it.
import struct
import sys

import numpy as np

from expected import read_expected

with open(sys.argv[1], "rb") as file:
    data = file.read()
signature, version, points, start, rate, samples = struct.unpack_from("<12siiffi", data)
assert signature == b"POINTCACHE2\0", signature
expected = read_expected(sys.argv[2])
assert (version, start, rate) == (1, 0.0, 1.0)
assert (samples, points) == expected.positions.shape[:2]
assert len(data) == 32 + 12 * samples * points
frames = np.frombuffer(data, "<f4", offset=32).reshape(samples, points, 3)
for frame in range(samples):
    x, y, z = expected.positions[frame].astype("f4").T
    turned = np.stack([x, y, z] if expected.is_y_up else [x, z, -y], axis=1)
    assert np.array_equal(frames[frame], turned), frame
print(f"{samples} frames are the same")

# SPDX-License-Identifier: Apache-2.0
# What was written into a cache, as raw f64 numbers; see write_expected in support.cpp.
from types import SimpleNamespace

import numpy as np


def read_expected(path):
    numbers = np.fromfile(path, dtype="<f8")
    vertices, frames, colliders, triangles = (int(n) for n in numbers[:4])
    result = SimpleNamespace(frame_rate=numbers[4], is_y_up=numbers[5] != 0)
    start = 6 + 3 * triangles + 2 * vertices
    for _ in range(colliders):
        start += 1 + 3 * int(numbers[start])
    rows = numbers[start:].reshape(frames, 1 + 6 * vertices + 16 * colliders)
    result.times = rows[:, 0]
    result.positions = rows[:, 1 : 1 + 3 * vertices].reshape(frames, vertices, 3)
    result.velocities = rows[:, 1 + 3 * vertices : 1 + 6 * vertices].reshape(frames, vertices, 3)
    result.transforms = rows[:, 1 + 6 * vertices :].reshape(frames, colliders, 4, 4)
    return result

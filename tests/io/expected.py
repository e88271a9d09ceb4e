# SPDX-License-Identifier: Apache-2.0
# What was written into a cache, as raw f64 numbers; see write_expected in support.cpp.
from types import SimpleNamespace

import numpy as np


def read_expected(path):
    numbers = np.fromfile(path, dtype="<f8")
    vertices, frames, colliders, triangles = (int(n) for n in numbers[:4])
    result = SimpleNamespace(frame_rate=numbers[4], is_y_up=numbers[5] != 0)
    start = 6 + 3 * triangles + 2 * vertices
    sizes = []  # numbers of each collider in a frame; a transform is 4×4
    result.deforms = []
    for _ in range(colliders):
        count, deforms = int(numbers[start]), numbers[start + 1] != 0
        sizes.append(3 * count if deforms else 16)
        result.deforms.append(deforms)
        start += 2 + 3 * count
    rows = numbers[start:].reshape(frames, 1 + 6 * vertices + sum(sizes))
    result.times = rows[:, 0]
    result.positions = rows[:, 1 : 1 + 3 * vertices].reshape(frames, vertices, 3)
    result.velocities = rows[:, 1 + 3 * vertices : 1 + 6 * vertices].reshape(frames, vertices, 3)
    result.colliders = []  # of each, its transforms or its positions at every frame
    start = 1 + 6 * vertices
    for size, deforms in zip(sizes, result.deforms):
        result.colliders.append(rows[:, start : start + size].reshape((frames, -1, 3) if deforms else (frames, 4, 4)))
        start += size
    return result

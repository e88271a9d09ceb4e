#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the meshes beside this file; needs numpy."""
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).parent


def write_obj(name, comment, vertices, triangles, tex_coords=None):
    lines = ["# " + comment + "; made by make_meshes.py"]
    lines += ["v {:.6f} {:.6f} {:.6f}".format(*v) for v in vertices]
    if tex_coords is not None:
        lines += ["vt {:.6f} {:.6f}".format(*t) for t in tex_coords]
        lines += ["f {0}/{0} {1}/{1} {2}/{2}".format(*(t + 1)) for t in triangles]
    else:
        lines += ["f {} {} {}".format(*(t + 1)) for t in triangles]
    (FOLDER / name).write_text("\n".join(lines) + "\n")


def disc(rings):
    """Rings of 6, 12, 18 … points around a centre, and the triangles between them."""
    points, triangles, start = [(0.0, 0.0)], [], [0]
    for ring in range(1, rings + 1):
        start.append(len(points))
        angles = 2 * np.pi * np.arange(6 * ring) / (6 * ring)
        points += list(zip(ring / rings * np.cos(angles), ring / rings * np.sin(angles)))
    for ring in range(1, rings + 1):
        outer = lambda i: start[ring] + i % (6 * ring)
        inner = lambda i: start[ring - 1] + (i % (6 * (ring - 1)) if ring > 1 else 0)
        for sector in range(6):
            for i in range(ring):
                o, n = sector * ring + i, sector * (ring - 1) + i
                triangles.append((outer(o), outer(o + 1), inner(n)))
                if i + 1 < ring:
                    triangles.append((inner(n), outer(o + 1), inner(n + 1)))
    return np.array(points), np.array(triangles)


def in_circle(a, b, c, d):
    rows = np.array([a - d, b - d, c - d])
    return np.linalg.det(np.column_stack([rows, (rows**2).sum(axis=1)])) > 1e-14


def delaunay_by_flips(points, triangles):
    """Lawson's flips: an inner edge whose other diagonal is better is turned, until none is left."""
    triangles = [tuple(t) for t in triangles]
    owner = {(t[i], t[(i + 1) % 3]): n for n, t in enumerate(triangles) for i in range(3)}
    queue = list(owner)
    while queue:
        a, b = queue.pop()
        if (a, b) not in owner or (b, a) not in owner:
            continue
        one, two = owner[a, b], owner[b, a]
        c = next(v for v in triangles[one] if v not in (a, b))
        d = next(v for v in triangles[two] if v not in (a, b))
        if not in_circle(points[a], points[b], points[c], points[d]):
            continue
        del owner[a, b], owner[b, a]
        triangles[one], triangles[two] = (c, a, d), (d, b, c)
        for n in (one, two):
            for i in range(3):
                owner[triangles[n][i], triangles[n][(i + 1) % 3]] = n
        queue += [(c, a), (a, d), (d, b), (b, c)]
    return np.array(triangles)


def tablecloth(name, rings):
    side = 1.1
    points, triangles = disc(rings)
    # A superellipse: nearly a square, with rounded corners.
    angle = np.arctan2(points[:, 1], points[:, 0])
    points = points / (np.abs(np.cos(angle)) ** 6 + np.abs(np.sin(angle)) ** 6)[:, None] ** (1 / 6)
    inside = np.arange(len(points)) < 1 + 3 * (rings - 1) * rings
    random = np.random.default_rng(1)
    points[inside] += random.uniform(-0.35 / rings, 0.35 / rings, (inside.sum(), 2))
    triangles = delaunay_by_flips(points, triangles)
    vertices = np.column_stack([side / 2 * points, np.zeros(len(points))])
    write_obj(name, "a tablecloth of 1.1 m", vertices, triangles, points / 2 + 0.5)


def table():
    """A round table top with a rounded rim on one leg with a foot, turned on a lathe."""
    rim = [(0.38 + 0.02 * np.sin(a), 0.70 + 0.02 * np.cos(a)) for a in np.linspace(0, np.pi, 9)]
    profile = [(0.2, 0.72)] + rim + [(0.05, 0.68), (0.04, 0.66), (0.04, 0.06), (0.06, 0.03), (0.22, 0.02), (0.22, 0.0)]
    around = 64
    angles = 2 * np.pi * np.arange(around) / around
    vertices = [(r * np.cos(a), r * np.sin(a), z) for r, z in profile for a in angles]
    triangles = []
    for ring in range(len(profile) - 1):
        for i in range(around):
            a, b = ring * around + i, ring * around + (i + 1) % around
            triangles += [(a, a + around, b + around), (a, b + around, b)]
    top, bottom, last = len(vertices), len(vertices) + 1, (len(profile) - 1) * around
    vertices += [(0, 0, profile[0][1]), (0, 0, profile[-1][1])]
    for i in range(around):
        triangles += [(top, i, (i + 1) % around), (bottom, last + (i + 1) % around, last + i)]
    write_obj("table.obj", "a round table of 0.8 m, 0.72 m high, closed", np.array(vertices), np.array(triangles))


def geodesic_sphere(frequency):
    """The faces of an icosahedron, each cut into frequency² triangles, blown up to radius 1."""
    golden = (1 + 5**0.5) / 2
    corners = np.array([(x, y * golden, 0) for x in (-1, 1) for y in (-1, 1)])
    corners = np.concatenate([np.roll(corners, k, axis=1) for k in range(3)])
    near = np.linalg.norm(corners[:, None] - corners, axis=2) < 2.1
    faces = [(a, b, c) for a in range(12) for b in range(a) for c in range(b) if near[a, b] and near[b, c] and near[c, a]]
    vertices, triangles, numbers = [], [], {}

    def number(point):
        key = tuple(np.round(point / np.linalg.norm(point), 6) + 0.0)
        if key not in numbers:
            numbers[key] = len(vertices)
            vertices.append(key)
        return numbers[key]

    for a, b, c in corners[np.array(faces)]:
        if np.dot(np.cross(b - a, c - a), a) < 0:
            b, c = c, b
        place = lambda i, j: number(a + (b - a) * i / frequency + (c - a) * j / frequency)
        for i in range(frequency):
            for j in range(frequency - i):
                triangles.append((place(i, j), place(i + 1, j), place(i, j + 1)))
                if i + j < frequency - 1:
                    triangles.append((place(i + 1, j), place(i + 1, j + 1), place(i, j + 1)))
    return np.array(vertices), np.array(triangles)


def swelling_ball():
    """Keys of a ball that swells, grows three bumps, leans over and shrinks."""
    sphere, triangles = geodesic_sphere(6)
    around = np.arctan2(sphere[:, 1], sphere[:, 0])
    bumps = 0.4 * (1 - sphere[:, 2] ** 2) * np.cos(3 * around)
    keys = [(0.20, 0, 0), (0.20, 0, 0), (0.30, 0, 0), (0.28, 1, 0), (0.28, 1, 0.18), (0.18, 0, 0.05)]  # radius, bumps, lean
    for number, (radius, height, lean) in enumerate(keys):
        vertices = radius * sphere * (1 + height * bumps)[:, None]
        vertices[:, 0] += lean * (1 + sphere[:, 2])
        write_obj(f"swelling-ball-{number}.obj", f"key {number} of a ball that swells", vertices, triangles)


def delaunay(points):
    """Bowyer's and Watson's way: each point in turn empties the circles it lies in, and the hole is filled from it."""
    far = 100 * np.abs(points).max()
    points = np.concatenate([points, [(-far, -far), (far, -far), (0, far)]])
    count = len(points) - 3
    triangles = {(count, count + 1, count + 2)}
    for new in range(count):
        hit = [t for t in triangles if in_circle(*points[list(t)], points[new])]
        sides = {(t[i], t[(i + 1) % 3]) for t in hit for i in range(3)}
        triangles -= set(hit)
        triangles |= {(a, b, new) for a, b in sides if (b, a) not in sides}
    return np.array(sorted(t for t in triangles if max(t) < count))


def fill(outlines, spacing, inside, seed):
    """Irregular points inside of outlines, about spacing(place) apart: darts that are too near to others are thrown away,
    and then each point goes twice to the middle of its neighbours. Returns all points, the outlines' first, and triangles."""
    random = np.random.default_rng(seed)
    fixed = np.concatenate(outlines)
    points = list(fixed)
    low, high = fixed.min(axis=0), fixed.max(axis=0)
    for dart in random.uniform(low, high, (6000, 2)):
        if inside(dart) and np.linalg.norm(np.array(points) - dart, axis=1).min() > 0.8 * spacing(dart):
            points.append(dart)
    points = np.array(points)
    for rounds_left in (2, 1, 0):
        triangles = np.array([t for t in delaunay(points) if inside(points[t].mean(axis=0))])
        if rounds_left == 0:
            return points, triangles
        middles, counts = np.zeros_like(points), np.zeros(len(points))
        for t in triangles:
            for i in range(3):
                middles[t[i]] += points[t[i - 1]]
                counts[t[i]] += 1
        points[len(fixed):] = (middles / counts[:, None])[len(fixed):]


def circle(radius, spacing):
    count = round(2 * np.pi * radius / spacing)
    angles = 2 * np.pi * np.arange(count) / count
    return radius * np.column_stack([np.cos(angles), np.sin(angles)])


def polygon(corners, spacing):
    sides = zip(corners, np.roll(corners, -1, axis=0))
    return np.concatenate([np.linspace(a, b, max(1, round(np.linalg.norm(b - a) / spacing)), endpoint=False) for a, b in sides])


def graded_disc():
    """Triangles three times as large in the middle as at the rim."""
    radius = 0.45
    spacing = lambda place: 0.15 - 0.09 * np.linalg.norm(place) / radius
    points, triangles = fill([circle(radius, 0.06)], spacing, lambda place: np.linalg.norm(place) < 0.995 * radius, seed=2)
    write_obj("graded-disc.obj", "a round cloth of 0.9 m", np.column_stack([points, np.zeros(len(points))]), triangles)


def holed_ell():
    """An L of 0.9 m with a round hole in its corner, in the plane y = 0."""
    corners = np.array([(0, 0), (0.9, 0), (0.9, 0.45), (0.45, 0.45), (0.45, 0.9), (0, 0.9)]) - 0.45
    middle, radius = np.array([-0.225, -0.225]), 0.09

    def inside(place):
        in_ell = (np.abs(place) < 0.449).all() and (place < 0.001).any()
        return in_ell and np.linalg.norm(place - middle) > 1.02 * radius

    outlines = [polygon(corners, 0.085), middle + circle(radius, 0.07)]
    points, triangles = fill(outlines, lambda place: 0.085, inside, seed=3)
    vertices = np.column_stack([points[:, 0], np.zeros(len(points)), points[:, 1]])
    write_obj("holed-ell.obj", "an L of 0.9 m with a hole", vertices, triangles)


def flared_skirt():
    """A flat cone from the waist to the hem, nearly a full circle of cloth. Its pattern is a part of a ring; angle and
    logarithm of the radius keep the shapes of small triangles, and in them it is a strip whose ends meet."""
    waist, hem, height = 0.11, 0.46, 0.16
    slant = np.hypot(hem - waist, height)
    full = 2 * np.pi * (hem - waist) / slant  # [rad] how much of a ring
    random = np.random.default_rng(4)
    strip = []
    for number, radius in enumerate([waist, 0.17, 0.235, 0.305, 0.38, hem]):
        count = round(12 + 14 * (radius - waist) / (hem - waist))
        angles = full * (np.arange(count) + 0.5 * (number % 2)) / count
        logarithms = np.full(count, np.log(radius))
        if radius not in (waist, hem):
            angles += random.uniform(-0.3, 0.3, count) * full / count
            logarithms += random.uniform(-0.3, 0.3, count) * full / count
        strip.append(np.column_stack([angles, logarithms]))
    strip = np.concatenate(strip)
    turned = np.concatenate([strip, strip - (full, 0), strip + (full, 0)])
    triangles = delaunay(turned)
    middles = turned[triangles].mean(axis=1)
    triangles = triangles[(middles[:, 0] >= 0) & (middles[:, 0] < full)] % len(strip)
    around, radius = strip[:, 0] * 2 * np.pi / full, np.exp(strip[:, 1])
    heights = (hem - radius) / (hem - waist) * height
    write_obj("flared-skirt.obj", "a skirt, nearly a full circle",
              np.column_stack([radius * np.cos(around), radius * np.sin(around), heights]), triangles[:, ::-1])


if __name__ == "__main__":
    tablecloth("tablecloth.obj", rings=24)
    tablecloth("tablecloth-coarse.obj", rings=11)
    table()
    swelling_ball()
    graded_disc()
    holed_ell()
    flared_skirt()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Solves min Σ ½k|r − r̂|² s.t. |r_a − r_b| ≤ c with CVXOPT, an independent interior-point method, and prints the
objective. The file has the numbers of vertices and edges, then k, fixed, r̂ of each vertex, then a, b, c of each edge."""
import sys

from cvxopt import matrix, solvers, spmatrix

numbers = open(sys.argv[1]).read().split()
next_number = iter(numbers)
read = lambda: float(next(next_number))
vertices, edges = int(read()), int(read())
weights, targets, column = [], [], []
free = 0
for _ in range(vertices):
    weights.append(read())
    fixed = read()
    targets.append([read() for _ in range(3)])
    column.append(None if fixed else free)
    free += not fixed

# Variables: the free positions relative to their targets, scaled so that numbers are near one.
scale = 1e-2
rows, columns, values, offsets, sizes = [], [], [], [], []
row = 0
for _ in range(edges):
    a, b, limit = int(read()), int(read()), read()
    if column[a] is None and column[b] is None:
        continue
    offsets.append(limit / scale)
    for c in range(3):
        # s = h − G x is (limit, d): d = d̂ + x_a − x_b.
        offsets.append((targets[a][c] - targets[b][c]) / scale)
        for vertex, sign in ((a, -1.0), (b, 1.0)):
            if column[vertex] is not None:
                rows.append(row + 1 + c)
                columns.append(3 * column[vertex] + c)
                values.append(sign)
    row += 4
    sizes.append(4)
quadratic = spmatrix([weights[v] for v in range(vertices) if column[v] is not None for _ in range(3)],
                     range(3 * free), range(3 * free))
solvers.options.update(show_progress=False, abstol=1e-9, reltol=1e-8, feastol=1e-9)
found = solvers.coneqp(quadratic, matrix(0.0, (3 * free, 1)), spmatrix(values, rows, columns, (row, 3 * free)),
                       matrix(offsets), {"l": 0, "q": sizes, "s": []})
if found["status"] != "optimal":
    sys.exit("CVXOPT: " + found["status"])
print(repr(found["primal objective"] * scale * scale))

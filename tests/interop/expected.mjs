// SPDX-License-Identifier: Apache-2.0
// What was written into the cache, as the tests put it beside an export: f64 numbers, see write_expected in
// tests/io/support.cpp. World coordinates; `upAxis` says which axis is up in them.
import assert from "node:assert/strict";
import fs from "node:fs";

export function readExpected(path) {
  const bytes = fs.readFileSync(path);
  const numbers = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8);
  let cursor = 0;
  const take = (count) => numbers.subarray(cursor, (cursor += count));
  const [vertices, frames, colliderCount, triangleCount, frameRate, isYUp] = take(6);
  const expected = { vertices, frames, frameRate, upAxis: isYUp ? "Y" : "Z", colliders: [], deforms: [], frame: [] };
  expected.triangles = take(3 * triangleCount);
  expected.uv = take(2 * vertices);
  for (let c = 0; c < colliderCount; ++c) {
    const [count, deforms] = take(2);
    expected.colliders.push(take(3 * count));
    expected.deforms.push(deforms !== 0);
  }
  for (let f = 0; f < frames; ++f) {
    const [time] = take(1);
    const frame = { time, positions: take(3 * vertices), velocities: take(3 * vertices), transforms: [], places: [] };
    for (let c = 0; c < colliderCount; ++c) {  // a rigid collider has a transform, a deforming one its places
      frame.transforms.push(expected.deforms[c] ? null : take(16));
      frame.places.push(expected.deforms[c] ? take(expected.colliders[c].length) : null);
    }
    expected.frame.push(frame);
  }
  assert.equal(cursor, numbers.length);
  return expected;
}

// Area-weighted vertex normals, written again here so that they do not come from the program under test.
export function vertexNormals(positions, triangles) {
  const normals = new Float64Array(positions.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]].map((v) => positions.subarray(3 * v, 3 * v + 3));
    const p = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const q = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    const n = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
    for (let corner = 0; corner < 3; ++corner)
      for (let i = 0; i < 3; ++i) normals[3 * triangles[t + corner] + i] += n[i];
  }
  for (let v = 0; v < normals.length; v += 3) {
    const length = Math.hypot(normals[v], normals[v + 1], normals[v + 2]);
    for (let i = 0; i < 3; ++i) normals[v + i] /= length;
  }
  return normals;
}

// Where vertex v of collider c is in the world.
export function colliderPoint(expected, frame, c, v) {
  if (expected.deforms[c]) return Array.from(frame.places[c].subarray(3 * v, 3 * v + 3));
  return transformed(frame.transforms[c], ...expected.colliders[c].subarray(3 * v, 3 * v + 3));
}

// Row-major 4×4 times a point.
export function transformed(matrix, x, y, z) {
  const row = (r) => matrix[4 * r] * x + matrix[4 * r + 1] * y + matrix[4 * r + 2] * z + matrix[4 * r + 3];
  return [row(0), row(1), row(2)];
}

export function toYUp([x, y, z], upAxis) {
  return upAxis === "Y" ? [x, y, z] : [x, z, -y];
}

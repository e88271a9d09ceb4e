// SPDX-License-Identifier: Apache-2.0
// read_usd.mjs FILE.usda EXPECTED: three.js's USDAParser reads the points, velocities, normals, box and colliders of
// every frame, and its USDLoader makes a scene of them.
import assert from "node:assert/strict";
import fs from "node:fs";
import { USDAParser } from "three/examples/jsm/loaders/usd/USDAParser.js";
import { USDLoader } from "three/examples/jsm/loaders/USDLoader.js";
import { readExpected, transformed, vertexNormals } from "./expected.mjs";

const [file, expectedFile] = process.argv.slice(2);
const text = fs.readFileSync(file, "utf8");
const expected = readExpected(expectedFile);
const specs = new USDAParser().parseData(text).specsByPath;
const layer = new USDAParser().parseText(text)["#usda 1.0"];

const field = (path) => {
  assert.ok(specs[path], `${path} is missing`);
  return specs[path].fields;
};

// The value of every frame.
function samples(path) {
  const { times, values } = field(path).timeSamples;
  assert.deepEqual(times, [...Array(expected.frames).keys()]);
  return values;
}

function sameFloats(read, written, what) {
  assert.equal(read.length, written.length, what);
  for (let i = 0; i < read.length; ++i) assert.equal(Math.fround(read[i]), Math.fround(written[i]), `${what}, number ${i}`);
}

function checkLayer() {
  const root = field("/");
  assert.equal(root.upAxis, expected.upAxis);
  assert.equal(root.metersPerUnit, 1);
  assert.equal(root.timeCodesPerSecond, expected.frameRate);
  assert.equal(root.framesPerSecond, expected.frameRate);
  assert.equal(root.defaultPrim, "World");
  assert.equal(Number(layer.startTimeCode), 0);
  assert.equal(Number(layer.endTimeCode), expected.frames - 1);
}

function checkCloth() {
  const counts = field("/World/Cloth.faceVertexCounts").default;
  const corners = field("/World/Cloth.faceVertexIndices").default;
  assert.ok(counts.every((count) => count === 4)); // the examples are grids
  const triangles = counts.flatMap((_, f) => {
    const [a, b, c, d] = corners.slice(4 * f, 4 * f + 4);
    return [a, b, c, a, c, d];
  });
  assert.deepEqual(triangles, Array.from(expected.triangles));
  assert.equal(field("/World/Cloth.subdivisionScheme").default, "none");
  sameFloats(field("/World/Cloth.primvars:st").default, expected.uv, "uv");
  const points = samples("/World/Cloth.points");
  const velocities = samples("/World/Cloth.velocities");
  const normals = samples("/World/Cloth.normals");
  const extents = samples("/World/Cloth.extent");
  expected.frame.forEach(({ positions, velocities: written }, f) => {
    sameFloats(points[f], positions, `points of frame ${f}`);
    sameFloats(velocities[f], written, `velocities of frame ${f}`);
    vertexNormals(positions, expected.triangles).forEach((n, i) => assert.ok(Math.abs(normals[f][i] - n) < 1e-5, `normals of frame ${f}`));
    for (let i = 0; i < 3; ++i) {
      const column = Array.from(positions).filter((_, k) => k % 3 === i).map(Math.fround);
      assert.equal(Math.fround(extents[f][i]), Math.min(...column));
      assert.equal(Math.fround(extents[f][3 + i]), Math.max(...column));
    }
  });
}

// USD's matrices stand to the right of row vectors.
function checkColliders() {
  const names = field("/World/Colliders").primChildren ?? Object.keys(specs).filter((path) => /^\/World\/Colliders\/\w+$/.test(path)).map((path) => path.split("/").pop());
  assert.equal(names.length, expected.colliders.length);
  names.forEach((name, c) => {
    const path = `/World/Colliders/${name}`;
    if (expected.deforms[c]) {
      samples(`${path}.points`).forEach((points, f) => sameFloats(points, expected.frame[f].places[c], `${name} at frame ${f}`));
      return;
    }
    sameFloats(field(`${path}.points`).default, expected.colliders[c], name);
    const transform = field(`${path}.xformOp:transform`);
    expected.frame.forEach(({ transforms }, f) => {
      const read = transform.default ?? transform.timeSamples.values[f];
      const transposed = Array.from({ length: 16 }, (_, i) => read[4 * (i % 4) + Math.floor(i / 4)]);
      const [x, y, z] = expected.colliders[c];
      const [p, q] = [transformed(transposed, x, y, z), transformed(transforms[c], x, y, z)];
      p.forEach((value, i) => assert.ok(Math.abs(value - q[i]) < 1e-12, `${name} at frame ${f}`));
    });
  });
}

checkLayer();
checkCloth();
if (expected.colliders.length > 0) checkColliders();
const cloth = new USDLoader().parse(text).getObjectByName("Cloth");
assert.ok(cloth?.isMesh && cloth.geometry.attributes.position.count >= expected.vertices);
console.log(`${expected.frames} frames are the same`);

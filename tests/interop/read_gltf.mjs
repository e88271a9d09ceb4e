// SPDX-License-Identifier: Apache-2.0
// read_gltf.mjs FILE.glb EXPECTED: the Khronos validator finds nothing, and three.js plays the animation and has the
// vertices, normals and colliders of the cache at every frame.
import assert from "node:assert/strict";
import fs from "node:fs";
import { AnimationMixer, LoopOnce, Matrix3, Vector3 } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import validator from "gltf-validator";
import { colliderPoint, readExpected, toYUp, vertexNormals } from "./expected.mjs";

// three.js tells browsers how far the buffer of a .gltf file is; Node does not know such events.
globalThis.ProgressEvent ??= class ProgressEvent extends Event {};

const [file, expectedFile] = process.argv.slice(2);
const bytes = fs.readFileSync(file);
const expected = readExpected(expectedFile);
const greatest = { position: 0, degrees: 0, collider: 0, deforming: 0 };

async function validate() {
  const { issues } = await validator.validateBytes(new Uint8Array(bytes), { maxIssues: 20 });
  assert.equal(issues.numErrors + issues.numWarnings, 0, JSON.stringify(issues.messages, null, 1));
}

function load() {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  return new Promise((resolve, reject) => new GLTFLoader().parse(buffer, "", resolve, reject));
}

const point = new Vector3();

// Half a unit of the 16-bit numbers along each axis, and what three.js rounds to f32 [m].
const isPlain = (node) => node.geometry.attributes.position.array instanceof Float32Array;
const toleranceOf = (node) => (isPlain(node) ? 0 : (0.5 * Math.sqrt(3) * node.scale.x) / 32767) + 1e-6;

// Modifiers and physics of other programs go wrong on nodes that are scaled or turned.
function checkNode(node) {
  if (!isPlain(node)) return;
  assert.deepEqual(node.scale.toArray(), [1, 1, 1]);
  assert.deepEqual(node.quaternion.toArray(), [0, 0, 0, 1]);
  assert.deepEqual(node.position.toArray(), [0, 0, 0]);
}

function checkPositions(cloth, frame) {
  for (let v = 0; v < expected.vertices; ++v) {
    cloth.getVertexPosition(v, point).applyMatrix4(cloth.matrixWorld);
    const [x, y, z] = toYUp(frame.positions.subarray(3 * v, 3 * v + 3), expected.upAxis);
    greatest.position = Math.max(greatest.position, point.distanceTo({ x, y, z }));
  }
}

// As the vertex shader does: base plus weighted differences, turned by the node, normalised.
function checkNormals(cloth, frame) {
  const normals = vertexNormals(frame.positions, expected.triangles);
  const toWorld = new Matrix3().getNormalMatrix(cloth.matrixWorld);
  const { attributes, morphAttributes } = cloth.geometry;
  const used = [...(cloth.morphTargetInfluences ?? []).entries()].filter(([, weight]) => weight !== 0);
  const difference = new Vector3();
  for (let v = 0; v < expected.vertices; ++v) {
    point.fromBufferAttribute(attributes.normal, v);
    for (const [k, weight] of used)
      point.addScaledVector(difference.fromBufferAttribute(morphAttributes.normal[k], v), weight);
    point.applyMatrix3(toWorld).normalize();
    const [x, y, z] = toYUp(normals.subarray(3 * v, 3 * v + 3), expected.upAxis);
    const angle = (Math.acos(Math.min(1, point.dot({ x, y, z }))) * 180) / Math.PI;
    greatest.degrees = Math.max(greatest.degrees, angle);
  }
}

function checkColliders(colliders, frame) {
  colliders.forEach((collider, c) => {
    const rest = expected.colliders[c];
    assert.equal(collider.geometry.attributes.position.count, rest.length / 3);
    for (let v = 0; v < rest.length / 3; ++v) {
      collider.getVertexPosition(v, point).applyMatrix4(collider.matrixWorld);
      const [x, y, z] = toYUp(colliderPoint(expected, frame, c, v), expected.upAxis);
      const distance = point.distanceTo({ x, y, z });
      if (expected.deforms[c]) greatest.deforming = Math.max(greatest.deforming, distance / toleranceOf(collider));
      else greatest.collider = Math.max(greatest.collider, distance);
    }
  });
}

function checkStatic(cloth) {
  assert.deepEqual(Array.from(cloth.geometry.index.array), Array.from(expected.triangles));
  const uv = cloth.geometry.attributes.uv;
  for (let v = 0; v < expected.vertices; ++v) {
    assert.equal(uv.getX(v), Math.fround(expected.uv[2 * v]));
    assert.ok(Math.abs(1 - uv.getY(v) - expected.uv[2 * v + 1]) < 1e-6);
  }
}

// Half way between two frames the cloth is half way between them.
function checkBetween(gltf, seek, cloth) {
  const [a, b] = [expected.frame[0].positions, expected.frame[1].positions];
  seek(0.5 / expected.frameRate);
  for (let v = 0; v < expected.vertices; ++v) {
    cloth.getVertexPosition(v, point).applyMatrix4(cloth.matrixWorld);
    const middle = [0, 1, 2].map((i) => (a[3 * v + i] + b[3 * v + i]) / 2);
    const [x, y, z] = toYUp(middle, expected.upAxis);
    assert.ok(point.distanceTo({ x, y, z }) < 1e-3);
  }
}

await validate();
const gltf = await load();
const [cloth, ...colliders] = gltf.scene.children;
assert.equal(cloth.name, "Cloth");
assert.equal(colliders.length, expected.colliders.length);
checkStatic(cloth);
checkNode(cloth);

let seek = () => gltf.scene.updateMatrixWorld(true);
if (expected.frames > 1) {
  assert.equal(gltf.animations.length, 1);
  const mixer = new AnimationMixer(gltf.scene);
  const action = mixer.clipAction(gltf.animations[0]);
  action.setLoop(LoopOnce);
  action.clampWhenFinished = true;
  seek = (time) => {
    action.reset().play();
    mixer.setTime(time);
    gltf.scene.updateMatrixWorld(true);
  };
  checkBetween(gltf, seek, cloth);
} else {
  assert.equal(gltf.animations.length, 0);
}
const times = gltf.animations[0]?.tracks.find((track) => track.name.endsWith("morphTargetInfluences")).times ?? [0];
assert.equal(times.length, expected.frames);
expected.frame.forEach((frame, f) => {
  assert.ok(Math.abs(times[f] - f / expected.frameRate) < 1e-5);
  seek(times[f]);
  checkPositions(cloth, frame);
  checkNormals(cloth, frame);
  checkColliders(colliders, frame);
});
const tolerance = toleranceOf(cloth);
assert.ok(greatest.position <= tolerance, `positions are off by ${greatest.position} m, more than ${tolerance}`);
assert.ok(greatest.degrees < 1.7, `normals are off by ${greatest.degrees} degrees`);
assert.ok(greatest.collider < 2e-6, `colliders are off by ${greatest.collider} m`);
assert.ok(greatest.deforming <= 1, `a deforming collider is off by ${greatest.deforming} times its tolerance`);
const used = cloth.geometry.morphAttributes.normal?.[0].array.constructor.name ?? "none";
console.log(
  `${expected.frames} frames are the same: positions within ${(1e6 * greatest.position).toFixed(1)} µm, ` +
    `normals within ${greatest.degrees.toFixed(2)} degrees (${used})`,
);

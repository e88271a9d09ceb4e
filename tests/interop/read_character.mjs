// SPDX-License-Identifier: Apache-2.0
// read_character.mjs FILE.glb EXPECTED: three.js plays the first animation of a skinned character, and every vertex is
// where we say at every frame, to 1e-5 m. EXPECTED: see write_expected in tests/io/read_gltf_test.cpp.
import assert from "node:assert/strict";
import fs from "node:fs";
import { AnimationMixer, LoopOnce, Vector3 } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";

const [file, expectedFile] = process.argv.slice(2);
const bytes = fs.readFileSync(file);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const gltf = await new Promise((resolve, reject) => new GLTFLoader().parse(buffer, "", resolve, reject));

const raw = fs.readFileSync(expectedFile);
const numbers = new Float64Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength));
let cursor = 0;
const take = (count) => numbers.subarray(cursor, (cursor += count));
const [vertices, frames] = take(2);
const rest = take(3 * vertices);
const places = new Map();
for (let v = 0; v < vertices; ++v) places.set(rest.subarray(3 * v, 3 * v + 3).join(), v);

let mesh;
gltf.scene.traverse((object) => {
  if (object.isSkinnedMesh) mesh = object;
});
assert.ok(mesh, "no skinned mesh");
const mixer = new AnimationMixer(gltf.scene);
const action = mixer.clipAction(gltf.animations[0]);
action.setLoop(LoopOnce);
action.clampWhenFinished = true;
action.play();

const point = new Vector3();
const position = mesh.geometry.attributes.position;
const seen = new Set();
let greatest = 0;
let farthest = 0;
for (let f = 0; f < frames; ++f) {
  const [time] = take(1);
  const posed = take(3 * vertices);
  mixer.setTime(time);
  gltf.scene.updateMatrixWorld(true);
  mesh.skeleton.update();
  for (let i = 0; i < position.count; ++i) {
    const v = places.get([position.getX(i), position.getY(i), position.getZ(i)].join());
    assert.ok(v !== undefined, "a vertex is missing");
    seen.add(v);
    mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld);
    const [x, y, z] = posed.subarray(3 * v, 3 * v + 3);
    greatest = Math.max(greatest, point.distanceTo({ x, y, z }));
    farthest = Math.max(farthest, Math.hypot(x - rest[3 * v], y - rest[3 * v + 1], z - rest[3 * v + 2]));
  }
}
assert.equal(seen.size, vertices);
assert.ok(farthest > 0.1, "nothing moves");
assert.ok(greatest < 1e-5, `vertices are up to ${greatest} m apart`);
console.log(`${vertices} vertices, ${frames} frames: at most ${greatest.toExponential(1)} m apart`);

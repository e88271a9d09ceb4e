// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { BufferPool } from "../../../apps/viewer/src/buffer_pool";
import { buffersOf, FrameReader, isFrame, isTopology, readHeader, readTopology } from "../../../apps/viewer/src/decode";
import { writeFrame, writeTopology } from "./messages";

const TRIANGLE = new Uint32Array([0, 1, 2]);
const FLAT = [0, 0, 0, 65535, 0, 0, 0, 65535, 0]; // counter-clockwise seen from +z

function makeReader(pool = new BufferPool()): FrameReader {
    return new FrameReader(pool, () => TRIANGLE, () => 7);
}

test("Positions are spread over the box of the frame", () => {
    const frame = makeReader().read(writeFrame({ quantised: FLAT, least: [1, 2, 3], size: [2, 4, 8] }));
    assert.deepEqual([...frame.positions], [1, 2, 3, 3, 2, 3, 1, 6, 3]);
});

test("Normals point to the side from which a triangle is counter-clockwise", () => {
    const frame = makeReader().read(writeFrame({ quantised: FLAT }));
    assert.deepEqual([...frame.normals.slice(0, 3)], [0, 0, 127]);
});

test("Everything after an odd number of bytes is found, because blocks are padded", () => {
    const frame = makeReader().read(writeFrame({
        quantised: FLAT, scalars: [0, 100, 255], scalarRange: [-0.5, 0.5], panel: 3, frame: 17, seq: 4_000_000_000, time: 1.25,
        poses: [{ collider: 2, translation: [1, 2, 3], rotation: [0, 0, 0, 1] }],
        grabs: [{ pointer: 1, vertex: 2, point: [0.5, 0, 0], target: [0, 0.5, 0] }],
        deforming: [{ collider: 4, least: [0, 0, 1], size: [1, 1, 1], quantised: FLAT },
                    { collider: 5, least: [0, 0, 2], size: [1, 1, 1], quantised: FLAT }],
    }));
    assert.equal(frame.panel, 3);
    assert.equal(frame.frame, 17);
    assert.equal(frame.seq, 4_000_000_000);
    assert.equal(frame.time, 1.25);
    assert.deepEqual([...frame.scalars!], [0, 100, 255]);
    assert.deepEqual(frame.scalarRange, [-0.5, 0.5]);
    assert.deepEqual(frame.rigid, [{ collider: 2, translation: [1, 2, 3], rotation: [0, 0, 0, 1] }]);
    assert.deepEqual(frame.grabs, [{ pointer: 1, vertex: 2, point: [0.5, 0, 0], target: [0, 0.5, 0] }]);
    assert.deepEqual(frame.deforming.map(({ collider, positions }) => [collider, positions[2]]), [[4, 1], [5, 2]]);
});

test("A frame that does not follow from the one before says so", () => {
    assert.equal(readHeader(writeFrame({ quantised: FLAT })).follows, true);
    assert.equal(readHeader(writeFrame({ quantised: FLAT, flags: 2 })).follows, false);
});

test("A topology has triangles, and texture coordinates and positions where it says so", () => {
    const cloth = readTopology(writeTopology({ panel: 1, topology: 9, vertices: 3, triangles: [0, 1, 2], uv: [0, 1, 1, 1, 0, 0] }));
    assert.equal(cloth.panel, 1);
    assert.equal(cloth.topology, 9);
    assert.deepEqual([...cloth.triangles], [0, 1, 2]);
    assert.deepEqual([...cloth.uv!], [0, 1, 1, 1, 0, 0]);
    assert.equal(cloth.positions, null);
    const ball = readTopology(writeTopology({ panel: 255, topology: 10, collider: 6, vertices: 3, triangles: [2, 1, 0], positions: FLAT }));
    assert.equal(ball.panel, null);
    assert.equal(ball.collider, 6);
    assert.deepEqual([...ball.positions!], FLAT);
});

test("Messages are told apart by their first byte", () => {
    const frame = writeFrame({ quantised: FLAT }), topology = writeTopology({ panel: 0, topology: 1, vertices: 3, triangles: [0, 1, 2] });
    assert.deepEqual([isFrame(frame), isTopology(frame)], [true, false]);
    assert.deepEqual([isFrame(topology), isTopology(topology)], [false, true]);
});

test("A second frame is read into the buffers of the first", () => {
    const pool = new BufferPool(), reader = makeReader(pool), message = writeFrame({ quantised: FLAT, scalars: [1, 2, 3] });
    const first = buffersOf(reader.read(message));
    pool.give(first);
    const second = buffersOf(reader.read(message));
    assert.equal(second.length, 3);
    for (const buffer of second) assert.ok(first.includes(buffer));
});

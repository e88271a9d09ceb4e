// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Surface } from "../../../apps/viewer/src/decode";
import { BlendedSurface } from "../../../apps/viewer/src/scene/blended_surface";

const surfaceAt = (x: number): Surface => ({ positions: new Float32Array(9).fill(x), normals: new Int8Array(12).fill(10 * x) });

function makeSurface(): BlendedSurface {
    const surface = new BlendedSurface(3, new Uint32Array([0, 1, 2]));
    surface.show(surfaceAt(0), false);
    return surface;
}

test("A surface that does not glide is the newest frame at once", () => {
    const surface = makeSurface();
    surface.show(surfaceAt(4), false);
    assert.equal(surface.shownPositions[0], 4);
});

test("A surface that glides begins where it is and ends at the newest frame", () => {
    const surface = makeSurface();
    surface.show(surfaceAt(4), true);
    for (const [part, expected] of [[0, 0], [0.25, 1], [1, 4]]) {
        surface.advance(part);
        assert.equal(surface.shownPositions[5], expected);
    }
});

test("A frame that comes early takes over from where the surface is", () => {
    const surface = makeSurface();
    surface.show(surfaceAt(4), true);
    surface.advance(0.5);
    surface.show(surfaceAt(8), true);
    surface.advance(0.5);
    assert.equal(surface.shownPositions[0], 5);
});

test("Every buffer comes back once, however frames replace and glide", () => {
    const surface = makeSurface(), given: ArrayBuffer[] = [], back: ArrayBuffer[] = [];
    for (const glide of [false, true, true, false, false, true, false]) {
        const frame = surfaceAt(1);
        given.push(frame.positions.buffer as ArrayBuffer, frame.normals.buffer as ArrayBuffer);
        back.push(...surface.show(frame, glide));
    }
    assert.equal(new Set(back).size, back.length);
    assert.equal(back.filter((buffer) => given.includes(buffer)).length, given.length - 2);
});

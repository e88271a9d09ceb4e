// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { hitPlane, hitTriangles, pointAt, type Ray } from "../../../apps/viewer/src/ray";
import { dot, subtract, type Vec3 } from "../../../apps/viewer/src/vector";

// Two unit squares of two triangles each, one above the other.
const POSITIONS = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1]);
const TRIANGLES = new Uint32Array([0, 1, 2, 2, 1, 3, 4, 5, 6, 6, 5, 7]);
const down = (x: number, y: number): Ray => ({ origin: [x, y, 5], direction: [0, 0, -1] });

function near(actual: readonly number[], expected: readonly number[]): void {
    actual.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 1e-6, `${actual} is not ${expected}`));
}

test("The nearest of several layers is hit, from either side", () => {
    assert.equal(hitTriangles(down(0.2, 0.3), POSITIONS, TRIANGLES)?.triangle, 2);
    const fromBelow: Ray = { origin: [0.2, 0.3, -5], direction: [0, 0, 1] };
    assert.equal(hitTriangles(fromBelow, POSITIONS, TRIANGLES)?.triangle, 0);
});

test("The weights of a hit give its point back", () => {
    const ray: Ray = { origin: [2, 3, 4], direction: [-0.4, -0.7, -1.05] };
    const hit = hitTriangles(ray, POSITIONS, TRIANGLES)!;
    const corners = [0, 1, 2].map((i) => 3 * TRIANGLES[3 * hit.triangle + i]);
    const point = [0, 1, 2].map((axis) => corners.reduce((sum, corner, i) => sum + hit.weights[i] * POSITIONS[corner + axis], 0));
    near(point, pointAt(ray, hit.distance));
    near([hit.weights[0] + hit.weights[1] + hit.weights[2]], [1]);
});

test("A ray beside the cloth, away from it or along it hits nothing", () => {
    assert.equal(hitTriangles(down(1.5, 0.5), POSITIONS, TRIANGLES), null);
    assert.equal(hitTriangles({ origin: [0.2, 0.2, 5], direction: [0, 0, 1] }, POSITIONS, TRIANGLES), null);
    assert.equal(hitTriangles({ origin: [-1, 0.5, 0], direction: [1, 0, 0] }, POSITIONS, TRIANGLES), null);
});

test("What is dragged stays in the plane in which it was grabbed", () => {
    const start: Vec3 = [0.3, 0.1, 1], normal: Vec3 = [0.2, 0.9, -0.1];
    for (const direction of [[0.1, 1, 0.2], [-0.3, 0.8, 0.1]] as Vec3[]) {
        const point = hitPlane({ origin: [0, -4, 1], direction }, start, normal)!;
        near([dot(subtract(point, start), normal)], [0]);
    }
});

test("A pointer that does not move drags to where it grabbed", () => {
    const ray: Ray = { origin: [0.5, -4, 3], direction: [0, 0.8, -0.5] };
    const hit = hitTriangles(ray, POSITIONS, TRIANGLES)!;
    const start = pointAt(ray, hit.distance);
    near(hitPlane(ray, start, ray.direction)!, start);
});

test("A plane that is seen from its edge is not hit", () => {
    assert.equal(hitPlane({ origin: [0, 0, 1], direction: [1, 0, 0] }, [0, 0, 0], [0, 0, 1]), null);
});

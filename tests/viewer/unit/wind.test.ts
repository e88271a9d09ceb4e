// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { dot, length, scale, type Vec3 } from "../../../apps/viewer/src/vector";
import { discOf, tipOf, turned, windFor } from "../../../apps/viewer/src/wind_math";

const UP: Vec3 = [0, 0, 1];
const VIEW = { up: UP, right: [0.8, 0.6, 0] as Vec3, forward: [-0.5, 0.67, -0.55] as Vec3 };

function near(actual: Vec3, expected: Vec3): void {
    actual.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 1e-9, `${actual} is not ${expected}`));
}

test("The arrow that is drawn for a wind is dragged back to the same wind", () => {
    const disc = discOf(VIEW);
    for (const wind of [[6, 2, 0], [-3, 0.5, 2], [0, -12, -1]] as Vec3[])
        near(windFor(tipOf(wind, 20, disc), 20, disc, scale(UP, dot(wind, UP))), wind);
});

test("An arrow to the right of the screen is a wind to the right of the camera", () => {
    const wind = windFor([0.5, 0], 20, discOf(VIEW), [0, 0, 0]);
    near(scale(wind, 1 / length(wind)), VIEW.right);
});

test("An arrow up the screen is a wind away from the visitor", () => {
    assert.ok(dot(windFor([0, 0.3], 20, discOf(VIEW), [0, 0, 0]), VIEW.forward) > 0);
});

test("No wind is stronger than the most that the scene allows", () => {
    const disc = discOf(VIEW);
    for (const tip of [[5, 5], [1, 0], [-3, 0.2]] as [number, number][])
        assert.ok(length(windFor(tip, 20, disc, [0, 0, 9])) <= 20 + 1e-9);
});

test("Turning the wind keeps its speed and what blows upwards", () => {
    const wind = turned([6, 2, 1], UP, 0.7);
    assert.ok(Math.abs(length(wind) - length([6, 2, 1])) < 1e-9);
    assert.equal(wind[2], 1);
});

// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { degrees, sayJoint, turned } from "../../../apps/viewer/src/joint_angles";

test("A slider changes one angle of a joint, and never beyond its limits", () => {
    const elbow = { name: "left_elbow", low: [0, 0, -0.7] as const, high: [2.007, 0, 0.7] as const };
    const bent = turned(elbow, [0, 0, 0.1], 0, 90);
    assert.deepEqual([bent[0].toFixed(4), bent[1], bent[2]], ["1.5708", 0, 0.1]);
    assert.equal(turned(elbow, bent, 0, degrees(2.007) + 1)[0], 2.007);
    assert.equal(turned(elbow, bent, 2, -60)[2], -0.7);
    assert.equal(sayJoint(elbow.name), "left elbow");
});

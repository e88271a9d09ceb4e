// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { LatencyMeter } from "../../../apps/viewer/src/latency";
import { SeenFrames } from "../../../apps/viewer/src/seen";
import { placeOf, valueAt, type SliderRange } from "../../../apps/viewer/src/slider_scale";
import { bestColumns } from "../../../apps/viewer/src/ui/layout";
import { amount, short, times } from "../../../apps/viewer/src/ui/format";

test("Every input counts once, when the first frame that shows it is drawn", () => {
    const meter = new LatencyMeter();
    meter.sent(1, 100);
    meter.sent(2, 110);
    meter.sent(3, 120);
    meter.drawn(2, 150);
    assert.equal(meter.count, 2);
    assert.equal(meter.median, 45);
    meter.drawn(3, 200);
    assert.equal(meter.median, 50);
});

test("Inputs that went to a connection which was lost do not count", () => {
    const meter = new LatencyMeter();
    meter.sent(1, 0);
    meter.forget();
    meter.drawn(9, 5000);
    assert.equal(meter.median, null);
});

test("Gaps between numbers are skipped frames, except after a jump and in another panel", () => {
    const seen = new SeenFrames(), header = { panel: 0, topology: 1, frame: 0, follows: false };
    seen.note(header);
    seen.note({ ...header, frame: 1, follows: true });
    seen.note({ ...header, frame: 4, follows: true });
    assert.deepEqual(seen.of(0), { received: 3, skipped: 2, undrawn: 0 });
    seen.note({ ...header, frame: 90 });
    seen.note({ ...header, topology: 2, frame: 200, follows: true });
    seen.note({ ...header, panel: 1, frame: 50, follows: true });
    assert.equal(seen.of(0).skipped, 2);
    assert.equal(seen.of(1).skipped, 0);
});

test("Sliders give back the values that they show", () => {
    const log: SliderRange = { min: 0.1, max: 10, scale: "log" }, whole: SliderRange = { min: 1, max: 100, integer: true };
    assert.equal(placeOf(1, log), 500);
    for (const value of [0.1, 1, 10]) assert.equal(valueAt(placeOf(value, log), log), value);
    for (const value of [1, 20, 99, 100]) assert.equal(valueAt(placeOf(value, whole), whole), value);
});

test("Sliders never leave their range", () => {
    for (const range of [{ min: 0.137, max: 9.999, scale: "log" }, { min: -3.14159, max: 3.14159 }] as SliderRange[])
        for (const place of [-5, 0, 1000, 1005]) {
            const value = valueAt(place, range);
            assert.ok(value >= range.min && value <= range.max);
        }
});

test("Two panels are side by side on a screen and one below the other on a phone", () => {
    assert.equal(bestColumns(2, 950, 640), 2);
    assert.equal(bestColumns(2, 390, 640), 1);
    assert.equal(bestColumns(4, 950, 640), 2);
});

test("Numbers have as many figures as they need", () => {
    assert.deepEqual([0.19, 1.337, 9.996, 12.64, 99.96].map(short), ["0.19", "1.34", "10.0", "12.6", "100"]);
    assert.deepEqual([2.54, 9.96, 31.2].map(times), ["2.5×", "10×", "31×"]);
});

test("Steps of a legend have the unit that suits their size", () => {
    assert.deepEqual([0.00123, 0.234, 2].map((value) => amount("error", value)), ["1.23 mm", "23.4 cm", "2.00 m"]);
    assert.deepEqual([amount("speed", 2), amount("strain", 0.05)], ["2.00 m/s", "5.0 %"]);
});

// SPDX-License-Identifier: Apache-2.0
// The wind as an arrow on a tilted disc, which lies as the ground does in the visitor's view. Lengths go with the square
// root of the speed, so that a breeze is an arrow too.
import { add, dot, length, scale, subtract, type Vec3 } from "./vector";

export interface View {
    up: Vec3; // of the scene
    right: Vec3; // of the camera
    forward: Vec3; // of the camera
}

export interface Disc {
    across: Vec3; // horizontal, to the right of the screen
    away: Vec3; // horizontal, away from the visitor
    tilt: number; // how much of its depth is seen: 1 from above
}

const LEAST_TILT = 0.42;

function unit(a: Vec3): Vec3 {
    return scale(a, 1 / length(a));
}

export function discOf({ up, right, forward }: View): Disc {
    const across = unit(subtract(right, scale(up, dot(right, up))));
    const away: Vec3 = [
        up[1] * across[2] - up[2] * across[1], up[2] * across[0] - up[0] * across[2], up[0] * across[1] - up[1] * across[0],
    ];
    return { across, away, tilt: Math.max(LEAST_TILT, Math.abs(dot(forward, up))) };
}

// Where the tip of the arrow is on the screen, with y upwards, for a disc of radius 1.
export function tipOf(wind: Vec3, max: number, disc: Disc): [number, number] {
    const x = dot(wind, disc.across), y = dot(wind, disc.away), speed = Math.hypot(x, y);
    const reach = speed > 0 ? Math.sqrt(Math.min(1, speed / max)) / speed : 0;
    return [x * reach, y * reach * disc.tilt];
}

// The wind for a tip that was dragged there; what blows up or down stays.
export function windFor(tip: readonly [number, number], max: number, disc: Disc, vertical: Vec3): Vec3 {
    const x = tip[0], y = tip[1] / disc.tilt, reach = Math.hypot(x, y);
    if (reach === 0) return vertical;
    const horizontalMax = Math.sqrt(Math.max(0, max * max - dot(vertical, vertical)));
    const speed = Math.min(horizontalMax, max * reach * reach);
    const direction = add(scale(disc.across, x / reach), scale(disc.away, y / reach));
    return add(scale(direction, speed), vertical);
}

export function turned(wind: Vec3, up: Vec3, angle: number): Vec3 {
    const vertical = scale(up, dot(wind, up)), flat = subtract(wind, vertical);
    const sideways: Vec3 = [up[1] * flat[2] - up[2] * flat[1], up[2] * flat[0] - up[0] * flat[2], up[0] * flat[1] - up[1] * flat[0]];
    return add(vertical, add(scale(flat, Math.cos(angle)), scale(sideways, Math.sin(angle))));
}

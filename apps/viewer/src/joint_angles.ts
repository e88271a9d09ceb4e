// SPDX-License-Identifier: Apache-2.0
// Angles of joints: radians on the wire, degrees for people.
import type { Joint } from "./protocol";
import type { Vec3 } from "./vector";

export const degrees = (radians: number): number => Math.round((180 * radians) / Math.PI);

// The joint's angles with one of them changed to so many degrees. A slider ends at whole ones, perhaps beyond the joint's end.
export function turned({ low, high }: Joint, angles: Vec3, axis: number, value: number): Vec3 {
    const next: [number, number, number] = [...angles];
    next[axis] = Math.min(high[axis], Math.max(low[axis], (value * Math.PI) / 180));
    return next;
}

export const sayJoint = (name: string): string => name.replaceAll("_", " ");

// SPDX-License-Identifier: Apache-2.0
// Three numbers, and what is done with them outside of the graphics library.
export type Vec3 = readonly [number, number, number];

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const within = (a: Vec3, most: number): Vec3 => (length(a) > most ? scale(a, most / length(a)) : a);
export const length = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);

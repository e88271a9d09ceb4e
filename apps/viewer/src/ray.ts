// SPDX-License-Identifier: Apache-2.0
// Where a ray meets triangles and planes.
import { add, dot, scale, subtract, type Vec3 } from "./vector";

export interface Ray {
    readonly origin: Vec3; // [m]
    readonly direction: Vec3;
}

export interface TriangleHit {
    readonly distance: number; // along the ray, in lengths of its direction
    readonly triangle: number;
    readonly weights: Vec3; // barycentric coordinates of the point
}

export function pointAt(ray: Ray, distance: number): Vec3 {
    return add(ray.origin, scale(ray.direction, distance));
}

// The nearest triangle that the ray meets from either side (Möller and Trumbore 1997). It is one loop over plain numbers,
// because a cloth may have two million triangles.
export function hitTriangles(ray: Ray, positions: Float32Array, triangles: Uint32Array): TriangleHit | null {
    const [ox, oy, oz] = ray.origin;
    const [dx, dy, dz] = ray.direction;
    let distance = Infinity, triangle = -1, hitU = 0, hitV = 0;
    for (let t = 0; t < triangles.length; t += 3) {
        const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
        const ax = positions[a], ay = positions[a + 1], az = positions[a + 2];
        const e1x = positions[b] - ax, e1y = positions[b + 1] - ay, e1z = positions[b + 2] - az;
        const e2x = positions[c] - ax, e2y = positions[c + 1] - ay, e2z = positions[c + 2] - az;
        const px = dy * e2z - dz * e2y, py = dz * e2x - dx * e2z, pz = dx * e2y - dy * e2x;
        const determinant = e1x * px + e1y * py + e1z * pz;
        if (determinant === 0) continue;
        const inverse = 1 / determinant;
        const sx = ox - ax, sy = oy - ay, sz = oz - az;
        const u = (sx * px + sy * py + sz * pz) * inverse;
        if (!(u >= 0 && u <= 1)) continue;
        const qx = sy * e1z - sz * e1y, qy = sz * e1x - sx * e1z, qz = sx * e1y - sy * e1x;
        const v = (dx * qx + dy * qy + dz * qz) * inverse;
        if (!(v >= 0 && u + v <= 1)) continue;
        const along = (e2x * qx + e2y * qy + e2z * qz) * inverse;
        if (along > 0 && along < distance) {
            distance = along;
            triangle = t / 3;
            hitU = u;
            hitV = v;
        }
    }
    return triangle < 0 ? null : { distance, triangle, weights: [1 - hitU - hitV, hitU, hitV] };
}

// Where the ray meets the plane, also behind its origin; null if they are parallel.
export function hitPlane(ray: Ray, point: Vec3, normal: Vec3): Vec3 | null {
    const slope = dot(ray.direction, normal);
    if (Math.abs(slope) < 1e-9) return null;
    return pointAt(ray, dot(subtract(point, ray.origin), normal) / slope);
}

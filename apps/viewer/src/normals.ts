// SPDX-License-Identifier: Apache-2.0
// Normals of vertices: the sum over the triangles around each, weighted by area, as whole numbers of 8 bits that the
// graphics card scales.
export function computeNormals(positions: Float32Array, triangles: Uint32Array, sums: Float32Array, normals: Int8Array): void {
    sums.fill(0);
    for (let t = 0; t < triangles.length; t += 3) {
        const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
        const ax = positions[a], ay = positions[a + 1], az = positions[a + 2];
        const ux = positions[b] - ax, uy = positions[b + 1] - ay, uz = positions[b + 2] - az;
        const vx = positions[c] - ax, vy = positions[c + 1] - ay, vz = positions[c + 2] - az;
        const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
        sums[a] += nx; sums[a + 1] += ny; sums[a + 2] += nz;
        sums[b] += nx; sums[b + 1] += ny; sums[b + 2] += nz;
        sums[c] += nx; sums[c + 1] += ny; sums[c + 2] += nz;
    }
    for (let v = 0, n = 0; v < sums.length; v += 3, n += 4) {
        const x = sums[v], y = sums[v + 1], z = sums[v + 2];
        const squared = x * x + y * y + z * z;
        const scale = squared > 0 ? 127 / Math.sqrt(squared) : 0;
        normals[n] = x * scale;
        normals[n + 1] = y * scale;
        normals[n + 2] = z * scale;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Binary messages of PROTOCOL.md, laid out as typed arrays.
import { BufferPool } from "./buffer_pool";
import { computeNormals } from "./normals";
import type { Vec3 } from "./vector";

const TOPOLOGY = 1, FRAME = 2;
const TOPOLOGY_HEADER = 32, FRAME_HEADER = 80, RECORD = 32;
const COLLIDER_PANEL = 255;

export interface Topology {
    topology: number;
    panel: number | null; // null: of a collider
    collider: number;
    vertices: number;
    triangles: Uint32Array;
    uv: Float32Array | null; // 2 a vertex
    positions: Float32Array | null; // 3 a vertex, of a rigid collider in its own frame
}

export interface RigidPose {
    collider: number;
    translation: Vec3;
    rotation: readonly [number, number, number, number];
}

export interface GrabMark {
    pointer: number;
    vertex: number;
    point: Vec3;
    target: Vec3;
}

export interface Surface {
    positions: Float32Array; // 3 a vertex
    normals: Int8Array; // 4 a vertex, the last unused
}

export interface Frame extends Surface {
    panel: number;
    topology: number;
    frame: number;
    seq: number;
    time: number; // [s]
    follows: boolean; // from the frame before
    scalars: Uint8Array | null;
    scalarRange: readonly [number, number];
    rigid: RigidPose[];
    grabs: GrabMark[];
    deforming: (Surface & { collider: number })[];
}

export interface FrameHeader {
    panel: number;
    topology: number;
    frame: number;
    follows: boolean;
}

const padded = (bytes: number): number => (bytes + 3) & ~3;

export function isTopology(message: ArrayBuffer): boolean {
    return new DataView(message).getUint8(0) === TOPOLOGY;
}

export function isFrame(message: ArrayBuffer): boolean {
    return message.byteLength >= FRAME_HEADER && new DataView(message).getUint8(0) === FRAME;
}

export function readTopology(message: ArrayBuffer): Topology {
    const view = new DataView(message);
    const panel = view.getUint8(1), flags = view.getUint16(2, true);
    const vertices = view.getUint32(8, true), count = view.getUint32(12, true);
    let offset = TOPOLOGY_HEADER;
    const triangles = new Uint32Array(message.slice(offset, (offset += 12 * count)));
    const uv = flags & 1 ? new Float32Array(message.slice(offset, (offset += 8 * vertices))) : null;
    const positions = flags & 2 ? new Float32Array(message.slice(offset, offset + 12 * vertices)) : null;
    return {
        topology: view.getUint32(4, true),
        panel: panel === COLLIDER_PANEL ? null : panel,
        collider: view.getUint32(16, true),
        vertices, triangles, uv, positions,
    };
}

export function readHeader(message: ArrayBuffer): FrameHeader {
    const view = new DataView(message);
    return {
        panel: view.getUint8(1),
        topology: view.getUint32(4, true),
        frame: view.getUint32(8, true),
        follows: (view.getUint16(2, true) & 2) === 0,
    };
}

const vec3 = (view: DataView, at: number): Vec3 =>
    [view.getFloat32(at, true), view.getFloat32(at + 4, true), view.getFloat32(at + 8, true)];

export function dequantise(quantised: Uint16Array, least: Vec3, size: Vec3, positions: Float32Array): void {
    const [x, y, z] = least;
    const sx = size[0] / 65535, sy = size[1] / 65535, sz = size[2] / 65535;
    for (let i = 0; i < quantised.length; i += 3) {
        positions[i] = x + sx * quantised[i];
        positions[i + 1] = y + sy * quantised[i + 1];
        positions[i + 2] = z + sz * quantised[i + 2];
    }
}

// Reads frames into buffers of a pool.
export class FrameReader {
    private sums = new Float32Array(0);

    constructor(private readonly pool: BufferPool, private readonly trianglesOf: (topology: number) => Uint32Array,
                private readonly topologyOfCollider: (collider: number) => number) {}

    read(message: ArrayBuffer): Frame {
        const view = new DataView(message), header = readHeader(message);
        const vertices = view.getUint32(24, true);
        let offset = FRAME_HEADER;
        const cloth = this.readSurface(message, offset, vertices, vec3(view, 32), vec3(view, 44), header.topology);
        offset += padded(6 * vertices);
        let scalars: Uint8Array | null = null;
        if (view.getUint16(2, true) & 1) {
            scalars = new Uint8Array(this.pool.take(vertices));
            scalars.set(new Uint8Array(message, offset, vertices));
            offset += padded(vertices);
        }
        const rigid = readRecords(view, offset, view.getUint32(64, true), readPose);
        offset += RECORD * rigid.length;
        const grabs = readRecords(view, offset, view.getUint32(72, true), readGrab);
        offset += RECORD * grabs.length;
        return {
            ...header, ...cloth, scalars, rigid, grabs,
            seq: view.getUint32(12, true),
            time: view.getFloat64(16, true),
            scalarRange: [view.getFloat32(56, true), view.getFloat32(60, true)],
            deforming: this.readDeforming(message, offset, view.getUint32(68, true)),
        };
    }

    private readDeforming(message: ArrayBuffer, start: number, count: number): Frame["deforming"] {
        const view = new DataView(message), surfaces: Frame["deforming"] = [];
        for (let i = 0, offset = start; i < count; ++i) {
            const collider = view.getUint32(offset, true), vertices = view.getUint32(offset + 4, true);
            const surface = this.readSurface(message, offset + RECORD, vertices, vec3(view, offset + 8),
                                             vec3(view, offset + 20), this.topologyOfCollider(collider));
            surfaces.push({ collider, ...surface });
            offset += RECORD + padded(6 * vertices);
        }
        return surfaces;
    }

    private readSurface(message: ArrayBuffer, offset: number, vertices: number, least: Vec3, size: Vec3,
                        topology: number): Surface {
        const positions = new Float32Array(this.pool.take(12 * vertices));
        const normals = new Int8Array(this.pool.take(4 * vertices));
        dequantise(new Uint16Array(message, offset, 3 * vertices), least, size, positions);
        if (this.sums.length < 3 * vertices) this.sums = new Float32Array(3 * vertices);
        computeNormals(positions, this.trianglesOf(topology), this.sums.subarray(0, 3 * vertices), normals);
        return { positions, normals };
    }
}

function readRecords<Item>(view: DataView, start: number, count: number, read: (view: DataView, at: number) => Item): Item[] {
    return Array.from({ length: count }, (_, i) => read(view, start + RECORD * i));
}

function readPose(view: DataView, at: number): RigidPose {
    const rotation = [0, 4, 8, 12].map((step) => view.getFloat32(at + 16 + step, true));
    return {
        collider: view.getUint32(at, true),
        translation: vec3(view, at + 4),
        rotation: rotation as unknown as RigidPose["rotation"],
    };
}

function readGrab(view: DataView, at: number): GrabMark {
    return {
        pointer: view.getUint32(at, true),
        vertex: view.getUint32(at + 4, true),
        point: vec3(view, at + 8),
        target: vec3(view, at + 20),
    };
}

// Every buffer of a frame, to hand it to another thread.
export function buffersOf(frame: Frame): ArrayBuffer[] {
    const arrays = [frame, ...frame.deforming].flatMap((surface) => [surface.positions, surface.normals]);
    const views: ArrayBufferView[] = frame.scalars ? [...arrays, frame.scalars] : arrays;
    return views.map((array) => array.buffer as ArrayBuffer);
}

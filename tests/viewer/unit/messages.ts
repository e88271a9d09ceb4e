// SPDX-License-Identifier: Apache-2.0
// Binary messages as PROTOCOL.md lays them out, written by hand and independently of the reader.
export interface FrameSpec {
    panel?: number;
    flags?: number;
    topology?: number;
    frame?: number;
    seq?: number;
    time?: number;
    least?: number[];
    size?: number[];
    quantised: number[];
    scalars?: number[];
    scalarRange?: number[];
    poses?: { collider: number; translation: number[]; rotation: number[] }[];
    grabs?: { pointer: number; vertex: number; point: number[]; target: number[] }[];
    deforming?: { collider: number; least: number[]; size: number[]; quantised: number[] }[];
}

class Writer {
    private readonly bytes: number[] = [];
    private put(size: number, write: (view: DataView) => void): this {
        const view = new DataView(new ArrayBuffer(size));
        write(view);
        this.bytes.push(...new Uint8Array(view.buffer));
        return this;
    }
    u8 = (...values: number[]): this => values.reduce<this>((w, v) => w.put(1, (d) => d.setUint8(0, v)), this);
    u16 = (...values: number[]): this => values.reduce<this>((w, v) => w.put(2, (d) => d.setUint16(0, v, true)), this);
    u32 = (...values: number[]): this => values.reduce<this>((w, v) => w.put(4, (d) => d.setUint32(0, v, true)), this);
    f32 = (...values: number[]): this => values.reduce<this>((w, v) => w.put(4, (d) => d.setFloat32(0, v, true)), this);
    f64 = (value: number): this => this.put(8, (d) => d.setFloat64(0, value, true));
    pad = (): this => (this.bytes.length % 4 === 0 ? this : this.u8(0).pad());
    done = (): ArrayBuffer => new Uint8Array(this.bytes).buffer;
}

export function writeFrame(spec: FrameSpec): ArrayBuffer {
    const { poses = [], grabs = [], deforming = [] } = spec;
    const flags = (spec.flags ?? 0) | (spec.scalars ? 1 : 0);
    const writer = new Writer().u8(2, spec.panel ?? 0).u16(flags)
        .u32(spec.topology ?? 1, spec.frame ?? 0, spec.seq ?? 0).f64(spec.time ?? 0)
        .u32(spec.quantised.length / 3, spec.scalars ? 1 : 0)
        .f32(...(spec.least ?? [0, 0, 0]), ...(spec.size ?? [1, 1, 1]), ...(spec.scalarRange ?? [0, 1]))
        .u32(poses.length, deforming.length, grabs.length, 0)
        .u16(...spec.quantised).pad();
    if (spec.scalars) writer.u8(...spec.scalars).pad();
    for (const pose of poses) writer.u32(pose.collider).f32(...pose.translation, ...pose.rotation);
    for (const grab of grabs) writer.u32(grab.pointer, grab.vertex).f32(...grab.point, ...grab.target);
    for (const body of deforming)
        writer.u32(body.collider, body.quantised.length / 3).f32(...body.least, ...body.size).u16(...body.quantised).pad();
    return writer.done();
}

export function writeTopology(spec: { panel: number; topology: number; collider?: number; vertices: number; triangles: number[];
                                      uv?: number[]; positions?: number[] }): ArrayBuffer {
    const writer = new Writer().u8(1, spec.panel).u16((spec.uv ? 1 : 0) | (spec.positions ? 2 : 0))
        .u32(spec.topology, spec.vertices, spec.triangles.length / 3, spec.collider ?? 0, 0, 0, 0)
        .u32(...spec.triangles);
    if (spec.uv) writer.f32(...spec.uv);
    if (spec.positions) writer.f32(...spec.positions);
    return writer.done();
}

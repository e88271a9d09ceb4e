// SPDX-License-Identifier: Apache-2.0
// A surface that is drawn. Each new frame takes the place of the old one at once, or, in slow motion, glides into it.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage } from "three";
import type { Surface } from "../decode";

type Numbers = Float32Array | Int8Array | Uint8Array;

// Puts an array into an attribute and returns the buffer that was there.
export function exchange(attribute: BufferAttribute, array: Numbers): ArrayBuffer {
    const old = attribute.array.buffer as ArrayBuffer;
    attribute.array = array;
    attribute.needsUpdate = true;
    return old;
}

export function mix(from: Numbers, to: Numbers, part: number, into: Numbers): void {
    for (let i = 0; i < into.length; ++i) into[i] = from[i] + part * (to[i] - from[i]);
}

class BlendedAttribute {
    private from: Numbers;
    private to: Numbers | null = null;

    constructor(readonly attribute: BufferAttribute) {
        attribute.setUsage(DynamicDrawUsage);
        this.from = (attribute.array as Numbers).slice(0, 0);
    }

    replace(array: Numbers): ArrayBuffer[] {
        const free = this.to ? [this.to.buffer as ArrayBuffer] : [];
        this.to = null;
        return [...free, exchange(this.attribute, array)];
    }

    glide(array: Numbers): ArrayBuffer[] {
        const shown = this.attribute.array as Numbers;
        const free = this.to ? [this.to.buffer as ArrayBuffer] : [];
        if (this.from.length !== shown.length) this.from = shown.slice();
        else this.from.set(shown);
        this.to = array;
        return free;
    }

    advance(part: number): void {
        if (!this.to) return;
        mix(this.from, this.to, part, this.attribute.array as Numbers);
        this.attribute.needsUpdate = true;
    }
}

export class BlendedSurface {
    readonly geometry = new BufferGeometry();
    private readonly positions: BlendedAttribute;
    private readonly normals: BlendedAttribute;

    constructor(vertices: number, triangles: Uint32Array) {
        this.positions = new BlendedAttribute(new BufferAttribute(new Float32Array(3 * vertices), 3));
        this.normals = new BlendedAttribute(new BufferAttribute(new Int8Array(4 * vertices), 4, true));
        this.geometry.setAttribute("position", this.positions.attribute);
        this.geometry.setAttribute("normal", this.normals.attribute);
        this.geometry.setIndex(new BufferAttribute(triangles, 1));
    }

    get shownPositions(): Float32Array {
        return this.positions.attribute.array as Float32Array;
    }

    // Returns the buffers that are no longer needed.
    show(surface: Surface, glide: boolean): ArrayBuffer[] {
        if (glide) return [...this.positions.glide(surface.positions), ...this.normals.glide(surface.normals)];
        return [...this.positions.replace(surface.positions), ...this.normals.replace(surface.normals)];
    }

    // How much of the way to the newest frame is done, 0 to 1.
    advance(part: number): void {
        this.positions.advance(part);
        this.normals.advance(part);
    }
}

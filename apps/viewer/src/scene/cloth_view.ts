// SPDX-License-Identifier: Apache-2.0
// A cloth that is drawn: a surface with the look of fabric, or with the colours of values.
import { BufferAttribute, DynamicDrawUsage, Mesh } from "three";
import type { Frame, Topology } from "../decode";
import { BlendedSurface, exchange } from "./blended_surface";
import { makeFabric } from "./fabric";

// Texture coordinates may be in any unit: stripes are counted across the cloth.
function extentAcross(uv: Float32Array): number {
    let least = Infinity, most = -Infinity;
    for (let i = 1; i < uv.length; i += 2) {
        least = Math.min(least, uv[i]);
        most = Math.max(most, uv[i]);
    }
    return most > least ? most - least : 1;
}

export class ClothView {
    readonly mesh: Mesh;
    readonly triangles: Uint32Array;
    private readonly fabric = makeFabric();
    private readonly surface: BlendedSurface;
    private readonly amounts: BufferAttribute;

    constructor(topology: Topology) {
        this.surface = new BlendedSurface(topology.vertices, topology.triangles);
        const { geometry } = this.surface;
        const uv = topology.uv ?? new Float32Array(2 * topology.vertices);
        geometry.setAttribute("uv", new BufferAttribute(uv, 2));
        this.amounts = new BufferAttribute(new Uint8Array(topology.vertices), 1, true).setUsage(DynamicDrawUsage);
        geometry.setAttribute("amount", this.amounts);
        const extent = extentAcross(uv);
        this.fabric.look.stripes.value = 11 / extent;
        this.fabric.look.threads.value = 160 / extent;
        this.triangles = topology.triangles;
        this.mesh = new Mesh(geometry, this.fabric.material);
        this.mesh.frustumCulled = false;
        this.mesh.castShadow = this.mesh.receiveShadow = true;
        this.mesh.visible = false;
    }

    get positions(): Float32Array {
        return this.surface.shownPositions;
    }

    // Returns the buffers that are no longer needed.
    show(frame: Frame, glide: boolean): ArrayBuffer[] {
        const old = this.surface.show(frame, glide && this.mesh.visible);
        if (frame.scalars) old.push(exchange(this.amounts, frame.scalars));
        this.fabric.look.shown.value = frame.scalars ? 1 : 0;
        this.mesh.visible = true;
        return old;
    }

    advance(part: number): void {
        this.surface.advance(part);
    }

    dispose(): void {
        this.mesh.geometry.dispose();
        this.fabric.material.dispose();
    }
}

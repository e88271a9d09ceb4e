// SPDX-License-Identifier: Apache-2.0
// A cloth that is drawn: its arrays are exchanged with those of each new frame.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Mesh } from "three";
import type { Frame, Surface, Topology } from "../decode";
import { makeFabric } from "./fabric";

export function exchange(attribute: BufferAttribute, array: Float32Array | Int8Array | Uint8Array): ArrayBuffer {
    const old = attribute.array.buffer as ArrayBuffer;
    attribute.array = array;
    attribute.needsUpdate = true;
    return old;
}

export function makeSurfaceGeometry(vertices: number, triangles: Uint32Array): BufferGeometry {
    const geometry = new BufferGeometry();
    const dynamic = (attribute: BufferAttribute): BufferAttribute => attribute.setUsage(DynamicDrawUsage);
    geometry.setAttribute("position", dynamic(new BufferAttribute(new Float32Array(3 * vertices), 3)));
    geometry.setAttribute("normal", dynamic(new BufferAttribute(new Int8Array(4 * vertices), 4, true)));
    geometry.setIndex(new BufferAttribute(triangles, 1));
    return geometry;
}

export function exchangeSurface(geometry: BufferGeometry, surface: Surface): ArrayBuffer[] {
    return [
        exchange(geometry.getAttribute("position") as BufferAttribute, surface.positions),
        exchange(geometry.getAttribute("normal") as BufferAttribute, surface.normals),
    ];
}

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
    private readonly amounts: BufferAttribute;

    constructor(topology: Topology) {
        const geometry = makeSurfaceGeometry(topology.vertices, topology.triangles);
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
        return this.mesh.geometry.getAttribute("position").array as Float32Array;
    }

    // Returns the buffers that are no longer needed.
    show(frame: Frame): ArrayBuffer[] {
        const old = exchangeSurface(this.mesh.geometry, frame);
        if (frame.scalars) old.push(exchange(this.amounts, frame.scalars));
        this.fabric.look.shown.value = frame.scalars ? 1 : 0;
        this.mesh.visible = true;
        return old;
    }

    dispose(): void {
        this.mesh.geometry.dispose();
        this.fabric.material.dispose();
    }
}

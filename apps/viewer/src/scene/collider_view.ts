// SPDX-License-Identifier: Apache-2.0
// A solid that is drawn: it moves as a whole, or each of its vertices does.
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Matrix4, Mesh, MeshPhongMaterial, Quaternion, Vector3 } from "three";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import type { RigidPose, Surface, Topology } from "../decode";
import type { ColliderInfo } from "../protocol";
import { hitTriangles, type Ray, type TriangleHit } from "../ray";
import { BlendedSurface } from "./blended_surface";

const COLOR = "#b9bfc9", HELD = "#f2b84b";
const SHARP = Math.PI / 5; // edges of a box stay sharp, a ball is smooth

function makeRigidGeometry(topology: Topology): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(topology.positions!, 3));
    geometry.setIndex(new BufferAttribute(topology.triangles, 1));
    return toCreasedNormals(geometry, SHARP);
}

interface Place {
    position: Vector3;
    turn: Quaternion;
}

export class ColliderView {
    private readonly surface: BlendedSurface | null;
    private from: Place | null = null;
    private to: Place | null = null;
    readonly mesh: Mesh<BufferGeometry, MeshPhongMaterial>;

    constructor(readonly info: ColliderInfo, private readonly topology: Topology) {
        this.surface = info.kind === "deforming" ? new BlendedSurface(topology.vertices, topology.triangles) : null;
        const geometry = this.surface ? this.surface.geometry : makeRigidGeometry(topology);
        const material = new MeshPhongMaterial({ color: COLOR, specular: "#303030", shininess: 30, side: DoubleSide });
        this.mesh = new Mesh(geometry, material);
        this.mesh.castShadow = this.mesh.receiveShadow = true;
        this.mesh.frustumCulled = false;
        this.mesh.visible = false;
    }

    place(pose: RigidPose, glide: boolean): void {
        this.from = glide && this.to ? { position: this.mesh.position.clone(), turn: this.mesh.quaternion.clone() } : null;
        this.to = { position: new Vector3(...pose.translation), turn: new Quaternion(...pose.rotation) };
        this.mesh.visible = true;
        this.advance(0);
    }

    deform(surface: Surface, glide: boolean): ArrayBuffer[] {
        const free = this.surface?.show(surface, glide && this.mesh.visible) ?? [];
        this.mesh.visible = true;
        return free;
    }

    advance(part: number): void {
        this.surface?.advance(part);
        if (!this.to) return;
        this.mesh.position.copy(this.to.position);
        this.mesh.quaternion.copy(this.to.turn);
        if (!this.from) return;
        this.mesh.position.lerp(this.from.position, 1 - part);
        this.mesh.quaternion.slerp(this.from.turn, 1 - part);
    }

    hit(ray: Ray): TriangleHit | null {
        this.mesh.updateMatrixWorld();
        const inverse = new Matrix4().copy(this.mesh.matrixWorld).invert();
        const origin = new Vector3(...ray.origin).applyMatrix4(inverse);
        const direction = new Vector3(...ray.direction).transformDirection(inverse);
        const positions = this.surface?.shownPositions ?? this.topology.positions!;
        return hitTriangles({ origin: origin.toArray(), direction: direction.toArray() }, positions, this.topology.triangles);
    }

    highlight(on: boolean): void {
        this.mesh.material.emissive = new Color(on ? HELD : "#000000");
        this.mesh.material.emissiveIntensity = on ? 0.25 : 0;
    }

    dispose(): void {
        this.mesh.geometry.dispose();
        this.mesh.material.dispose();
    }
}

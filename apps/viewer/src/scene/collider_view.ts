// SPDX-License-Identifier: Apache-2.0
// A solid that is drawn: it moves as a whole, or each of its vertices does.
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Matrix4, Mesh, MeshPhongMaterial, Vector3 } from "three";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import type { RigidPose, Surface, Topology } from "../decode";
import type { ColliderInfo } from "../protocol";
import { hitTriangles, type Ray, type TriangleHit } from "../ray";
import { exchangeSurface, makeSurfaceGeometry } from "./cloth_view";

const COLOR = "#b9bfc9", HELD = "#f2b84b";
const SHARP = Math.PI / 5; // edges of a box stay sharp, a ball is smooth

function makeRigidGeometry(topology: Topology): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(topology.positions!, 3));
    geometry.setIndex(new BufferAttribute(topology.triangles, 1));
    return toCreasedNormals(geometry, SHARP);
}

export class ColliderView {
    readonly mesh: Mesh<BufferGeometry, MeshPhongMaterial>;

    constructor(readonly info: ColliderInfo, private readonly topology: Topology) {
        const rigid = topology.positions !== null;
        const geometry = rigid ? makeRigidGeometry(topology) : makeSurfaceGeometry(topology.vertices, topology.triangles);
        const material = new MeshPhongMaterial({ color: COLOR, specular: "#303030", shininess: 30, side: DoubleSide });
        this.mesh = new Mesh(geometry, material);
        this.mesh.castShadow = this.mesh.receiveShadow = true;
        this.mesh.frustumCulled = false;
        this.mesh.visible = false;
    }

    place(pose: RigidPose): void {
        this.mesh.position.set(...pose.translation);
        this.mesh.quaternion.set(...pose.rotation);
        this.mesh.visible = true;
    }

    deform(surface: Surface): ArrayBuffer[] {
        this.mesh.visible = true;
        return exchangeSurface(this.mesh.geometry, surface);
    }

    hit(ray: Ray): TriangleHit | null {
        this.mesh.updateMatrixWorld();
        const inverse = new Matrix4().copy(this.mesh.matrixWorld).invert();
        const origin = new Vector3(...ray.origin).applyMatrix4(inverse);
        const direction = new Vector3(...ray.direction).transformDirection(inverse);
        const positions = this.topology.positions ?? (this.mesh.geometry.getAttribute("position").array as Float32Array);
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

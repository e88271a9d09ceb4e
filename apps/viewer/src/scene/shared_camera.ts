// SPDX-License-Identifier: Apache-2.0
// One camera for all panels: mouse, touch and keys turn, move and zoom it.
import { MathUtils, PerspectiveCamera, Vector2, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { CameraPose, SceneInfo } from "../protocol";
import type { Ray } from "../ray";
import type { Vec3 } from "../vector";
import { boundsOf } from "./panel_view";

const FIELD_OF_VIEW = 32; // [degrees], vertical
const ROOM = 0.78; // how much of a panel the scene may fill at first,
const HEAD = 110; // [px] or what the panel's head leaves of a low one

export interface Rectangle {
    left: number;
    top: number;
    width: number;
    height: number;
}

export class SharedCamera {
    readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 1000);
    moved = false; // by the visitor, since it was fitted
    private controls: OrbitControls | null = null;

    constructor(private readonly element: HTMLElement, private readonly changed: () => void) {}

    // Looks at the whole scene from the front, a little from the side and from above.
    fit(scene: Pick<SceneInfo, "up" | "box">, panel: Rectangle): void {
        const { center, radius } = boundsOf(scene);
        const up = new Vector3(...scene.up), side = new Vector3(1, 0, 0), front = new Vector3().crossVectors(side, up);
        const direction = front.clone().addScaledVector(side, 0.3).addScaledVector(up, 0.25).normalize();
        this.camera.up.copy(up);
        this.camera.position.copy(center).add(direction);
        this.camera.lookAt(center);
        this.camera.position.copy(center).addScaledVector(direction, this.distanceFor(scene, center, panel));
        this.camera.near = 0.01 * radius;
        this.camera.far = 60 * radius;
        this.makeControls(center, radius);
        this.moved = false;
        this.changed();
    }

    // How far away all corners of the scene's box are seen, with room for labels and for a cloth that moves.
    private distanceFor({ box }: Pick<SceneInfo, "box">, center: Vector3, { width, height }: Rectangle): number {
        const room = Math.min(ROOM, Math.max(0.5 * ROOM, 1 - HEAD / height));
        const tall = room * Math.tan(MathUtils.degToRad(FIELD_OF_VIEW / 2)), wide = (tall * width) / Math.max(1, height);
        const toCamera = this.camera.quaternion.clone().invert();
        let distance = 0;
        for (let corner = 0; corner < 8; ++corner) {
            const at = [0, 1, 2].map((axis) => box[(corner >> axis) & 1][axis]);
            const place = new Vector3(...at).sub(center).applyQuaternion(toCamera);
            distance = Math.max(distance, place.z + Math.abs(place.x) / wide, place.z + Math.abs(place.y) / tall);
        }
        return distance;
    }

    private makeControls(center: Vector3, radius: number): void {
        this.controls?.dispose();
        const controls = new OrbitControls(this.camera, this.element);
        controls.target.copy(center);
        controls.minDistance = 0.3 * radius;
        controls.maxDistance = 15 * radius;
        controls.maxPolarAngle = 0.56 * Math.PI;
        controls.zoomToCursor = false;
        controls.update();
        controls.addEventListener("change", this.changed);
        controls.addEventListener("start", () => (this.moved = true));
        this.controls = controls;
    }

    set enabled(enabled: boolean) {
        if (this.controls) this.controls.enabled = enabled;
    }

    turn(horizontal: number, vertical: number): void {
        this.moved = true;
        const offset = this.camera.position.clone().sub(this.target);
        const up = this.camera.up.clone().normalize();
        offset.applyAxisAngle(up, horizontal);
        const side = new Vector3().crossVectors(up, offset).normalize();
        const tilted = offset.clone().applyAxisAngle(side, vertical);
        const angle = tilted.angleTo(up);
        if (angle > 0.05 && angle < 0.56 * Math.PI) offset.copy(tilted);
        this.camera.position.copy(this.target).add(offset);
        this.controls?.update();
    }

    zoom(factor: number): void {
        this.moved = true;
        const offset = this.camera.position.clone().sub(this.target).multiplyScalar(factor);
        this.camera.position.copy(this.target).add(offset);
        this.controls?.update();
    }

    // The ray through a place of the screen, in a panel that covers the rectangle.
    rayAt(x: number, y: number, panel: Rectangle): Ray {
        this.setAspect(panel);
        const place = new Vector2(((x - panel.left) / panel.width) * 2 - 1, 1 - ((y - panel.top) / panel.height) * 2);
        const far = new Vector3(place.x, place.y, 0.5).unproject(this.camera);
        const direction = far.sub(this.camera.position).normalize();
        return { origin: this.camera.position.toArray(), direction: direction.toArray() };
    }

    // Where on the screen a point of the scene is.
    project(point: Vec3, panel: Rectangle): [number, number] {
        this.setAspect(panel);
        const place = new Vector3(...point).project(this.camera);
        return [panel.left + ((place.x + 1) / 2) * panel.width, panel.top + ((1 - place.y) / 2) * panel.height];
    }

    setAspect(panel: Rectangle): void {
        this.camera.aspect = panel.width / Math.max(1, panel.height);
        this.camera.updateProjectionMatrix();
        this.camera.updateMatrixWorld();
    }

    get forward(): Vec3 {
        return this.camera.getWorldDirection(new Vector3()).toArray();
    }

    get right(): Vec3 {
        return new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0).toArray();
    }

    get pose(): CameraPose {
        return { eye: this.camera.position.toArray(), target: this.target.toArray(), field_of_view: FIELD_OF_VIEW };
    }

    private get target(): Vector3 {
        return this.controls?.target ?? new Vector3();
    }
}

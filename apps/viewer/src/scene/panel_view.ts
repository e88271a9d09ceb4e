// SPDX-License-Identifier: Apache-2.0
// Everything that is drawn in one panel.
import { Scene, Vector3 } from "three";
import { buffersOf, type Frame, type Topology } from "../decode";
import type { ColliderInfo, PanelInfo, SceneInfo } from "../protocol";
import { hitTriangles, type Ray, type TriangleHit } from "../ray";
import type { Vec3 } from "../vector";
import { ClothView } from "./cloth_view";
import { ColliderView } from "./collider_view";
import { GrabMarks } from "./grab_marks";
import { defaultGround, Ground, Lights, type Bounds, type GroundPlace, type Shade } from "./surroundings";
import { WindStreaks } from "./wind_streaks";

export type Hit =
    | { kind: "cloth"; distance: number; hit: TriangleHit }
    | { kind: "collider"; distance: number; collider: ColliderView };

// From when on and how long a frame glides into the next one.
export interface Glide {
    start: number; // [ms]
    duration: number; // [ms]
}

const GLIDES_UP_TO = 100_000; // vertices

export function boundsOf(scene: Pick<SceneInfo, "box">): Bounds {
    const least = new Vector3(...scene.box[0]), most = new Vector3(...scene.box[1]);
    return { center: least.clone().add(most).multiplyScalar(0.5), radius: Math.max(0.1, 0.5 * least.distanceTo(most)) };
}

export class PanelView {
    readonly world = new Scene();
    readonly lights: Lights;
    frame: Frame | null = null;
    wind: Vec3 = [0, 0, 0];
    private glide: Glide | null = null;
    private cloth: ClothView | null = null;
    private readonly colliders = new Map<number, ColliderView>();
    private readonly grounds: Ground[] = [];
    private readonly marks: GrabMarks;
    private readonly streaks: WindStreaks;

    constructor(readonly info: PanelInfo, private readonly scene: SceneInfo, fillLight: boolean) {
        const bounds = boundsOf(scene);
        this.lights = new Lights(bounds, new Vector3(...scene.up), fillLight);
        this.marks = new GrabMarks(0.018 * bounds.radius);
        this.streaks = new WindStreaks(bounds);
        this.world.add(this.lights, this.marks, this.streaks);
        const planes = scene.colliders.filter((collider) => collider.kind === "plane") as (ColliderInfo & GroundPlace)[];
        const places = planes.length > 0 ? planes : [defaultGround(scene.up, scene.box)];
        for (const place of places) {
            const ground = new Ground(place, bounds);
            this.grounds.push(ground);
            this.world.add(ground.mesh);
        }
    }

    addTopology(topology: Topology): void {
        if (topology.topology === this.info.topology) {
            this.cloth = new ClothView(topology);
            this.world.add(this.cloth.mesh);
            return;
        }
        const info = this.scene.colliders.find((collider) => collider.topology === topology.topology);
        if (!info || this.colliders.has(info.collider)) return;
        const view = new ColliderView(info, topology);
        this.colliders.set(info.collider, view);
        this.world.add(view.mesh);
    }

    // Returns the buffers that are no longer needed.
    show(frame: Frame, glide: Glide | null): ArrayBuffer[] {
        if (!this.cloth || frame.topology !== this.info.topology) return buffersOf(frame);
        const glides = glide !== null && frame.follows && this.info.vertices <= GLIDES_UP_TO;
        this.glide = glides ? glide : null;
        const free = this.cloth.show(frame, glides);
        for (const pose of frame.rigid) this.colliders.get(pose.collider)?.place(pose, glides);
        for (const surface of frame.deforming) free.push(...(this.colliders.get(surface.collider)?.deform(surface, glides) ?? []));
        this.marks.show(frame.grabs);
        this.streaks.blow(this.wind, frame.time);
        this.frame = frame;
        return free;
    }

    // True as long as what is shown is still on its way to the newest frame.
    advance(now: number): boolean {
        if (!this.glide) return false;
        const part = Math.min(1, (now - this.glide.start) / this.glide.duration);
        this.cloth?.advance(part);
        for (const collider of this.colliders.values()) collider.advance(part);
        if (part >= 1) this.glide = null;
        return this.glide !== null;
    }

    hit(ray: Ray): Hit | null {
        let nearest: Hit | null = null;
        if (this.cloth?.mesh.visible) {
            const hit = hitTriangles(ray, this.cloth.positions, this.cloth.triangles);
            if (hit) nearest = { kind: "cloth", distance: hit.distance, hit };
        }
        for (const collider of this.colliders.values()) {
            if (!collider.mesh.visible) continue;
            const hit = collider.hit(ray);
            if (hit && (!nearest || hit.distance < nearest.distance))
                nearest = { kind: "collider", distance: hit.distance, collider };
        }
        return nearest;
    }

    get positions(): Float32Array | null {
        return this.frame ? (this.cloth?.positions ?? null) : null;
    }

    setShade(shade: Shade): void {
        this.lights.setShade(shade);
        this.streaks.setShade(shade);
        for (const ground of this.grounds) ground.setShade(shade);
    }

    dispose(): void {
        this.cloth?.dispose();
        for (const collider of this.colliders.values()) collider.dispose();
        for (const ground of this.grounds) ground.dispose();
        this.lights.dispose();
        this.streaks.dispose();
    }
}

// SPDX-License-Identifier: Apache-2.0
// Pointers on the panels: on the cloth they grab it, on a solid they move it, elsewhere they turn the camera.
import type { Request, SceneInfo } from "../protocol";
import { hitPlane, pointAt } from "../ray";
import { add, subtract, within, type Vec3 } from "../vector";
import type { ColliderView } from "./collider_view";
import type { Hit } from "./panel_view";
import type { Stage } from "./stage";

const MAX_POINTERS = 10;
const MAX_OFFSET = 9.99, MAX_TARGET = 99; // [m], what the server takes
const RAW_EVERY = 5; // [ms]: a mouse may speak a thousand times a second, and the server listens to some hundred
const HOVER_TRIANGLES = 300_000; // above it, looking for what is below the pointer at every move would be felt

interface Held {
    pointer: number; // its number on the wire
    panel: number;
    start: Vec3; // where it was grabbed [m]
    normal: Vec3; // of the plane in which it moves
    collider: ColliderView | null;
    offset: Vec3; // of the collider when it was grabbed
    told: number; // [ms] when the server was told where the hand is
}

export interface GrabEvents {
    send(request: Request, since: number): void;
    offsetOf(collider: string): Vec3;
    cursor(kind: "" | "can-grab" | "grabbing"): void;
}

export class Grabbing {
    private readonly held = new Map<number, Held>();
    private scene: SceneInfo | null = null;

    constructor(private readonly stage: Stage, surface: HTMLElement, private readonly events: GrabEvents) {
        // Before the camera's own listeners: what grabs must not turn it.
        surface.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
        surface.addEventListener("pointermove", (event) => this.move(event), { capture: true });
        // Moves are told once a drawing; where the browser offers it, a hand that holds something is not kept waiting for that.
        surface.addEventListener("pointerrawupdate", (event) => this.follow(event as PointerEvent, RAW_EVERY), { capture: true });
        for (const end of ["pointerup", "pointercancel"] as const)
            surface.addEventListener(end, (event) => this.up(event), { capture: true });
    }

    setScene(scene: SceneInfo): void {
        this.scene = scene;
        this.held.clear();
        this.stage.camera.enabled = true;
        this.events.cursor("");
    }

    private hitAt(event: PointerEvent): { panel: number; hit: Hit; point: Vec3 } | null {
        const panel = this.stage.panelAt(event.clientX, event.clientY);
        if (panel < 0 || !this.stage.panels[panel]) return null;
        const ray = this.stage.camera.rayAt(event.clientX, event.clientY, this.stage.rectangleOf(panel));
        const hit = this.stage.panels[panel].hit(ray);
        if (!hit || !this.isGrabbable(hit)) return null;
        return { panel, hit, point: pointAt(ray, hit.distance) };
    }

    private isGrabbable(hit: Hit): boolean {
        return hit.kind === "cloth" ? (this.scene?.grabbable ?? false) : hit.collider.info.movable;
    }

    private freePointer(): number {
        const used = new Set([...this.held.values()].map((held) => held.pointer));
        return Array.from({ length: MAX_POINTERS }, (_, i) => i).find((i) => !used.has(i)) ?? -1;
    }

    private down(event: PointerEvent): void {
        if ((event.target as Element).closest("button, select")) return;
        if (event.button !== 0 || event.ctrlKey || event.shiftKey || event.metaKey) return;
        const found = this.hitAt(event), pointer = this.freePointer();
        if (!found || pointer < 0) return;
        const { panel, hit, point } = found;
        const collider = hit.kind === "collider" ? hit.collider : null;
        const offset: Vec3 = collider ? this.events.offsetOf(collider.info.name) : [0, 0, 0];
        this.held.set(event.pointerId, { pointer, panel, start: point, normal: this.stage.camera.forward, collider, offset,
                                         told: event.timeStamp });
        this.stage.camera.enabled = false;
        event.stopImmediatePropagation();
        (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
        if (hit.kind === "cloth") {
            const { triangle, weights } = hit.hit;
            this.events.send({ type: "grab", pointer, panel, triangle, weights, target: point, everywhere: true }, event.timeStamp);
        }
        collider?.highlight(true);
        this.events.cursor("grabbing");
    }

    private move(event: PointerEvent): void {
        if (!this.held.has(event.pointerId)) return this.hover(event);
        event.stopImmediatePropagation();
        this.follow(event, 0);
    }

    // Tells where the hand is, unless that was told less than so many milliseconds ago.
    private follow(event: PointerEvent, every: number): void {
        const held = this.held.get(event.pointerId);
        if (!held || event.timeStamp <= held.told + every) return;
        held.told = event.timeStamp;
        const ray = this.stage.camera.rayAt(event.clientX, event.clientY, this.stage.rectangleOf(held.panel));
        const target = hitPlane(ray, held.start, held.normal);
        if (!target) return;
        if (held.collider) {
            const offset = within(add(held.offset, subtract(target, held.start)), MAX_OFFSET);
            this.events.send({ type: "collider", name: held.collider.info.name, offset }, event.timeStamp);
        } else {
            this.events.send({ type: "drag", pointer: held.pointer, target: within(target, MAX_TARGET) }, event.timeStamp);
        }
    }

    private hover(event: PointerEvent): void {
        if (event.pointerType !== "mouse" || event.buttons !== 0 || !this.scene) return;
        if (this.scene.panels.some((panel) => panel.triangles > HOVER_TRIANGLES)) return;
        this.events.cursor(this.hitAt(event) ? "can-grab" : "");
    }

    private up(event: PointerEvent): void {
        const held = this.held.get(event.pointerId);
        if (!held) return;
        event.stopImmediatePropagation();
        this.held.delete(event.pointerId);
        held.collider?.highlight(false);
        if (!held.collider) this.events.send({ type: "release", pointer: held.pointer }, event.timeStamp);
        if (this.held.size === 0) this.stage.camera.enabled = true;
        this.events.cursor(this.hitAt(event) && event.pointerType === "mouse" ? "can-grab" : "");
        this.stage.ask();
    }
}

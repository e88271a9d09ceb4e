// SPDX-License-Identifier: Apache-2.0
// The wind made visible: short lines that fly with it through the scene and fade at both ends of their way.
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments } from "three";
import { length, type Vec3 } from "../vector";
import type { Bounds, Shade } from "./surroundings";

const COUNT = 48;
const REACH = 1.7; // how far around the scene they fly, in radii of it
const SECONDS = 0.045; // a line is as long as its way in this time
const COLORS = { light: [0.3, 0.42, 0.56], dark: [0.62, 0.76, 0.92] };
const STRENGTH = 0.5;

// Numbers in [-1, 1) that look random and are the same every time.
function scattered(i: number): number {
    const wave = Math.sin(i * 127.1 + 11.7) * 43758.5453;
    return 2 * (wave - Math.floor(wave)) - 1;
}

export class WindStreaks extends LineSegments<BufferGeometry, LineBasicMaterial> {
    private readonly places = Array.from({ length: 3 * COUNT }, (_, i) => scattered(i));
    private readonly reach: number;
    private color = COLORS.light;
    private time: number | null = null;

    constructor(private readonly bounds: Bounds) {
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(new Float32Array(6 * COUNT), 3));
        geometry.setAttribute("color", new BufferAttribute(new Float32Array(8 * COUNT), 4));
        super(geometry, new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, toneMapped: false }));
        this.frustumCulled = false;
        this.reach = REACH * bounds.radius;
    }

    setShade(shade: Shade): void {
        this.color = COLORS[shade];
    }

    // Moves on to another time of the scene [s].
    blow(wind: Vec3, time: number): void {
        const step = this.time === null ? 0 : Math.min(0.2, Math.max(0, time - this.time));
        this.time = time;
        const speed = length(wind);
        this.visible = speed > 0.05;
        if (!this.visible) return;
        const positions = this.geometry.getAttribute("position") as BufferAttribute;
        const colors = this.geometry.getAttribute("color") as BufferAttribute;
        const { center } = this.bounds, middle = [center.x, center.y, center.z];
        for (let i = 0; i < COUNT; ++i) {
            const head: number[] = [], tail: number[] = [];
            let edge = 1;
            for (let axis = 0; axis < 3; ++axis) {
                const moved = this.places[3 * i + axis] + (wind[axis] * step) / this.reach;
                const place = moved - 2 * Math.floor((moved + 1) / 2); // those that leave come back at the other side
                this.places[3 * i + axis] = place;
                edge *= 1 - place * place;
                head.push(middle[axis] + this.reach * place);
                tail.push(head[axis] - wind[axis] * SECONDS);
            }
            positions.setXYZ(2 * i, head[0], head[1], head[2]);
            positions.setXYZ(2 * i + 1, tail[0], tail[1], tail[2]);
            colors.setXYZW(2 * i, this.color[0], this.color[1], this.color[2], STRENGTH * edge);
            colors.setXYZW(2 * i + 1, this.color[0], this.color[1], this.color[2], 0);
        }
        positions.needsUpdate = colors.needsUpdate = true;
    }

    dispose(): void {
        this.geometry.dispose();
        this.material.dispose();
    }
}

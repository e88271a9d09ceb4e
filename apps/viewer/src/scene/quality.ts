// SPDX-License-Identifier: Apache-2.0
// Draws less finely on machines that cannot keep up, such as those without a graphics card.
import { median } from "../statistics";

export interface Quality {
    pixelRatio: number; // the largest; screens may have less
    shadowSize: number;
    shadowEvery: number; // drawings; 0 for no shadows at all
}

const LEVELS: readonly Quality[] = [
    { pixelRatio: 2, shadowSize: 2048, shadowEvery: 1 },
    { pixelRatio: 1.5, shadowSize: 1024, shadowEvery: 1 },
    { pixelRatio: 1, shadowSize: 1024, shadowEvery: 1 },
    { pixelRatio: 1, shadowSize: 1024, shadowEvery: 2 },
    { pixelRatio: 0.75, shadowSize: 512, shadowEvery: 3 },
    { pixelRatio: 0.5, shadowSize: 512, shadowEvery: 4 },
    { pixelRatio: 0.5, shadowSize: 256, shadowEvery: 0 },
];
const SLOW = 30; // [ms] between two drawings that were asked for one after the other
const WATCHED = 16;

export class QualityGovernor {
    private level: number;
    private intervals: number[] = [];
    private fixed = false;

    constructor(readonly software: boolean) {
        this.level = software ? 3 : 0;
    }

    get quality(): Quality {
        return LEVELS[this.level];
    }

    fix(level: number): void {
        this.level = level;
        this.fixed = true;
    }

    // Told how long the screen took from one drawing to the next; true if the quality changed.
    note(interval: number): boolean {
        if (this.fixed || interval > 500) return false; // the page was in the background
        this.intervals.push(interval);
        if (this.intervals.length < WATCHED) return false;
        const slow = median(this.intervals)! > SLOW;
        this.intervals = [];
        if (!slow || this.level === LEVELS.length - 1) return false;
        this.level += 1;
        return true;
    }
}

// Asked before the real context is made, which must know whether it can afford smooth edges.
export function drawsInSoftware(): boolean {
    const context = document.createElement("canvas").getContext("webgl2");
    const extension = context?.getExtension("WEBGL_debug_renderer_info");
    if (!context || !extension) return false;
    const name = String(context.getParameter(extension.UNMASKED_RENDERER_WEBGL));
    context.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

// SPDX-License-Identifier: Apache-2.0
// Figures about the page itself, in a corner that the key D opens. Tests read them too.
import type { LatencyMeter } from "../latency";
import type { Stage } from "../scene/stage";
import type { SeenCounts } from "../seen";
import { Recent } from "../statistics";
import { find, setText } from "./dom";

export interface DiagnosticFigures {
    latency: number | null; // [ms], median from a pointer's move to the drawing that shows it
    latencySamples: number;
    decode: number | null; // [ms] a frame, in the worker
    draw: number; // [ms] of the page's thread for the last drawing
    drawings: number;
    software: boolean;
    panels: SeenCounts[];
}

export class Diagnostics {
    private readonly node = find("#diagnostics");
    private readonly decode = new Recent();
    private panels: SeenCounts[] = [];

    constructor(private readonly stage: Stage, private readonly latency: LatencyMeter) {
        setInterval(() => this.show(), 500);
    }

    noteFrame(panel: number, counts: SeenCounts, decodeTime: number): void {
        this.panels[panel] = counts;
        this.decode.add(decodeTime);
    }

    forget(): void {
        this.panels = [];
    }

    toggle(): void {
        this.node.hidden = !this.node.hidden;
        this.show();
    }

    get figures(): DiagnosticFigures {
        return {
            latency: this.latency.median, latencySamples: this.latency.count, decode: this.decode.mean,
            draw: this.stage.drawTime, drawings: this.stage.drawings, software: this.stage.software, panels: this.panels,
        };
    }

    private show(): void {
        if (this.node.hidden) return;
        const { latency, latencySamples, decode, draw, software, panels } = this.figures;
        const lines = [
            latency === null ? "pointer to picture: drag something" : `pointer to picture: ${latency.toFixed(0)} ms (median of ${latencySamples})`,
            `decoding ${decode?.toFixed(2) ?? "–"} ms, drawing ${draw.toFixed(2)} ms${software ? ", without a graphics card" : ""}`,
            ...panels.map((counts, i) => `panel ${i + 1}: ${counts.received} frames, ${counts.skipped} skipped, ${counts.undrawn} not drawn`),
        ];
        setText(this.node, lines.join("\n"));
    }
}

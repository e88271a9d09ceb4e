// SPDX-License-Identifier: Apache-2.0
// What arrived and what did not: frames are numbered, so a gap is a frame that was left out.
import type { FrameHeader } from "./decode";

export interface SeenCounts {
    received: number;
    skipped: number; // by the server, or on the way
    undrawn: number; // received, but a newer one came before it was asked for
}

export class SeenFrames {
    private readonly last = new Map<number, { topology: number; frame: number }>();
    private readonly counts = new Map<number, SeenCounts>();

    note({ panel, topology, frame, follows }: FrameHeader): void {
        const counts = this.of(panel), last = this.last.get(panel);
        counts.received += 1;
        if (follows && last && last.topology === topology && frame > last.frame) counts.skipped += frame - last.frame - 1;
        this.last.set(panel, { topology, frame });
    }

    noteUndrawn(panel: number): void {
        this.of(panel).undrawn += 1;
    }

    of(panel: number): SeenCounts {
        let counts = this.counts.get(panel);
        if (!counts) this.counts.set(panel, (counts = { received: 0, skipped: 0, undrawn: 0 }));
        return counts;
    }

    forget(): void {
        this.last.clear();
        this.counts.clear();
    }
}

// SPDX-License-Identifier: Apache-2.0
// How long it takes from an input until a frame that shows its effect is drawn.
import { median } from "./statistics";

const KEPT = 200;

export class LatencyMeter {
    private waiting: { seq: number; since: number }[] = [];
    private samples: number[] = [];

    sent(seq: number, since: number): void {
        this.waiting.push({ seq, since });
        if (this.waiting.length > KEPT) this.waiting.shift();
    }

    // A frame that shows everything up to `seq` was drawn. Every input counts, not only the newest that the frame shows.
    drawn(seq: number, now: number): void {
        while (this.waiting.length > 0 && this.waiting[0].seq <= seq) {
            this.samples.push(now - this.waiting.shift()!.since);
            if (this.samples.length > KEPT) this.samples.shift();
        }
    }

    // What is still waiting went to a connection that is gone.
    forget(): void {
        this.waiting = [];
    }

    clear(): void {
        this.forget();
        this.samples = [];
    }

    get count(): number {
        return this.samples.length;
    }

    get median(): number | null {
        return median(this.samples);
    }
}

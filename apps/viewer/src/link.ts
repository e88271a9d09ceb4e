// SPDX-License-Identifier: Apache-2.0
// The page's end of its worker.
import type { ConnectionState } from "./connection";
import type { Frame, Topology } from "./decode";
import type { Request, ServerMessage } from "./protocol";
import type { SeenCounts } from "./seen";
import type { FromWorker, ToWorker } from "./worker_messages";

export interface LinkEvents {
    state(state: ConnectionState, reason: string): void;
    text(message: ServerMessage): void;
    topology(topology: Topology): void;
    frame(frame: Frame, counts: SeenCounts, decodeTime: number): ArrayBuffer[]; // returns buffers that can be used again
}

export function liveAddress(page: Location): string {
    const token = new URLSearchParams(page.search).get("token") ?? "";
    return `${page.protocol === "https:" ? "wss" : "ws"}://${page.host}/live?token=${encodeURIComponent(token)}`;
}

export class Link {
    private readonly worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    private seq = 0;

    constructor(events: LinkEvents) {
        this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
            if (data.kind === "state") events.state(data.state, data.reason);
            if (data.kind === "text") events.text(data.message);
            if (data.kind === "topology") events.topology(data.topology);
            if (data.kind === "frame") {
                const buffers = events.frame(data.frame, data.counts, data.decodeTime);
                this.tell({ kind: "taken", panel: data.frame.panel, buffers }, buffers);
            }
        };
    }

    open(address: string): void {
        this.tell({ kind: "open", address });
    }

    // Returns the number under which frames will tell that they show it.
    send(request: Request): number {
        this.seq += 1;
        this.tell({ kind: "send", text: JSON.stringify({ ...request, seq: this.seq }) });
        return this.seq;
    }

    private tell(message: ToWorker, transfer: Transferable[] = []): void {
        this.worker.postMessage(message, transfer);
    }
}

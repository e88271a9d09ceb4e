// SPDX-License-Identifier: Apache-2.0
// What the page and its worker tell each other.
import type { ConnectionState } from "./connection";
import type { Frame, Topology } from "./decode";
import type { ServerMessage } from "./protocol";
import type { SeenCounts } from "./seen";

export type ToWorker =
    | { kind: "open"; address: string }
    | { kind: "send"; text: string }
    | { kind: "taken"; panel: number; buffers: ArrayBuffer[] }; // the frame was taken over; buffers of an older one come back

export type FromWorker =
    | { kind: "state"; state: ConnectionState; reason: string }
    | { kind: "text"; message: ServerMessage }
    | { kind: "topology"; topology: Topology }
    | { kind: "frame"; frame: Frame; counts: SeenCounts; decodeTime: number };

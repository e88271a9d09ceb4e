// SPDX-License-Identifier: Apache-2.0
// The thread that talks with `tulle view` and makes arrays of its frames, so that drawing never waits for either.
import { BufferPool } from "./buffer_pool";
import { Connection, RETRY_AFTER, type Socket } from "./connection";
import { buffersOf, FrameReader, isFrame, isTopology, readHeader, readTopology } from "./decode";
import type { SceneInfo } from "./protocol";
import { SeenFrames } from "./seen";
import type { FromWorker, ToWorker } from "./worker_messages";

const pool = new BufferPool();
const triangles = new Map<number, Uint32Array>();
const colliderTopology = new Map<number, number>();
const reader = new FrameReader(pool, (topology) => triangles.get(topology) ?? new Uint32Array(0),
                               (collider) => colliderTopology.get(collider) ?? 0);
const seen = new SeenFrames();
const underWay = new Set<number>(); // panels whose last frame the page has not taken yet
const newest = new Map<number, ArrayBuffer>(); // frames that wait for that
let connection: Connection | null = null;

function tell(message: FromWorker, transfer: Transferable[] = []): void {
    postMessage(message, { transfer });
}

function forgetEverything(): void {
    seen.forget();
    underWay.clear();
    newest.clear();
    triangles.clear();
    pool.clear();
}

function keepTopologies(scene: SceneInfo): void {
    const used = new Set([...scene.panels, ...scene.colliders].map((item) => item.topology));
    for (const topology of [...triangles.keys()]) if (!used.has(topology)) triangles.delete(topology);
}

function receiveText(text: string): void {
    const message = JSON.parse(text);
    if (message.type === "scene") {
        seen.forget();
        keepTopologies(message);
    }
    tell({ kind: "text", message });
}

function receiveBinary(message: ArrayBuffer): void {
    if (isFrame(message)) return receiveFrame(message);
    if (!isTopology(message)) return;
    const topology = readTopology(message);
    triangles.set(topology.topology, topology.triangles);
    if (topology.panel === null) colliderTopology.set(topology.collider, topology.topology);
    tell({ kind: "topology", topology });
}

function receiveFrame(message: ArrayBuffer): void {
    const header = readHeader(message);
    connection?.send(JSON.stringify({ type: "ack", panel: header.panel, frame: header.frame }));
    if (!triangles.has(header.topology)) return;
    seen.note(header);
    if (!underWay.has(header.panel)) return hand(message);
    if (newest.has(header.panel)) seen.noteUndrawn(header.panel);
    newest.set(header.panel, message);
}

function hand(message: ArrayBuffer): void {
    const start = performance.now();
    const frame = reader.read(message);
    underWay.add(frame.panel);
    const decodeTime = performance.now() - start;
    tell({ kind: "frame", frame, counts: { ...seen.of(frame.panel) }, decodeTime }, buffersOf(frame));
}

function openSocket(address: string): Socket {
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    return socket as unknown as Socket;
}

function isAnybodyThere(): Promise<boolean> {
    return fetch("/", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(RETRY_AFTER) }).then(() => true, () => false);
}

onmessage = ({ data }: MessageEvent<ToWorker>) => {
    if (data.kind === "send") connection?.send(data.text);
    if (data.kind === "taken") {
        pool.give(data.buffers);
        underWay.delete(data.panel);
        const waiting = newest.get(data.panel);
        newest.delete(data.panel);
        if (waiting) hand(waiting);
    }
    if (data.kind === "open") {
        const events = {
            state(state: "connecting" | "open" | "lost", reason: string) {
                if (state === "open") forgetEverything();
                tell({ kind: "state", state, reason });
            },
            text: receiveText,
            binary: receiveBinary,
        };
        const around = {
            makeSocket: () => openSocket(data.address),
            isAnybodyThere,
            later: (action: () => void, after: number) => void setTimeout(action, after),
        };
        connection = new Connection(around, events);
        connection.open();
    }
};

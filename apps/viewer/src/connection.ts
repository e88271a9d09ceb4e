// SPDX-License-Identifier: Apache-2.0
// A WebSocket that comes back: when it closes, for whatever reason, it is opened again every second until it holds.
export type ConnectionState = "connecting" | "open" | "lost";

export interface Socket {
    send(text: string): void;
    close(): void;
    onopen: (() => void) | null;
    onmessage: ((event: { data: unknown }) => void) | null;
    onclose: ((event: { code: number; reason: string }) => void) | null;
}

export interface ConnectionEvents {
    state(state: ConnectionState, reason: string): void;
    text(text: string): void;
    binary(message: ArrayBuffer): void;
}

export const RETRY_AFTER = 1000; // [ms]

export class Connection {
    private socket: Socket | null = null;
    private opened = false;

    constructor(private readonly makeSocket: () => Socket, private readonly events: ConnectionEvents,
                private readonly later: (action: () => void, milliseconds: number) => void) {}

    open(): void {
        this.opened = false;
        const socket = this.makeSocket();
        this.socket = socket;
        socket.onopen = () => {
            this.opened = true;
            this.events.state("open", "");
        };
        socket.onmessage = ({ data }) => {
            if (typeof data === "string") this.events.text(data);
            else this.events.binary(data as ArrayBuffer);
        };
        socket.onclose = ({ code, reason }) => {
            if (this.socket !== socket) return;
            this.socket = null;
            this.events.state("lost", describeClose(code, reason, this.opened));
            this.later(() => this.open(), RETRY_AFTER);
        };
    }

    // False if nobody is there: what was asked for is forgotten, because the scene may be another one when it is back.
    send(text: string): boolean {
        if (!this.socket || !this.opened) return false;
        this.socket.send(text);
        return true;
    }
}

export function describeClose(code: number, reason: string, wasOpen: boolean): string {
    if (code === 1013) return reason || "Too many pages are watching already; close one of them.";
    if (code === 1008 || code === 1009 || code === 1003) return reason || "The program refused a message of this page.";
    if (code === 1001) return "The program was ended.";
    return wasOpen ? "The connection was lost." : "Nobody answers at this address.";
}

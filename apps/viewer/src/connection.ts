// SPDX-License-Identifier: Apache-2.0
// A WebSocket that comes back: when it closes, for whatever reason, it is opened again every second until it holds.
// Browsers do not say why a socket never opened, so the server is asked for its page, which needs no token.
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

export interface Surroundings {
    makeSocket(): Socket;
    isAnybodyThere(): Promise<boolean>; // whoever it lets in
    later(action: () => void, milliseconds: number): void;
}

export const RETRY_AFTER = 1000; // [ms]

export class Connection {
    private socket: Socket | null = null;
    private opened = false;

    constructor(private readonly around: Surroundings, private readonly events: ConnectionEvents) {}

    open(): void {
        const socket = this.around.makeSocket();
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
            if (this.opened) this.events.state("lost", describeClose(code, reason));
            else void this.tellWhyItNeverOpened();
            this.opened = false;
            this.around.later(() => this.open(), RETRY_AFTER);
        };
    }

    private async tellWhyItNeverOpened(): Promise<void> {
        const refused = await this.around.isAnybodyThere();
        if (this.opened) return;
        this.events.state("lost", refused ? "The program that runs here has another token: open the address that it printed."
            : "Nobody answers at this address: start `tulle view` again to go on.");
    }

    // False if nobody is there: what was asked for is forgotten, because the scene may be another one when it is back.
    send(text: string): boolean {
        if (!this.socket || !this.opened) return false;
        this.socket.send(text);
        return true;
    }
}

function describeClose(code: number, reason: string): string {
    if (code === 1013) return reason || "Too many pages are watching already; close one of them.";
    if (code === 1008 || code === 1009 || code === 1003) return reason || "The program refused a message of this page.";
    if (code === 1001) return "The program was ended: start `tulle view` again to go on.";
    return "The connection was lost.";
}

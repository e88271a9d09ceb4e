// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection, RETRY_AFTER, type Socket } from "../../../apps/viewer/src/connection";

class WireEnd implements Socket {
    sent: string[] = [];
    onopen: (() => void) | null = null;
    onmessage: ((event: { data: unknown }) => void) | null = null;
    onclose: ((event: { code: number; reason: string }) => void) | null = null;
    send(text: string): void {
        this.sent.push(text);
    }
    close(): void {}
}

function makeConnection(isAnybodyThere = false) {
    const sockets: WireEnd[] = [], told: string[] = [], later: { action: () => void; after: number }[] = [];
    const connection = new Connection(
        {
            makeSocket: () => sockets[sockets.push(new WireEnd()) - 1],
            isAnybodyThere: () => Promise.resolve(isAnybodyThere),
            later: (action, after) => later.push({ action, after }),
        },
        { state: (state, reason) => told.push(`${state}: ${reason}`), text: (text) => told.push(text), binary: (data) => told.push(`${data.byteLength} bytes`) });
    connection.open();
    return { connection, sockets, told, later };
}

test("A connection that was lost is opened again after a second, as often as it takes", () => {
    const { sockets, later, told } = makeConnection();
    sockets[0].onopen!();
    for (let attempt = 0; attempt < 5; ++attempt) {
        sockets[attempt].onclose!({ code: 1006, reason: "" });
        assert.equal(later[attempt].after, RETRY_AFTER);
        later[attempt].action();
        assert.equal(sockets.length, attempt + 2);
    }
    sockets[5].onopen!();
    assert.equal(told.at(-1), "open: ");
});

test("A connection that was closed twice is opened once", () => {
    const { sockets, later } = makeConnection();
    sockets[0].onclose!({ code: 1006, reason: "" });
    sockets[0].onclose!({ code: 1006, reason: "" });
    assert.equal(later.length, 1);
});

test("Nothing is sent while nobody is there", () => {
    const { connection, sockets } = makeConnection();
    assert.equal(connection.send("early"), false);
    sockets[0].onopen!();
    assert.equal(connection.send("now"), true);
    sockets[0].onclose!({ code: 1001, reason: "" });
    assert.equal(connection.send("late"), false);
    assert.deepEqual(sockets[0].sent, ["now"]);
});

test("The reason of the server is told in its own words", () => {
    const { sockets, told } = makeConnection();
    sockets[0].onopen!();
    sockets[0].onclose!({ code: 1008, reason: "the message has an unknown key" });
    assert.equal(told.at(-1), "lost: the message has an unknown key");
});

test("A server that is not there and one that lets nobody in are told apart", async () => {
    for (const [isAnybodyThere, reason] of [[false, /Nobody answers/], [true, /another token/]] as const) {
        const { sockets, told } = makeConnection(isAnybodyThere);
        sockets[0].onclose!({ code: 1006, reason: "" });
        await Promise.resolve();
        assert.match(told.at(-1)!, reason);
    }
});

test("Why a connection never opened is not told when it is open by now", async () => {
    const { sockets, told, later } = makeConnection();
    sockets[0].onclose!({ code: 1006, reason: "" });
    later[0].action();
    sockets[1].onopen!();
    await Promise.resolve();
    assert.deepEqual(told, ["open: "]);
});

test("Text and arrays of bytes arrive as what they are", () => {
    const { sockets, told } = makeConnection();
    sockets[0].onmessage!({ data: "hello" });
    sockets[0].onmessage!({ data: new ArrayBuffer(12) });
    assert.deepEqual(told, ["hello", "12 bytes"]);
});

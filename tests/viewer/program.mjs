// SPDX-License-Identifier: Apache-2.0
// `tulle view` as a process of its own.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const STARTS_WITHIN = 60_000; // [ms]

export class Program {
    #process = null;
    #printed = "";

    constructor(path, folder, args) {
        this.path = path;
        this.folder = folder; // what it saves goes there
        this.args = args;
    }

    // Returns the address that it prints.
    async start() {
        this.#printed = "";
        this.#process = spawn(this.path, ["view", ...this.args], { cwd: this.folder, stdio: ["ignore", "pipe", "pipe"] });
        const collect = (chunk) => (this.#printed += chunk);
        this.#process.stdout.on("data", collect);
        this.#process.stderr.on("data", collect);
        const deadline = Date.now() + STARTS_WITHIN;
        while (Date.now() < deadline) {
            const address = this.#printed.match(/http:\/\/\S+token=[\w-]+/)?.[0];
            if (address) return address;
            if (this.#process.exitCode !== null) break;
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
        throw new Error(`tulle view printed no address: ${this.#printed}`);
    }

    async stop(signal = "SIGTERM") {
        const running = this.#process;
        this.#process = null;
        if (!running || running.exitCode !== null) return;
        const ended = new Promise((resolve) => running.once("exit", resolve));
        running.kill(signal);
        await ended;
    }

    get pid() {
        return this.#process?.pid;
    }
}

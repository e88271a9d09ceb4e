// SPDX-License-Identifier: Apache-2.0
// Buffers that are used again, so that frames at 60 a second leave nothing for the garbage collector.
const KEPT_OF_A_SIZE = 4;

export class BufferPool {
    private readonly free = new Map<number, ArrayBuffer[]>();

    take(bytes: number): ArrayBuffer {
        return this.free.get(bytes)?.pop() ?? new ArrayBuffer(bytes);
    }

    give(buffers: Iterable<ArrayBuffer>): void {
        for (const buffer of buffers) {
            if (buffer.byteLength === 0) continue;
            const same = this.free.get(buffer.byteLength) ?? [];
            if (same.length < KEPT_OF_A_SIZE) same.push(buffer);
            this.free.set(buffer.byteLength, same);
        }
    }

    clear(): void {
        this.free.clear();
    }
}

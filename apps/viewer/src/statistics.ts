// SPDX-License-Identifier: Apache-2.0
export function median(values: readonly number[]): number | null {
    if (values.length === 0) return null;
    const sorted = [...values].sort((a, b) => a - b);
    const middle = sorted.length >> 1;
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// Part 0.95 is the value that 95 % of the others do not exceed.
export function quantile(values: readonly number[], part: number): number {
    const sorted = [...values].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

// The last few values.
export class Recent {
    private readonly values: number[] = [];

    constructor(private readonly kept = 30) {}

    // A moment in which the machine was busy with something else does not count.
    get median(): number | null {
        return median(this.values);
    }

    add(value: number): void {
        this.values.push(value);
        if (this.values.length > this.kept) this.values.shift();
    }

    get mean(): number | null {
        if (this.values.length === 0) return null;
        return this.values.reduce((sum, value) => sum + value, 0) / this.values.length;
    }
}

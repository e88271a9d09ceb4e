// SPDX-License-Identifier: Apache-2.0
export function median(values: readonly number[]): number | null {
    if (values.length === 0) return null;
    const sorted = [...values].sort((a, b) => a - b);
    const middle = sorted.length >> 1;
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// The mean of the last few values.
export class RecentMean {
    private readonly values: number[] = [];

    constructor(private readonly kept = 30) {}

    add(value: number): void {
        this.values.push(value);
        if (this.values.length > this.kept) this.values.shift();
    }

    get mean(): number | null {
        if (this.values.length === 0) return null;
        return this.values.reduce((sum, value) => sum + value, 0) / this.values.length;
    }
}

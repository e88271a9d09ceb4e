// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them.
export const count = (value: number): string => value.toLocaleString("en-US");

// Three figures, or two after the point: 0.19, 1.34, 12.6, 148.
export function short(value: number): string {
    const size = Math.abs(value);
    if (size >= 99.95) return value.toFixed(0);
    return value.toFixed(size >= 9.995 ? 1 : 2);
}

export const withUnit = (number: string, unit: string): string => (unit === "" || unit === "°" ? number + unit : `${number} ${unit}`);

export const percent = (part: number): string => `${(100 * part).toFixed(Math.abs(part) < 0.0995 ? 1 : 0)} %`;

export function times(ratio: number): string {
    return `${ratio >= 9.95 ? ratio.toFixed(0) : ratio.toFixed(1)}×`;
}

// A step of a legend in the unit of its values.
export function amount(mode: string, value: number): string {
    if (mode === "strain") return percent(value);
    if (mode === "speed") return `${short(value)} m/s`;
    if (Math.abs(value) < 0.1) return `${short(1000 * value)} mm`;
    return Math.abs(value) < 1 ? `${(100 * value).toFixed(1)} cm` : `${short(value)} m`;
}

// SPDX-License-Identifier: Apache-2.0
// Places of a slider, 0 to 1000, and the values they stand for.
export const SLIDER_STEPS = 1000;

export interface SliderRange {
    min: number;
    max: number;
    scale?: "linear" | "log";
    integer?: boolean;
}

export function valueAt(place: number, { min, max, scale, integer }: SliderRange): number {
    const part = Math.min(1, Math.max(0, place / SLIDER_STEPS));
    const value = scale === "log" ? min * (max / min) ** part : min + part * (max - min);
    return Math.min(max, Math.max(min, integer ? Math.round(value) : Number(value.toPrecision(3))));
}

export function placeOf(value: number, { min, max, scale }: SliderRange): number {
    if (max <= min) return 0;
    const part = scale === "log" ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
    return Math.round(SLIDER_STEPS * Math.min(1, Math.max(0, part)));
}

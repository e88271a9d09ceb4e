// SPDX-License-Identifier: Apache-2.0
// The colour scale of values on the cloth, the same as in rendered pictures: lightness rises evenly from indigo over
// magenta and orange to yellow.
import { DataTexture, LinearFilter, RGBAFormat, SRGBColorSpace } from "three";

const STOPS = 64;

function srgb(linear: number): number {
    const value = Math.min(1, Math.max(0, linear));
    return value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
}

// OKLab (Ottosson 2020) to linear sRGB, perhaps outside of [0, 1].
function fromOklch(lightness: number, chroma: number, hue: number): [number, number, number] {
    const a = chroma * Math.cos(hue), b = chroma * Math.sin(hue);
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    return [
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ];
}

// A colour of the scale, 0 to 1, as sRGB from 0 to 255. The chroma is as large as a screen can show, up to a limit.
export function scaleColor(part: number): [number, number, number] {
    const lightness = 0.42 + 0.5 * part, hue = ((285 + 178 * part) * Math.PI) / 180;
    let chroma = 0.19;
    while (chroma > 0 && fromOklch(lightness, chroma, hue).some((value) => value < 0 || value > 1)) chroma -= 0.005;
    return fromOklch(lightness, Math.max(0, chroma), hue).map((value) => Math.round(255 * srgb(value))) as [number, number, number];
}

export function makeScaleTexture(): DataTexture {
    const data = new Uint8Array(4 * STOPS);
    for (let i = 0; i < STOPS; ++i) data.set([...scaleColor(i / (STOPS - 1)), 255], 4 * i);
    const texture = new DataTexture(data, STOPS, 1, RGBAFormat);
    texture.colorSpace = SRGBColorSpace;
    texture.magFilter = texture.minFilter = LinearFilter;
    texture.needsUpdate = true;
    return texture;
}

export function scaleGradient(): string {
    const stops = Array.from({ length: 9 }, (_, i) => `rgb(${scaleColor(i / 8).join(" ")})`);
    return `linear-gradient(to right, ${stops.join(", ")})`;
}

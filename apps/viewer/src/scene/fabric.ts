// SPDX-License-Identifier: Apache-2.0
// The look of the cloth: stripes in other colours on the front and on the back, threads, a soft rim of light, or values
// in the colours of a scale.
import { Color, DoubleSide, MeshLambertMaterial, type IUniform } from "three";
import { makeScaleTexture } from "./color_scale";

const FRONT = "#18768a", FRONT_BAND = "#f0e6d0", BACK = "#e26a46", BACK_BAND = "#f4e2c4";

export interface FabricLook {
    stripes: { value: number }; // how many periods in one unit of the texture
    threads: { value: number }; // likewise
    shown: { value: number }; // 0: fabric, 1: values
}

const scale = makeScaleTexture();

const VERTEX_HEAD = `
attribute float amount;
varying float vAmount;
varying vec2 vPlace;
`;
const FRAGMENT_HEAD = `
uniform vec3 frontColor, frontBand, backColor, backBand;
uniform float stripes, threads, shown;
uniform sampler2D scaleColors;
varying float vAmount;
varying vec2 vPlace;

float bandIntegral(float x) { return floor(x) * 0.3 + min(fract(x), 0.3); }

// The mean of the bands over a pixel: exact, so they do not flicker however far away they are.
float bands(float x) {
    float width = max(fwidth(x), 1e-3);
    return (bandIntegral(x + 0.5 * width) - bandIntegral(x - 0.5 * width)) / width;
}

float weave(vec2 place) {
    vec2 at = place * threads;
    vec2 spot = fwidth(at);
    float seen = 1.0 - smoothstep(0.15, 0.5, max(spot.x, spot.y));
    vec2 wave = sin(6.2832 * at);
    return 1.0 + 0.10 * seen * wave.x * wave.y;
}
`;
const COLOR = `
float band = bands(vPlace.y * stripes);
vec3 cloth = gl_FrontFacing ? mix(frontColor, frontBand, band) : mix(backColor, backBand, band);
cloth *= weave(vPlace);
vec3 value = texture2D(scaleColors, vec2(vAmount * 0.98 + 0.01, 0.5)).rgb;
diffuseColor.rgb = mix(cloth, gl_FrontFacing ? value : value * 0.8, shown);
`;
const RIM = `
float facing = clamp(dot(normalize(vViewPosition), normal), 0.0, 1.0);
outgoingLight += diffuseColor.rgb * 0.35 * pow(1.0 - facing, 3.0) * (1.0 - 0.6 * shown);
#include <opaque_fragment>
`;

export function makeFabric(): { material: MeshLambertMaterial; look: FabricLook } {
    const look: FabricLook = { stripes: { value: 11 }, threads: { value: 160 }, shown: { value: 0 } };
    const uniforms: Record<string, IUniform> = {
        ...look,
        frontColor: { value: new Color(FRONT) },
        frontBand: { value: new Color(FRONT_BAND) },
        backColor: { value: new Color(BACK) },
        backBand: { value: new Color(BACK_BAND) },
        scaleColors: { value: scale },
    };
    const material = new MeshLambertMaterial({ side: DoubleSide });
    material.onBeforeCompile = (shader) => {
        Object.assign(shader.uniforms, uniforms);
        shader.vertexShader = VERTEX_HEAD + shader.vertexShader.replace(
            "#include <begin_vertex>", "#include <begin_vertex>\nvAmount = amount;\nvPlace = uv;");
        shader.fragmentShader = FRAGMENT_HEAD + shader.fragmentShader
            .replace("#include <color_fragment>", COLOR)
            .replace("#include <opaque_fragment>", RIM);
    };
    material.defines = { ...material.defines, USE_UV: "" };
    return { material, look };
}

// SPDX-License-Identifier: Apache-2.0
// What a cloth is seen in: light from the sky, a lamp that casts shadows, and a ground that fades away.
import {
    CircleGeometry, Color, DirectionalLight, Group, HemisphereLight, Mesh, MeshLambertMaterial, Quaternion, Vector3,
} from "three";
import type { Vec3 } from "../vector";

export interface Bounds {
    center: Vector3;
    radius: number; // [m]
}

export interface GroundPlace {
    point: Vec3;
    normal: Vec3;
}

const GROUND_COLORS = { light: "#e3e7ec", dark: "#232a35" };
const GRID_STRENGTH = { light: 0.10, dark: 0.07 };
export type Shade = keyof typeof GROUND_COLORS;

// Lines every half metre, and an edge that dissolves into what is behind.
const GROUND_COLOR = `
vec2 at = vGround * 2.0;
vec2 lines = abs(fract(at - 0.5) - 0.5) / max(fwidth(at), vec2(1e-4));
float line = (1.0 - min(min(lines.x, lines.y), 1.0)) * (1.0 - smoothstep(0.1, 0.6, max(fwidth(at).x, fwidth(at).y)));
diffuseColor.rgb = mix(diffuseColor.rgb, gridColor, line * gridStrength);
diffuseColor.a *= 1.0 - smoothstep(0.25, 1.0, length(vGround) / reach);
`;

export class Ground {
    readonly mesh: Mesh<CircleGeometry, MeshLambertMaterial>;
    private readonly uniforms = {
        reach: { value: 10 }, gridStrength: { value: 0.1 }, gridColor: { value: new Color() },
    };

    constructor(place: GroundPlace, bounds: Bounds) {
        const reach = 7 * bounds.radius;
        this.uniforms.reach.value = reach;
        const material = new MeshLambertMaterial({ transparent: true, depthWrite: false });
        material.onBeforeCompile = (shader) => {
            Object.assign(shader.uniforms, this.uniforms);
            shader.vertexShader = "varying vec2 vGround;\n" + shader.vertexShader.replace(
                "#include <begin_vertex>", "#include <begin_vertex>\nvGround = position.xy;");
            shader.fragmentShader = "varying vec2 vGround;\nuniform float reach, gridStrength;\nuniform vec3 gridColor;\n" +
                shader.fragmentShader.replace("#include <color_fragment>", GROUND_COLOR);
        };
        this.mesh = new Mesh(new CircleGeometry(reach, 64), material);
        this.mesh.receiveShadow = true;
        this.mesh.renderOrder = -1;
        const normal = new Vector3(...place.normal).normalize();
        const distance = bounds.center.clone().sub(new Vector3(...place.point)).dot(normal);
        this.mesh.position.copy(bounds.center).addScaledVector(normal, -distance);
        this.mesh.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal));
    }

    setShade(shade: Shade): void {
        this.mesh.material.color.set(GROUND_COLORS[shade]);
        this.uniforms.gridColor.value.set(shade === "light" ? "#30405a" : "#9fb4d6");
        this.uniforms.gridStrength.value = GRID_STRENGTH[shade];
    }

    dispose(): void {
        this.mesh.geometry.dispose();
        this.mesh.material.dispose();
    }
}

// Without a floor in the scene the ground is where a person would stand, or below the cloth if that is far away.
export function defaultGround(up: Vec3, box: readonly [Vec3, Vec3]): GroundPlace {
    const axis = up.findIndex((value) => value !== 0);
    const least = box[0][axis], height = Math.hypot(...box[1].map((value, i) => value - box[0][i]));
    const level = least > 0 && least < 1.5 * height ? 0 : least - 0.25 * height;
    return { point: up.map((value) => value * level) as unknown as Vec3, normal: up };
}

export class Lights extends Group {
    private readonly lamp = new DirectionalLight("#fff4e6", 2.6);
    private readonly sky = new HemisphereLight("#f4f8ff", "#d3c8bd", 1.5);
    private readonly fill = new DirectionalLight("#bcd4ff", 0.5);
    private readonly brighter: number; // the sky, where there is no fill light

    constructor(bounds: Bounds, up: Vector3, fillLight: boolean) {
        super();
        this.brighter = fillLight ? 0 : 0.5;
        const side = new Vector3(1, 0, 0), front = new Vector3().crossVectors(side, up);
        const from = (a: number, b: number, c: number): Vector3 =>
            bounds.center.clone().addScaledVector(side, a * bounds.radius).addScaledVector(front, b * bounds.radius)
                .addScaledVector(up, c * bounds.radius);
        this.sky.position.copy(up);
        this.lamp.position.copy(from(-1.6, 1.7, 3.2));
        this.fill.position.copy(from(2, -2.5, 0.6));
        this.lamp.target.position.copy(bounds.center);
        this.fill.target.position.copy(bounds.center);
        this.setUpShadows(bounds.radius);
        this.add(this.sky, this.lamp, this.lamp.target);
        if (fillLight) this.add(this.fill, this.fill.target);
    }

    private setUpShadows(radius: number): void {
        const reach = 2.2 * radius, { shadow } = this.lamp;
        this.lamp.castShadow = true;
        Object.assign(shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * radius, far: 12 * radius });
        shadow.mapSize.set(1024, 1024);
        shadow.bias = -0.0005;
        shadow.normalBias = 0.018 * radius;
        shadow.radius = 4;
    }

    setShade(shade: Shade): void {
        this.sky.intensity = (shade === "light" ? 2.5 : 1.9) + this.brighter;
        this.lamp.intensity = shade === "light" ? 3.0 : 3.0;
    }

    // With maps of this many pixels to a side, or without shadows if it is 0.
    setShadows(size: number): void {
        const { shadow } = this.lamp;
        this.lamp.castShadow = size > 0;
        if (size === 0 || shadow.mapSize.x === size) return;
        shadow.mapSize.set(size, size);
        shadow.map?.dispose();
        shadow.map = null;
    }

    dispose(): void {
        this.lamp.dispose();
        this.fill.dispose();
    }
}

// SPDX-License-Identifier: Apache-2.0
// The messages of PROTOCOL.md as types.
import type { Vec3 } from "./vector";

export interface Hello {
    type: "hello";
    version: number;
    program: string;
    scenes: { name: string; description: string }[];
    methods: { name: string; family: string; default: string }[];
    max_panels: number;
    saves_to: string;
}

export interface PanelInfo {
    panel: number;
    title: string;
    method: string;
    vertices: number;
    simulated_vertices: number;
    triangles: number;
    topology: number;
}

export interface ColliderInfo {
    collider: number;
    name: string;
    kind: "rigid" | "deforming" | "plane";
    movable: boolean;
    topology?: number;
    point?: Vec3;
    normal?: Vec3;
}

export type ParameterValue = number | string | Vec3;

interface ParameterBase<Value extends ParameterValue> {
    name: string;
    label: string;
    unit: string;
    value: Value;
    default: Value;
    rebuilds: boolean;
}
export interface NumberParameter extends ParameterBase<number> {
    kind: "number" | "integer";
    scale?: "linear" | "log";
    min: number;
    max: number;
}
export interface VectorParameter extends ParameterBase<Vec3> {
    kind: "vector";
    max: number;
}
export interface ChoiceParameter extends ParameterBase<string> {
    kind: "choice";
    choices: string[];
}
export type Parameter = NumberParameter | VectorParameter | ChoiceParameter;

export interface Joint {
    name: string;
    low: Vec3; // [rad] how far it bends, spreads and twists
    high: Vec3;
}
export interface BodyInfo {
    clips: string[]; // the empty one: it stands still
    clip: string;
    joints: Joint[];
}

export type Box = readonly [Vec3, Vec3]; // least and largest coordinates [m]

export interface SceneInfo {
    type: "scene";
    kind: "live" | "recorded";
    name: string;
    description: string;
    up: Vec3;
    frame_rate: number;
    frames: number;
    box: Box;
    grabbable: boolean;
    colors: ColorMode[];
    panels: PanelInfo[];
    colliders: ColliderInfo[];
    parameters: Parameter[];
    body: null | BodyInfo;
}

export type ColorMode = "fabric" | "strain" | "speed" | "error" | "difference";

export interface PanelStatus {
    panel: number;
    frame: number;
    time: number;
    frames_per_second: number;
    ms: number;
    stages: Record<string, number>;
    worst_stretch: number;
    message: string;
}

export interface Status {
    type: "status";
    playing: boolean;
    speed: number;
    color: ColorMode;
    busy: string;
    values: Record<string, ParameterValue>;
    offsets: Record<string, Vec3>;
    joints: Record<string, Vec3>; // [rad] those that were turned
    clients: number;
    panels: PanelStatus[];
}

export interface Saved {
    type: "saved";
    what: SaveKind;
    path: string;
    note?: string;
}

export type ServerMessage =
    | Hello
    | SceneInfo
    | Status
    | Saved
    | { type: "error"; text: string }
    | { type: "note"; text: string };

export type SaveKind = "cache" | "picture" | "gltf";

export interface CameraPose {
    eye: Vec3;
    target: Vec3;
    field_of_view: number;
}

export type Request =
    | { type: "play" | "pause" | "step" | "restart" }
    | { type: "speed"; value: number }
    | { type: "seek"; frame: number }
    | { type: "open"; scene: string }
    | { type: "methods"; methods: string[] }
    | { type: "grab"; pointer: number; panel: number; triangle: number; weights: Vec3; target: Vec3; everywhere: boolean }
    | { type: "drag"; pointer: number; target: Vec3 }
    | { type: "release"; pointer: number }
    | { type: "collider"; name: string; offset: Vec3 }
    | { type: "set"; name: string; value: ParameterValue }
    | { type: "reset"; name?: string }
    | { type: "clip"; name: string }
    | { type: "joint"; name: string; angles: Vec3 }
    | { type: "color"; mode: ColorMode }
    | { type: "save"; what: SaveKind; panel: number; camera?: CameraPose; size?: [number, number] };

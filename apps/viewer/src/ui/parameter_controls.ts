// SPDX-License-Identifier: Apache-2.0
// One control for each thing that the scene lets the visitor change.
import type { ChoiceParameter, NumberParameter, Parameter, ParameterValue, VectorParameter } from "../protocol";
import { placeOf, SLIDER_STEPS, valueAt, type SliderRange } from "../slider_scale";
import { dot, length, scale, type Vec3 } from "../vector";
import { element, iconButton, setText } from "./dom";
import { short, withUnit } from "./format";

export interface ParameterControl {
    node: HTMLElement;
    show(value: ParameterValue): void; // what the server says
}

export interface ParameterActions {
    set(name: string, value: ParameterValue): void;
    reset(name: string): void;
}

const same = (a: ParameterValue, b: ParameterValue): boolean => JSON.stringify(a) === JSON.stringify(b);

export function makeControl(parameter: Parameter, up: Vec3, actions: ParameterActions): ParameterControl {
    if (parameter.kind === "choice") return makeChoice(parameter, actions);
    if (parameter.kind === "vector") return makeStrength(parameter, up, actions);
    return makeNumber(parameter, actions);
}

function rebuildMark(): HTMLElement {
    const meaning = "prepared in the background when you let go";
    return element("span", { class: "hint", role: "img", title: meaning, "aria-label": meaning }, "⟳");
}

interface SliderSpec {
    range: SliderRange;
    unit: string;
    pick(value: number): void;
    reset(): void;
    rebuilds: boolean;
}

// A labelled slider. What has to be prepared in the background is asked for when the slider is let go, the rest at once.
export function makeSlider(label: string, spec: SliderSpec): { node: HTMLElement; show(value: number, changed: boolean): void } {
    const output = element("output");
    const input = element("input", { type: "range", min: 0, max: SLIDER_STEPS, step: 1, "aria-label": label });
    const reset = iconButton("reset", `Back to the scene's own: ${label}`, spec.reset, "quiet tiny");
    let held = false;
    const tell = (value: number): void => {
        const text = withUnit(spec.range.integer ? value.toFixed(0) : short(value), spec.unit);
        setText(output, text);
        input.setAttribute("aria-valuetext", text);
        input.style.setProperty("--part", `${placeOf(value, spec.range) / 10}%`);
    };
    const value = (): number => valueAt(Number(input.value), spec.range);
    input.oninput = () => {
        held = true;
        tell(value());
        if (!spec.rebuilds) spec.pick(value());
    };
    input.onchange = () => {
        held = false;
        spec.pick(value());
    };
    const node = element("div", { class: "control" },
        element("label", {}, label, spec.rebuilds && rebuildMark()),
        output, reset, input);
    const show = (now: number, changed: boolean): void => {
        reset.style.visibility = changed ? "visible" : "hidden";
        if (held) return;
        input.value = String(placeOf(now, spec.range));
        tell(now);
    };
    return { node, show };
}

function makeNumber(parameter: NumberParameter, actions: ParameterActions): ParameterControl {
    const { node, show } = makeSlider(parameter.label, {
        range: { min: parameter.min, max: parameter.max, scale: parameter.scale, integer: parameter.kind === "integer" },
        unit: parameter.unit,
        rebuilds: parameter.rebuilds,
        pick: (value) => actions.set(parameter.name, value),
        reset: () => actions.reset(parameter.name),
    });
    return { node, show: (value) => show(Number(value), !same(value, parameter.default)) };
}

// How strong a vector is, along the direction that it has.
function makeStrength(parameter: VectorParameter, up: Vec3, actions: ParameterActions): ParameterControl {
    const known = length(parameter.default) > 0 ? parameter.default : parameter.name === "gravity" ? scale(up, -1) : ([1, 0, 0] as Vec3);
    let direction = scale(known, 1 / length(known));
    const { node, show } = makeSlider(parameter.label, {
        range: { min: 0, max: parameter.max },
        unit: parameter.unit,
        rebuilds: parameter.rebuilds,
        pick: (value) => actions.set(parameter.name, scale(direction, value)),
        reset: () => actions.reset(parameter.name),
    });
    return {
        node,
        show(value) {
            const vector = value as Vec3, strength = Math.sqrt(dot(vector, vector));
            if (strength > 1e-6) direction = scale(vector, 1 / strength);
            show(strength, !same(value, parameter.default));
        },
    };
}

function makeChoice(parameter: ChoiceParameter, actions: ParameterActions): ParameterControl {
    const select = element("select", { "aria-label": parameter.label },
                           ...parameter.choices.map((choice) => element("option", { value: choice }, choice)));
    select.onchange = () => actions.set(parameter.name, select.value);
    const node = element("div", { class: "control choice" },
        element("label", {}, parameter.label, parameter.rebuilds && rebuildMark()),
        select);
    return { node, show: (value) => void (select.value = String(value)) };
}

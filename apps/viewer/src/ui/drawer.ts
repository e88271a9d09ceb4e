// SPDX-License-Identifier: Apache-2.0
// The side of the page: what can be changed, what it costs, and how to keep what was seen.
import type { ParameterValue, Request, SaveKind, SceneInfo, Status, VectorParameter } from "../protocol";
import { dot, scale, subtract, add, type Vec3 } from "../vector";
import { BodyControls } from "./body_controls";
import { StageChart } from "./chart";
import { element, find, iconButton } from "./dom";
import { makeControl, makeSlider, type ParameterControl } from "./parameter_controls";

export interface DrawerActions {
    send(request: Request): void;
    save(what: SaveKind, panel: number): void;
}

const SAVES: [SaveKind, string][] = [["cache", "Cache"], ["picture", "Picture"], ["gltf", "glTF"]];

function section(title: string, ...children: (Node | null)[]): HTMLElement {
    return element("section", { class: "group" }, element("h3", {}, title), ...children);
}

export class Drawer {
    private readonly body = find("#drawer-body");
    private readonly chart = new StageChart();
    private controls = new Map<string, ParameterControl[]>();
    private bodyControls: BodyControls | null = null;

    constructor(private readonly actions: DrawerActions) {
        find("#drawer").prepend(iconButton("close", "Close the controls", () => this.toggle(false), "drawer-close"));
    }

    toggle(open = !document.body.classList.contains("drawer-open")): void {
        document.body.classList.toggle("drawer-open", open);
    }

    setScene(scene: SceneInfo): void {
        this.controls = new Map();
        this.chart.setScene(scene);
        const parts = [scene.kind === "live" ? section("Milliseconds per frame", this.chart.node) : null, this.makeParameters(scene),
                       this.makeBody(scene), this.makeColliders(scene), this.makeSaves(scene)];
        this.body.replaceChildren(...parts.filter((part): part is HTMLElement => part !== null));
        this.showValues(Object.fromEntries(scene.parameters.map(({ name, value }) => [name, value])));
    }

    setStatus(status: Status): void {
        this.chart.setStatus(status);
        this.showValues(status.values);
        this.bodyControls?.setTurned(status.joints);
    }

    private showValues(values: Record<string, ParameterValue>): void {
        for (const [name, value] of Object.entries(values)) for (const control of this.controls.get(name) ?? []) control.show(value);
    }

    private makeParameters(scene: SceneInfo): HTMLElement | null {
        if (scene.parameters.length === 0) return null;
        const actions = {
            set: (name: string, value: ParameterValue) => this.actions.send({ type: "set", name, value }),
            reset: (name: string) => this.actions.send({ type: "reset", name }),
        };
        const group = section("Change it while it runs");
        for (const parameter of scene.parameters) {
            const made = [makeControl(parameter, scene.up, actions)];
            if (parameter.kind === "vector" && parameter.name === "wind") made.push(this.makeRise(parameter, scene.up));
            this.controls.set(parameter.name, made);
            group.append(...made.map((control) => control.node));
        }
        group.append(element("button", { type: "button", class: "wide", onclick: () => this.actions.send({ type: "reset" }) },
                             "Back to the scene's own"));
        return group;
    }

    // The part of the wind that the compass cannot show: up and down.
    private makeRise(parameter: VectorParameter, up: Vec3): ParameterControl {
        let wind = parameter.value;
        const rise = (value: number): Vec3 => add(subtract(wind, scale(up, dot(wind, up))), scale(up, value));
        const { node, show } = makeSlider("Wind upwards", {
            range: { min: -0.5 * parameter.max, max: 0.5 * parameter.max },
            unit: parameter.unit,
            rebuilds: parameter.rebuilds,
            pick: (value) => this.actions.send({ type: "set", name: parameter.name, value: rise(value) }),
            reset: () => this.actions.send({ type: "set", name: parameter.name, value: rise(0) }),
        });
        return {
            node,
            show(value) {
                wind = value as Vec3;
                show(dot(wind, up), Math.abs(dot(wind, up)) > 1e-6);
            },
        };
    }

    private makeColliders(scene: SceneInfo): HTMLElement | null {
        const movable = scene.colliders.filter((collider) => collider.movable);
        if (movable.length === 0) return null;
        const list = element("ul", { class: "plain" }, ...movable.map(({ name }) =>
            element("li", {}, element("span", {}, name), iconButton("reset", `Put ${name} back`, () =>
                this.actions.send({ type: "collider", name, offset: [0, 0, 0] }), "quiet tiny"))));
        return section("Solids", element("p", { class: "hint-line" }, "Drag them in the picture."), list);
    }

    private makeBody(scene: SceneInfo): HTMLElement | null {
        this.bodyControls = scene.body && new BodyControls(scene.body, this.actions.send, this.bodyControls?.joint);
        if (!this.bodyControls) return null;
        return section("Body", ...this.bodyControls.nodes);
    }

    private makeSaves(scene: SceneInfo): HTMLElement {
        const panel = element("select", { "aria-label": "Panel to save" },
                              ...scene.panels.map(({ panel: index, title }) => element("option", { value: index }, title)));
        const offered = SAVES.filter(([what]) => scene.kind === "live" || what !== "cache"); // recorded frames are one already
        const buttons = offered.map(([what, label]) => element("button", { type: "button", "data-save": what,
            onclick: () => this.actions.save(what, Number(panel.value)) }, label));
        return section("Save what was seen", element("div", { class: "control choice" }, element("label", {}, "Panel"), panel),
                       element("div", { class: "button-row" }, ...buttons));
    }
}

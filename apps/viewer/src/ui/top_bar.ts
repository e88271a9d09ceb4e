// SPDX-License-Identifier: Apache-2.0
// The scene, the colours, and what concerns the page itself.
import type { ColorMode, Hello, Request, SceneInfo, Status } from "../protocol";
import { scaleGradient } from "../scene/color_scale";
import { element, find, iconButton, setText } from "./dom";
import { amount } from "./format";

export interface TopActions {
    send(request: Request): void;
    addPanel(): void;
    fit(): void;
    toggleTheme(): void;
    toggleHelp(): void;
    toggleDrawer(): void;
}

const COLOR_LABELS: Record<ColorMode, string> = {
    fabric: "Fabric", strain: "Strain", speed: "Speed", error: "Predicted error", difference: "Difference",
};
const LEGEND_LABELS: Record<ColorMode, string> = {
    fabric: "", strain: "Stretch of the cloth", speed: "Speed", error: "Error that the method expects of itself",
    difference: "Distance from the first panel",
};

export class TopBar {
    colors: ColorMode[] = [];
    private readonly scenes = element("select", { id: "scenes", "aria-label": "Scene" });
    private readonly description = element("p", { class: "description" });
    private readonly modes = element("div", { class: "segments", role: "group", "aria-label": "Colours" });
    private readonly add = iconButton("plus", "Add a panel", () => this.actions.addPanel(), "labelled");
    private readonly legend = find("#legend");
    private mode: ColorMode = "fabric";
    private shown = ""; // the scene
    private most = 1;

    constructor(private readonly actions: TopActions) {
        this.add.append(element("span", {}, "Panel"));
        // The server may refuse; then the scene stays what it is.
        this.scenes.onchange = () => {
            actions.send({ type: "open", scene: this.scenes.value });
            this.scenes.value = this.shown;
        };
        find("#top").append(
            element("div", { class: "scene-picker" }, this.scenes, this.description), this.modes, this.add,
            element("div", { class: "tools" },
                iconButton("fit", "See all of it (F)", actions.fit), iconButton("theme", "Dark or light (T)", actions.toggleTheme),
                iconButton("help", "Help (?)", actions.toggleHelp), iconButton("sliders", "Controls (C)", actions.toggleDrawer, "drawer-button")));
        find("#legend .scale").setAttribute("style", `background:${scaleGradient()}`);
    }

    setHello(hello: Hello): void {
        this.scenes.replaceChildren(...hello.scenes.map(({ name }) => element("option", { value: name }, name)));
        this.scenes.hidden = hello.scenes.length === 0;
        this.most = hello.max_panels;
    }

    setScene(scene: SceneInfo): void {
        if (![...this.scenes.options].some(({ value }) => value === scene.name))
            this.scenes.prepend(element("option", { value: scene.name }, scene.name));
        this.scenes.value = this.shown = scene.name;
        setText(this.description, scene.description);
        this.add.hidden = scene.kind !== "live" || scene.panels.length >= this.most;
        this.colors = scene.colors;
        this.modes.replaceChildren(...scene.colors.map((mode, i) =>
            element("button", { type: "button", "data-color": mode, "aria-pressed": String(mode === this.mode), title: `${COLOR_LABELS[mode]} (${i + 1})`,
                                onclick: () => this.actions.send({ type: "color", mode }) }, COLOR_LABELS[mode])));
    }

    setStatus(status: Status): void {
        this.mode = status.color;
        this.legend.hidden = status.color === "fabric";
        setText(find("#legend .name"), LEGEND_LABELS[status.color]);
        for (const button of this.modes.querySelectorAll("button"))
            button.setAttribute("aria-pressed", String(button.dataset.color === status.color));
    }

    setRange([least, most]: readonly [number, number]): void {
        if (this.mode === "fabric") return;
        setText(find("#legend .least"), amount(this.mode, least));
        setText(find("#legend .most"), amount(this.mode, most));
    }
}

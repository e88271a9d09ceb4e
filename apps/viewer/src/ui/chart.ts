// SPDX-License-Identifier: Apache-2.0
// A strip chart for each panel: milliseconds per frame by stage over the last half minute. All have the same height of
// scale, so that a cheap method looks cheap.
import type { SceneInfo, Status } from "../protocol";
import { quantile } from "../statistics";
import { element, setText } from "./dom";
import { percent, short } from "./format";

const KEPT = 150; // five a second
const NOT_BEFORE = 150; // [ms] after the last: while things are changed, statuses come more often
const WIDTH = 280, HEIGHT = 56;
const COLORS = ["#2f9fb3", "#f2b84b", "#e26a46", "#8a6fd1", "#5fae6e", "#c65b8f", "#7f8b99", "#3b6fb6"];

type Stages = Record<string, number>;

class Strip {
    readonly canvas = element("canvas", { width: 2 * WIDTH, height: 2 * HEIGHT, role: "img" });
    readonly value = element("span", { class: "strip-value" });
    readonly node: HTMLElement;
    readonly samples: Stages[] = [];

    constructor(readonly title: string) {
        this.canvas.setAttribute("aria-label", `Milliseconds per frame of ${title}`);
        this.node = element("figure", { class: "strip" }, element("figcaption", {}, element("span", {}, title), this.value), this.canvas);
    }

    add(stages: Stages): void {
        this.samples.push(stages);
        if (this.samples.length > KEPT) this.samples.shift();
    }

    // Single moments in which the machine was busy are cut off.
    get highest(): number {
        return 1.25 * quantile(this.samples.map(total), 0.9);
    }

    draw(ceiling: number, colorOf: (stage: string) => string): void {
        const context = this.canvas.getContext("2d")!, { width, height } = this.canvas;
        const step = width / KEPT, start = width - this.samples.length * step;
        context.clearRect(0, 0, width, height);
        this.samples.forEach((stages, i) => {
            let bottom = height;
            for (const [stage, ms] of Object.entries(stages)) {
                const tall = (ms / ceiling) * height;
                context.fillStyle = colorOf(stage);
                context.fillRect(start + i * step, bottom - tall, step + 0.5, tall);
                bottom -= tall;
            }
        });
    }
}

const total = (stages: Stages): number => Object.values(stages).reduce((sum, ms) => sum + ms, 0);

export class StageChart {
    readonly node = element("div", { class: "chart" });
    private readonly legend = element("ul", { class: "chart-legend" });
    private strips: Strip[] = [];
    private stages: string[] = [];
    private last = -Infinity; // [ms]

    setScene(scene: SceneInfo): void {
        this.strips = scene.panels.map((panel) => new Strip(panel.title));
        this.stages = [];
        this.last = -Infinity;
        this.legend.replaceChildren();
        this.node.replaceChildren(...this.strips.map((strip) => strip.node), this.legend);
    }

    setStatus(status: Status, now = performance.now()): void {
        if (now < this.last + NOT_BEFORE) return;
        this.last = now;
        for (const panel of status.panels) {
            const strip = this.strips[panel.panel];
            if (!strip || panel.ms <= 0) continue;
            const named = total(panel.stages);
            const stages: Stages = named > 0 ? { ...panel.stages } : { frame: panel.ms };
            if (named > 0 && panel.ms > 1.02 * named) stages.other = panel.ms - named;
            strip.add(stages);
            setText(strip.value, `${short(panel.ms)} ms · stretch ${percent(panel.worst_stretch)}`);
            for (const stage of Object.keys(stages)) this.know(stage);
        }
        const ceiling = Math.max(0.1, ...this.strips.map((strip) => strip.highest));
        for (const strip of this.strips) strip.draw(ceiling, (stage) => this.colorOf(stage));
    }

    private know(stage: string): void {
        if (this.stages.includes(stage)) return;
        this.stages.push(stage);
        const swatch = element("i", { style: `background:${this.colorOf(stage)}` });
        this.legend.append(element("li", {}, swatch, stage.replaceAll("_", " ")));
    }

    private colorOf(stage: string): string {
        return COLORS[this.stages.indexOf(stage) % COLORS.length] ?? COLORS[0];
    }
}

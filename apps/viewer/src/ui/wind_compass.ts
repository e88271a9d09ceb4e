// SPDX-License-Identifier: Apache-2.0
// The wind as an arrow that one drags, in the corner of the first panel.
import type { VectorParameter } from "../protocol";
import { dot, length, scale, type Vec3 } from "../vector";
import { discOf, tipOf, turned, windFor, type Disc, type View } from "../wind_math";
import { element, find, setText, svg } from "./dom";
import { short } from "./format";

const RADIUS = 46, HALF = 56, HIGH = 40;

export class WindCompass {
    private readonly ring = svg("ellipse", { class: "ring", rx: RADIUS });
    private readonly inner = svg("ellipse", { class: "ring inner", rx: RADIUS / 2 });
    private readonly shaft = svg("line", { class: "shaft", x1: 0, y1: 0 });
    private readonly tip = svg("path", { class: "tip", d: "M-9 -6 5 0 -9 6z" });
    private readonly drawing = svg("svg", { viewBox: `${-HALF} ${-HIGH} ${2 * HALF} ${2 * HIGH}`, "aria-hidden": "true" },
                                   this.ring, this.inner, svg("circle", { class: "hub", r: 3 }), this.shaft, this.tip);
    private readonly label = element("span", { class: "compass-label" });
    private readonly node = element("div", { class: "compass", tabindex: 0, role: "slider", "aria-label": "Wind",
                                             "aria-valuemin": 0, hidden: true,
                                             title: "Drag the arrow to turn the wind; arrow keys work too" }, this.label);
    private parameter: VectorParameter | null = null;
    private wind: Vec3 = [0, 0, 0];
    private dragging = false;

    constructor(private readonly view: () => View, private readonly changed: (wind: Vec3, since: number) => void) {
        this.node.prepend(this.drawing);
        find("#stage").append(this.node);
        this.node.addEventListener("pointerdown", (event) => this.drag(event, true));
        this.node.addEventListener("pointermove", (event) => this.drag(event, false));
        for (const end of ["pointerup", "pointercancel"]) this.node.addEventListener(end, () => (this.dragging = false));
        this.node.addEventListener("keydown", (event) => this.key(event));
    }

    setParameter(parameter: VectorParameter | null): void {
        this.parameter = parameter;
        this.node.hidden = parameter === null;
        if (parameter) this.node.setAttribute("aria-valuemax", String(parameter.max));
    }

    // What the server says, unless the visitor is dragging just now.
    setWind(wind: Vec3): void {
        if (!this.dragging) this.wind = wind;
        this.draw();
    }

    draw(): void {
        if (!this.parameter) return;
        const disc = this.disc(), [x, y] = tipOf(this.wind, this.parameter.max, disc), speed = length(this.wind);
        this.ring.setAttribute("ry", String(RADIUS * disc.tilt));
        this.inner.setAttribute("ry", String((RADIUS / 2) * disc.tilt));
        this.shaft.setAttribute("x2", String(x * RADIUS));
        this.shaft.setAttribute("y2", String(-y * RADIUS));
        const angle = (Math.atan2(-y, x) * 180) / Math.PI;
        this.tip.setAttribute("transform", `translate(${x * RADIUS} ${-y * RADIUS}) rotate(${angle})`);
        setText(this.label, `Wind ${short(speed)} m/s`);
        this.node.setAttribute("aria-valuenow", speed.toFixed(1));
        this.node.setAttribute("aria-valuetext", `${short(speed)} metres per second`);
    }

    private disc(): Disc {
        return discOf(this.view());
    }

    private drag(event: PointerEvent, start: boolean): void {
        if (start) {
            this.dragging = true;
            this.node.setPointerCapture(event.pointerId);
        }
        if (!this.dragging || !this.parameter) return;
        event.stopPropagation();
        const box = this.drawing.getBoundingClientRect();
        const unit = (box.width / (2 * HALF)) * RADIUS; // [px] of the disc's radius
        const x = (event.clientX - box.left - box.width / 2) / unit, y = -(event.clientY - box.top - box.height / 2) / unit;
        const { up } = this.view();
        this.blow(windFor([x, y], this.parameter.max, this.disc(), scale(up, dot(this.wind, up))), event.timeStamp);
    }

    private key(event: KeyboardEvent): void {
        const turn = { ArrowLeft: 1, ArrowRight: -1 }[event.key], faster = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (!this.parameter || (!turn && !faster)) return;
        event.preventDefault();
        event.stopPropagation();
        const speed = length(this.wind), start: Vec3 = speed > 0 ? this.wind : scale(this.disc().across, 1e-3);
        const next = Math.min(this.parameter.max, Math.max(0, speed + 0.5 * (faster ?? 0)));
        const grown = scale(start, next / length(start));
        this.blow(turn ? turned(start, this.view().up, (turn * Math.PI) / 18) : grown, event.timeStamp);
    }

    private blow(wind: Vec3, since: number): void {
        this.wind = wind;
        this.changed(wind, since);
        this.draw();
    }
}

// SPDX-License-Identifier: Apache-2.0
// Play, pause, step, restart, slow motion, and the time line of recorded frames.
import type { Request, SceneInfo, Status } from "../protocol";
import { element, find, icon, iconButton, setText } from "./dom";

export const SPEEDS = [0.1, 0.25, 0.5, 1] as const;
const SPEED_LABELS: Record<number, string> = { 0.1: "⅒×", 0.25: "¼×", 0.5: "½×", 1: "1×" };

export class Transport {
    playing = false;
    speed = 1;
    frame = 0;
    private frames = 0;
    private seeking = false;
    private readonly play = iconButton("play", "Play (space)", () => this.togglePlay(), "primary");
    private readonly speeds = element("div", { class: "segments", role: "group", "aria-label": "Speed" });
    private readonly clock = element("output", { class: "clock" });
    private readonly time = element("span");
    private readonly number = element("span", { class: "frame-number" });
    private readonly line = element("input", { type: "range", class: "time-line", min: 0, max: 0, step: 1, "aria-label": "Frame", hidden: true });

    constructor(private readonly send: (request: Request) => void) {
        for (const speed of SPEEDS)
            this.speeds.append(element("button", { type: "button", "data-speed": speed, "aria-pressed": "false", title: `${speed} times real time`,
                                                   onclick: () => send({ type: "speed", value: speed }) }, SPEED_LABELS[speed]));
        this.clock.append(this.time, this.number);
        this.line.oninput = () => {
            this.seeking = true;
            this.seek(Number(this.line.value));
        };
        this.line.onchange = () => (this.seeking = false);
        find("#transport").prepend(
            iconButton("restart", "Restart (R)", () => send({ type: "restart" })), this.play,
            iconButton("step", "One frame (→)", () => this.step(1)), this.speeds, this.clock, this.line);
    }

    togglePlay(): void {
        this.send({ type: this.playing ? "pause" : "play" });
    }

    step(direction: 1 | -1): void {
        if (this.frames > 0) this.seek(this.frame + direction);
        else if (direction > 0) this.send({ type: "step" });
    }

    changeSpeed(direction: 1 | -1): void {
        const nearest = SPEEDS.findIndex((speed) => speed >= this.speed);
        const next = SPEEDS[(nearest < 0 ? SPEEDS.length - 1 : nearest) + direction];
        if (next) this.send({ type: "speed", value: next });
    }

    private seek(frame: number): void {
        const last = Math.max(0, this.frames - 1);
        this.send({ type: "seek", frame: Math.min(last, Math.max(0, frame)) });
    }

    setScene(scene: SceneInfo): void {
        this.frames = scene.frames;
        this.line.hidden = scene.frames === 0;
        this.line.max = String(Math.max(0, scene.frames - 1));
    }

    setStatus(status: Status): void {
        this.playing = status.playing;
        this.speed = status.speed;
        const label = status.playing ? "Pause (space)" : "Play (space)";
        if (this.play.title !== label) {
            this.play.title = label;
            this.play.setAttribute("aria-label", label);
            this.play.replaceChildren(icon(status.playing ? "pause" : "play"));
        }
        for (const button of this.speeds.querySelectorAll("button"))
            button.setAttribute("aria-pressed", String(Number(button.dataset.speed) === status.speed));
    }

    setFrame(frame: number, time: number): void {
        this.frame = frame;
        setText(this.time, `${time.toFixed(2)} s`);
        setText(this.number, ` · frame ${frame}`);
        if (!this.seeking) this.line.value = String(frame);
        this.line.style.setProperty("--part", `${(100 * Number(this.line.value)) / Math.max(1, this.frames - 1)}%`);
    }
}

// SPDX-License-Identifier: Apache-2.0
// What the body does: the clip that it plays, and its joints, turned by sliders.
import { degrees, sayJoint, turned } from "../joint_angles";
import type { BodyInfo, Joint, Request } from "../protocol";
import type { Vec3 } from "../vector";
import { element } from "./dom";
import { makeSlider } from "./parameter_controls";

const AXES = ["Bend", "Spread", "Twist"];

export class BodyControls {
    readonly nodes: HTMLElement[];
    private turned: Record<string, Vec3> = {}; // [rad] what the server says
    private shows: (() => void)[] = [];
    private readonly sliders = element("div", { class: "joint-sliders" });

    constructor(private readonly body: BodyInfo, private readonly send: (request: Request) => void, public joint = "left_shoulder") {
        this.nodes = [this.makeClips()];
        if (body.joints.length > 0) this.nodes.push(this.makeJoints(), this.sliders);
    }

    setTurned(turned: Record<string, Vec3>): void {
        this.turned = turned;
        for (const show of this.shows) show();
    }

    private makeClips(): HTMLElement {
        const { clips, clip } = this.body;
        const select = element("select", { "aria-label": "Clip" },
                               ...clips.map((name) => element("option", { value: name }, name || "stand still")));
        select.value = clip;
        select.onchange = () => this.send({ type: "clip", name: select.value });
        return element("div", { class: "control choice" }, element("label", {}, "Clip"), select);
    }

    private makeJoints(): HTMLElement {
        const { joints } = this.body;
        const select = element("select", { "aria-label": "Joint" },
                               ...joints.map(({ name }) => element("option", { value: name }, sayJoint(name))));
        const choose = (): void => {
            this.joint = select.value;
            this.showSliders(joints.find(({ name }) => name === this.joint)!);
        };
        select.value = this.joint;
        select.onchange = choose;
        choose();
        return element("div", { class: "control choice" }, element("label", {}, "Turn a joint"), select);
    }

    private showSliders(joint: Joint): void {
        this.shows = [];
        const nodes = AXES.flatMap((label, axis) => joint.high[axis] > joint.low[axis] ? [this.makeAxis(joint, axis, label)] : []);
        this.sliders.replaceChildren(...nodes);
        for (const show of this.shows) show();
    }

    private makeAxis(joint: Joint, axis: number, label: string): HTMLElement {
        const angles = (): Vec3 => this.turned[joint.name] ?? [0, 0, 0];
        const turn = (value: number): void => {
            const wanted = turned(joint, angles(), axis, value);
            this.turned = { ...this.turned, [joint.name]: wanted }; // the next slider must not wait for the server
            this.send({ type: "joint", name: joint.name, angles: wanted });
        };
        const { node, show } = makeSlider(label, {
            range: { min: degrees(joint.low[axis]), max: degrees(joint.high[axis]), integer: true },
            unit: "°", rebuilds: false, pick: turn, reset: () => turn(0),
        });
        this.shows.push(() => show(degrees(angles()[axis]), angles()[axis] !== 0));
        return node;
    }
}

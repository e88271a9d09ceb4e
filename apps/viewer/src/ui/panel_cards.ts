// SPDX-License-Identifier: Apache-2.0
// The panels as the visitor sees them: who computes, how many vertices, how long it takes.
import type { Hello, PanelInfo, SceneInfo, Status } from "../protocol";
import { Recent } from "../statistics";
import { element, find, iconButton, setText } from "./dom";
import { count, percent, short, times } from "./format";

export interface PanelActions {
    methods(methods: string[]): void;
}

const FAMILY_TITLES: Record<string, string> = { solver: "Full simulation", solvers: "Full simulation", upscaling: "Learned, upscaling" };
const STATUSES = 40; // some eight seconds

export class PanelCards {
    readonly container = find("#panels");
    private cards: PanelCard[] = [];
    private hello: Hello | null = null;

    constructor(private readonly actions: PanelActions) {}

    setHello(hello: Hello): void {
        this.hello = hello;
    }

    setScene(scene: SceneInfo): void {
        const methods = scene.panels.map((panel) => panel.method);
        const change = (index: number, method: string | null): void => {
            const next = [...methods];
            next.splice(index, 1, ...(method ? [method] : []));
            this.actions.methods(next);
        };
        this.cards = scene.panels.map((info) => new PanelCard(info, scene, this.hello, change));
        this.container.replaceChildren(...this.cards.map((card) => card.node));
        this.container.dataset.count = String(this.cards.length);
    }

    setStatus(status: Status): void {
        for (const panel of status.panels) this.cards[panel.panel]?.note(panel.ms);
        const first = this.cards[0]?.ms ?? null;
        for (const panel of status.panels) this.cards[panel.panel]?.show(panel, first, status.playing);
    }

    // What learning buys, in one sentence; empty if there is nothing to compare.
    headline(): string {
        const [first, ...others] = this.cards;
        const learned = others.filter((card) => card.isLearned && card.ms && first.ms && card.ms < first.ms);
        if (!first || first.isLearned || learned.length === 0) return "";
        const best = learned.reduce((a, b) => (a.ms! <= b.ms! ? a : b));
        const { simulated_vertices, vertices, title } = best.info;
        const work = simulated_vertices > 0 ? `simulates ${count(simulated_vertices)} of ${count(vertices)} vertices and makes the rest`
            : `makes all ${count(vertices)} vertices from the pose`;
        return `${title} ${work}: ${times(first.ms! / best.ms!)} as fast as ${first.info.title}.`;
    }

    rectangles(): DOMRect[] {
        return this.cards.map((card) => card.node.getBoundingClientRect());
    }
}

class PanelCard {
    readonly node: HTMLElement;
    private readonly times = new Recent(STATUSES);
    private readonly time = element("span", { class: "figure" }, "–");
    private readonly rate = element("span", { class: "rate" });
    private readonly stretch = element("span", { class: "stretch" });
    private readonly faster = element("span", { class: "badge", hidden: true });
    private readonly message = element("p", { class: "panel-message", role: "alert", hidden: true });

    private readonly live: boolean; // what reading recorded frames takes says nothing about who computed them

    constructor(readonly info: PanelInfo, scene: SceneInfo, hello: Hello | null,
                change: (index: number, method: string | null) => void) {
        const live = (this.live = scene.kind === "live");
        const title = live && hello ? methodPicker(info, hello, (method) => change(info.panel, method)) : element("h2", {}, info.title);
        const remove = live && scene.panels.length > 1
            ? iconButton("close", `Remove the panel ${info.title}`, () => change(info.panel, null), "quiet") : null;
        const figures = element("div", { class: "figures" },
            element("div", { hidden: !live }, this.time, element("span", { class: "unit" }, "ms per frame")),
            element("div", { class: "small" }, this.rate, this.stretch));
        this.node = element("section", { class: "panel", "aria-label": `Panel ${info.title}`, "data-panel": info.panel },
            // The camera would catch the pointer, and its buttons would never be pressed.
            element("div", { class: "card", onpointerdown: (event) => event.stopPropagation() },
                element("div", { class: "who" }, element("div", { class: "title" }, title, remove),
                        element("p", { class: "vertices" }, verticesText(info, live)), this.faster),
                figures),
            this.message);
    }

    get isLearned(): boolean {
        return this.info.simulated_vertices < this.info.vertices;
    }

    get ms(): number | null {
        return this.times.median;
    }

    note(ms: number): void {
        if (ms > 0) this.times.add(ms);
    }

    show(status: Status["panels"][number], first: number | null, playing: boolean): void {
        if (this.ms !== null) setText(this.time, short(this.ms));
        setText(this.rate, playing ? `${status.frames_per_second.toFixed(status.frames_per_second < 9.95 ? 1 : 0)} frames/s` : "paused");
        setText(this.stretch, `worst stretch ${percent(status.worst_stretch)}`);
        const ratio = first !== null && this.ms ? first / this.ms : 1;
        this.faster.hidden = !this.live || this.info.panel === 0 || ratio < 1.1;
        setText(this.faster, `${times(ratio)} as fast`);
        this.message.hidden = status.message === "";
        setText(this.message, status.message);
    }
}

function verticesText(info: PanelInfo, live: boolean): string {
    if (!live) return `${count(info.vertices)} vertices`;
    if (info.simulated_vertices === 0) return `${count(info.vertices)} vertices, all inferred`;
    if (info.simulated_vertices >= info.vertices) return `${count(info.vertices)} vertices, all simulated`;
    return `${count(info.simulated_vertices)} simulated, ${count(info.vertices)} shown`;
}

function methodPicker(info: PanelInfo, hello: Hello, pick: (method: string) => void): HTMLSelectElement {
    const select = element("select", { class: "method", "aria-label": `Method of panel ${info.panel + 1}` });
    const families = [...new Set(hello.methods.map((method) => method.family))];
    for (const family of families) {
        const group = element("optgroup", { label: FAMILY_TITLES[family] ?? family });
        for (const { name } of hello.methods.filter((method) => method.family === family))
            group.append(element("option", { value: name }, name));
        select.append(group);
    }
    if (!hello.methods.some(({ name }) => name === info.method)) select.prepend(element("option", { value: info.method }, info.title));
    select.value = info.method;
    // The server may refuse; then the panel stays what it is.
    select.onchange = () => {
        pick(select.value);
        select.value = info.method;
    };
    return select;
}

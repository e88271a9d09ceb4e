// SPDX-License-Identifier: Apache-2.0
// What one can do here.
import { element, find, iconButton } from "./dom";
import { KEYS } from "./keyboard";

const HANDS: readonly (readonly [string, string])[] = [
    ["Drag the cloth", "pulls at it, in every panel at once; use several fingers on a touch screen"],
    ["Drag a solid", "moves it, if the scene lets it move"],
    ["Drag the arrow", "turns the wind and makes it stronger"],
    ["Drag elsewhere", "turns the camera; right button or two fingers move it, wheel or pinch zooms"],
];

function table(rows: readonly (readonly [string, string])[], tag: "kbd" | "b"): HTMLElement {
    return element("dl", {}, ...rows.flatMap(([name, meaning]) =>
        [element("dt", {}, element(tag, {}, name)), element("dd", {}, meaning)]));
}

export class Help {
    private readonly dialog = find<HTMLDialogElement>("#help");

    constructor() {
        this.dialog.append(
            element("div", { class: "dialog-head" }, element("h2", {}, "How to touch it"),
                    iconButton("close", "Close the help", () => this.close())),
            element("p", {}, "Each panel runs the same scene by another method. A learned method simulates a much coarser cloth and lets ",
                    "small networks make it fine: compare how it moves, and what a frame costs."),
            table(HANDS, "b"), element("h3", {}, "Keys"), table(KEYS, "kbd"));
        this.dialog.addEventListener("click", (event) => {
            if (event.target === this.dialog) this.close();
        });
    }

    toggle(): void {
        if (this.dialog.open) this.close();
        else this.dialog.showModal();
    }

    // The browser takes the focus from what is hidden only with its next drawing; a key that comes before means the cloth.
    close(): void {
        this.dialog.close();
        const { activeElement } = document;
        if (activeElement instanceof HTMLElement && this.dialog.contains(activeElement)) activeElement.blur();
    }
}

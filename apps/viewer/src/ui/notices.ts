// SPDX-License-Identifier: Apache-2.0
// What the program says: short notices at the edge, and a bar while nobody answers.
import type { Saved } from "../protocol";
import { element, find, iconButton, withCode } from "./dom";

const SHOWN_FOR = 9000; // [ms]
const AT_ONCE = 4;

export class Notices {
    private readonly list = find("#notices");
    private readonly lost = find("#lost");

    say(text: string, kind: "note" | "error" = "note"): void {
        this.add(element("p", {}, ...withCode(text)), kind);
    }

    saved(saved: Saved): void {
        const copy = element("button", { type: "button", class: "link", onclick: () => void navigator.clipboard?.writeText(saved.path) },
                             "copy the path");
        this.add(element("p", {}, "Saved as ", element("code", {}, saved.path), " ", copy,
                         saved.note ? element("small", {}, ...withCode(saved.note)) : null), "note");
    }

    private add(content: HTMLElement, kind: string): void {
        const notice = element("div", { class: `notice ${kind}` }, content);
        notice.append(iconButton("close", "Close this notice", () => notice.remove()));
        this.list.append(notice);
        while (this.list.children.length > AT_ONCE) this.list.firstElementChild!.remove();
        setTimeout(() => notice.remove(), SHOWN_FOR);
    }

    connectionLost(reason: string): void {
        this.lost.hidden = false;
        find("#lost-reason").replaceChildren(...withCode(reason));
    }

    connected(): void {
        this.lost.hidden = true;
    }
}

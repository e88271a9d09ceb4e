// SPDX-License-Identifier: Apache-2.0
// Elements in one expression.
type Child = Node | string | null | false;
type Attributes = Record<string, string | number | boolean | EventListener | undefined>;

export function element<Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[Tag] {
    const node = document.createElement(tag);
    setAttributes(node, attributes);
    node.append(...children.filter((child): child is Node | string => child !== null && child !== false));
    return node;
}

export function svg<Tag extends keyof SVGElementTagNameMap>(tag: Tag, attributes: Attributes = {}, ...children: SVGElement[]) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    setAttributes(node, attributes);
    node.append(...children);
    return node;
}

// Names that begin with "on" are listeners; true and false set or leave out an attribute.
function setAttributes(node: Element, attributes: Attributes): void {
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") node.addEventListener(name.slice(2), value);
        else if (value === true) node.setAttribute(name, "");
        else if (value !== false && value !== undefined) node.setAttribute(name, String(value));
    }
}

export function find<Kind extends Element = HTMLElement>(selector: string): Kind {
    const node = document.querySelector<Kind>(selector);
    if (!node) throw new Error(`the page has no ${selector}`);
    return node;
}

export function setText(node: Element, text: string): void {
    if (node.textContent !== text) node.textContent = text;
}

// What stands between backticks is code.
export function withCode(text: string): Node[] {
    return text.split("`").map((part, i) => (i % 2 ? element("code", {}, part) : document.createTextNode(part)));
}

const ICONS = {
    play: "M8 5.5v13l11-6.5z",
    pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
    step: "M6 5.5v13l9-6.5zM16 5.5h2.6v13H16z",
    restart: "M12 5a7 7 0 1 1-6.6 4.6l2 .8A4.9 4.9 0 1 0 12 7.1V10L7.2 6.2 12 2.4z",
    close: "M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4L12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z",
    plus: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
    help: "M11 17h2v2h-2zM12 5a4.2 4.2 0 0 1 4.3 4.1c0 2.9-3.3 3.2-3.3 5.9h-2c0-3.6 3.2-4 3.2-5.9A2.2 2.2 0 0 0 12 7a2.2 2.2 0 0 0-2.3 2.2h-2A4.2 4.2 0 0 1 12 5z",
    theme: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2v14a7 7 0 0 1 0-14z",
    fit: "M4 9V4h5v2H6v3zM15 4h5v5h-2V6h-3zM4 15h2v3h3v2H4zM18 15h2v5h-5v-2h3z",
    sliders: "M4 7h9v2H4zM17 7h3v2h-3zM14 5h2v6h-2zM4 15h3v2H4zM11 15h9v2h-9zM8 13h2v6H8z",
    save: "M11 4h2v8.2l3-3 1.4 1.4L12 16l-5.4-5.4L8 9.2l3 3zM5 18h14v2H5z",
    reset: "M7.2 6.2 12 2.4V5a7 7 0 1 1-6.9 8.2h2.1A4.9 4.9 0 1 0 12 7.1V10z",
};

export function icon(name: keyof typeof ICONS): SVGSVGElement {
    return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" },
               svg("path", { d: ICONS[name] })) as SVGSVGElement;
}

export function iconButton(name: keyof typeof ICONS, label: string, action: () => void, extra = ""): HTMLButtonElement {
    return element("button", { type: "button", class: `icon-button ${extra}`, title: label, "aria-label": label, onclick: action },
                   icon(name));
}

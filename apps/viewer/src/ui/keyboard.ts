// SPDX-License-Identifier: Apache-2.0
// Keys, wherever the focus is except in something that needs them itself.
export interface KeyActions {
    togglePlay(): void;
    step(direction: 1 | -1): void;
    restart(): void;
    changeSpeed(direction: 1 | -1): void;
    color(index: number): void;
    fit(): void;
    turn(horizontal: number, vertical: number): void;
    zoom(factor: number): void;
    toggleTheme(): void;
    toggleHelp(): void;
    toggleDrawer(): void;
    toggleDiagnostics(): void;
    closeAll(): void;
}

const TURN = Math.PI / 24;

export const KEYS: readonly (readonly [string, string])[] = [
    ["Space", "play or pause"],
    ["→ ←", "one frame; back in recorded frames"],
    ["R", "restart"],
    ["[ ]", "slower, faster"],
    ["1 – 5", "colours"],
    ["Shift + arrows", "turn the camera"],
    ["+ −", "zoom"],
    ["F", "see all of it"],
    ["T", "dark or light"],
    ["C", "controls"],
    ["D", "diagnostics"],
    ["?", "this help"],
];

// The arrow of the wind needs arrow keys alone, and keeps them from getting here.
function needsKeys(target: EventTarget | null): boolean {
    return target instanceof HTMLElement && target.matches("input, select, textarea");
}

// What was used with the mouse gives the keys back: the space key means the cloth again. Those who walk through the page by
// keys keep their place.
function giveKeysBack(event: Event): void {
    const { target } = event;
    const used = target instanceof Element ? target.closest<HTMLElement>("button, select, input, [role=slider]") : null;
    if (used && !used.matches(":focus-visible")) used.blur();
}

export function listenToKeys(actions: KeyActions): void {
    for (const kind of ["click", "change"]) document.addEventListener(kind, giveKeysBack);
    const plain: Record<string, () => void> = {
        " ": actions.togglePlay,
        ArrowRight: () => actions.step(1), ArrowLeft: () => actions.step(-1),
        r: actions.restart,
        "[": () => actions.changeSpeed(-1), "]": () => actions.changeSpeed(1),
        "+": () => actions.zoom(0.87), "=": () => actions.zoom(0.87), "-": () => actions.zoom(1.15),
        f: actions.fit, t: actions.toggleTheme, c: actions.toggleDrawer, d: actions.toggleDiagnostics,
        "?": actions.toggleHelp, h: actions.toggleHelp, Escape: actions.closeAll,
    };
    const shifted: Record<string, () => void> = {
        ArrowLeft: () => actions.turn(-TURN, 0), ArrowRight: () => actions.turn(TURN, 0),
        ArrowUp: () => actions.turn(0, -TURN), ArrowDown: () => actions.turn(0, TURN),
    };
    document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key !== "Escape" && needsKeys(event.target)) return;
        // A focused button is pressed by the space key; that is not meant for the cloth.
        if (event.key === " " && event.target instanceof HTMLButtonElement) return;
        const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
        const action = (event.shiftKey && shifted[key]) || plain[key] ||
            (/^[1-9]$/.test(key) ? () => actions.color(Number(key) - 1) : null);
        if (!action) return;
        event.preventDefault();
        action();
    });
}

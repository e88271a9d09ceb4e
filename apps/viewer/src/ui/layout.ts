// SPDX-License-Identifier: Apache-2.0
// Panels beside each other or one below the other, whichever leaves them the larger and less narrow.
const GOOD_ASPECT = 1.25;

export function bestColumns(count: number, width: number, height: number): number {
    let best = 1, bestSize = 0;
    for (let columns = 1; columns <= count; ++columns) {
        const wide = width / columns, tall = height / Math.ceil(count / columns);
        const size = Math.min(wide, tall * GOOD_ASPECT);
        if (size > bestSize) [best, bestSize] = [columns, size];
    }
    return best;
}

const CORNER = 14; // [px]

function roundedRectangle({ left, top, right, bottom }: DOMRect, origin: DOMRect): string {
    const l = left - origin.left, t = top - origin.top, r = right - origin.left, b = bottom - origin.top, c = CORNER;
    return `M${l + c} ${t}H${r - c}A${c} ${c} 0 0 1 ${r} ${t + c}V${b - c}A${c} ${c} 0 0 1 ${r - c} ${b}` +
        `H${l + c}A${c} ${c} 0 0 1 ${l} ${b - c}V${t + c}A${c} ${c} 0 0 1 ${l + c} ${t}Z`;
}

// Arranges the panels, and cuts the canvas behind them to their round corners.
export function layOutPanels(container: HTMLElement, surface: HTMLElement): void {
    const origin = surface.getBoundingClientRect();
    const columns = bestColumns(container.children.length, origin.width, origin.height);
    container.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    const paths = [...container.children].map((panel) => roundedRectangle(panel.getBoundingClientRect(), origin));
    surface.querySelector("canvas")!.style.clipPath = paths.length > 0 ? `path("${paths.join("")}")` : "";
}

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

export function layOutPanels(container: HTMLElement, { clientWidth, clientHeight }: HTMLElement): void {
    const columns = bestColumns(container.children.length, clientWidth, clientHeight);
    container.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
}

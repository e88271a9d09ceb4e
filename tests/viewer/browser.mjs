// SPDX-License-Identifier: Apache-2.0
// Debian's Chromium without a window, and what a test asks of the page.
import { chromium } from "playwright-core";

export const PATIENCE = Number(process.env.TULLE_PATIENCE ?? 90_000); // [ms]: machines of tests are busy, and have no graphics card

export function launchBrowser() {
    return chromium.launch({
        executablePath: "/usr/bin/chromium",
        args: ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--in-process-gpu", "--disable-dev-shm-usage", "--disable-quic",
               "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
               "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows"],
    });
}

// A page that remembers what went wrong in it and what it asked of others than the program.
export async function openPage(browser, address, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 760 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const errors = [], strangers = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("request", (request) => new URL(request.url()).host === new URL(address).host || strangers.push(request.url()));
    await page.goto(address);
    await framesFrom(page, 0);
    return Object.assign(page, { errors, strangers });
}

export function framesFrom(page, frame) {
    return page.waitForFunction((from) => {
        const { panels } = window.tulle.stage;
        return panels.length > 0 && panels.every((panel) => panel.frame && panel.frame.frame >= from);
    }, frame);
}

export function positionsOf(page, panel, vertex) {
    return page.evaluate(([index, at]) => [...window.tulle.stage.panels[index].positions.slice(3 * at, 3 * at + 3)], [panel, vertex]);
}

// Where on the screen a vertex is.
export function placeOf(page, panel, vertex) {
    return page.evaluate(([index, at]) => {
        const { stage } = window.tulle;
        const point = [...stage.panels[index].positions.slice(3 * at, 3 * at + 3)];
        return stage.camera.project(point, stage.rectangleOf(index));
    }, [panel, vertex]);
}

export function statusOf(page) {
    return page.evaluate(() => window.tulle.status);
}

// Returns when the last frame has arrived, so that what is aimed at stays where it is.
export async function pause(page) {
    if ((await statusOf(page)).playing) await page.keyboard.press("Space");
    await page.waitForFunction(() => {
        const { status, stage } = window.tulle;
        return !status.playing && status.panels.every(({ panel, frame }) => stage.panels[panel].frame?.frame === frame);
    });
}

export async function play(page) {
    if (!(await statusOf(page)).playing) await page.keyboard.press("Space");
    await page.waitForFunction(() => window.tulle.status.playing);
}

// Returns when all panels have begun anew.
export async function restart(page) {
    const from = await page.evaluate(() => window.tulle.stage.panels.map(({ frame }) => frame.frame));
    await page.keyboard.press("r");
    await page.waitForFunction((before) => window.tulle.stage.panels.every(({ frame }, i) => frame.frame < before[i]), from);
}

// Stops at a moment at which the cloth can be grabbed at a vertex, with the pointer there: what waves may be edge-on.
export async function aimAt(page, panel, vertex) {
    for (const deadline = Date.now() + PATIENCE; Date.now() < deadline;) {
        await pause(page);
        const place = await placeOf(page, panel, vertex);
        if (await isClothAt(page, panel, place)) {
            await page.mouse.move(...place);
            await page.waitForFunction(() => document.querySelector("#stage").dataset.cursor === "can-grab");
            return place;
        }
        await play(page);
        await page.waitForTimeout(300);
    }
    throw new Error(`vertex ${vertex} of panel ${panel} never came where a pointer finds the cloth`);
}

function isClothAt(page, panel, place) {
    return page.evaluate(([index, [x, y]]) => {
        const { stage } = window.tulle;
        return stage.panels[index].hit(stage.camera.rayAt(x, y, stage.rectangleOf(index)))?.kind === "cloth";
    }, [panel, place]);
}

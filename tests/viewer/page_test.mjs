// SPDX-License-Identifier: Apache-2.0
// The whole page in a real browser, with the real program: TULLE_PROGRAM=build/tulle node --test tests/viewer/page_test.mjs
// With TULLE_PICTURES=FOLDER pictures of what was seen go there.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { aimAt, framesFrom, launchBrowser, openPage, pause, play, positionsOf, restart, statusOf } from "./browser.mjs";
import { Program, ROOT } from "./program.mjs";

const PROGRAM = resolve(process.env.TULLE_PROGRAM);
const ROWS = 49, COLUMNS = 73, LAST = ROWS * COLUMNS - 1; // of the flag; the last vertex is its free lower corner
const PORT = String(20_000 + (process.pid % 12_000)); // the same after a restart, and none that the system gives to others
const FLAG = join(ROOT, "scenes/flag.toml");
const folder = mkdtempSync(join(tmpdir(), "tulle-page-"));
const pictures = process.env.TULLE_PICTURES;
const program = new Program(PROGRAM, folder, [FLAG, "--methods", "admm,hierarchy", "--no-browser",
                                              "--port", PORT, "--token-file", join(folder, "token")]);
let browser, page, address;

const length = (vector) => Math.hypot(...vector);
const minus = (a, b) => a.map((value, i) => value - b[i]);

// Of all positions of a cache, and how many frames there are.
function digestOf(cache) {
    const read = "import h5py, hashlib, sys; p = h5py.File(sys.argv[1])['positions'][()]; print(len(p), hashlib.sha256(p.tobytes()).hexdigest())";
    return execFileSync("/usr/bin/python3", ["-c", read, cache], { encoding: "utf8" });
}

async function keep(name, shown = page) {
    if (!pictures) return;
    mkdirSync(pictures, { recursive: true });
    await shown.screenshot({ path: join(pictures, `${name}.png`) });
}

before(async () => {
    address = await program.start();
    browser = await launchBrowser();
    page = await openPage(browser, address);
});

beforeEach(() => play(page));

after(async () => {
    await browser?.close();
    await program.stop();
    rmSync(folder, { recursive: true });
});

test("The page opens, both panels move, and nobody else is asked for anything", async () => {
    const start = [await positionsOf(page, 0, LAST), await positionsOf(page, 1, LAST)];
    const frame = await page.evaluate(() => Math.max(...window.tulle.stage.panels.map((panel) => panel.frame.frame)));
    await framesFrom(page, frame + 10);
    for (const panel of [0, 1]) assert.ok(length(minus(await positionsOf(page, panel, LAST), start[panel])) > 0.01);
    assert.deepEqual(page.strangers, []);
    assert.deepEqual(page.errors, []);
    await keep("light");
});

test("A corner that is grabbed follows the pointer, in both panels", async () => {
    const [x, y] = await aimAt(page, 0, LAST - 3 * COLUMNS - 3); // inside of the corner, which is a point that a pointer misses
    const goal = [x - 140, y - 110];
    await page.mouse.down();
    await play(page);
    await page.mouse.move(...goal, { steps: 12 });
    await page.waitForFunction((wanted) => {
        const { stage } = window.tulle;
        return stage.panels.every(({ positions, frame }) => {
            const vertex = 3 * frame.grabs[0]?.vertex;
            const place = stage.camera.project([...positions.slice(vertex, vertex + 3)], stage.rectangleOf(0));
            return frame.grabs.length === 1 && Math.hypot(place[0] - wanted[0], place[1] - wanted[1]) < 45;
        });
    }, goal);
    await keep("grabbed");
    await page.mouse.up();
    await page.waitForFunction(() => window.tulle.stage.panels.every((panel) => panel.frame.grabs.length === 0));
});

test("Dragging the arrow turns the wind, and the flag with it", async () => {
    const middle = Math.floor(ROWS / 2) * COLUMNS + COLUMNS - 1; // of the free edge
    await page.waitForFunction((vertex) => window.tulle.stage.panels.every((panel) => panel.positions[3 * vertex] > 0.5), middle);
    const compass = await page.locator(".compass svg").boundingBox();
    const center = [compass.x + compass.width / 2, compass.y + compass.height / 2];
    await page.mouse.move(...center);
    await page.mouse.down();
    await page.mouse.move(center[0] - 0.3 * compass.width, center[1], { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => window.tulle.status.values.wind[0] < -2);
    await page.waitForFunction((vertex) => window.tulle.stage.panels.every((panel) => panel.positions[3 * vertex] < -0.5), middle);
    await keep("wind-turned");
    assert.equal(await page.evaluate(() => document.activeElement === document.body), true); // keys mean the cloth again
    await page.keyboard.press("f");
    await page.waitForFunction((vertex) => {
        const { stage } = window.tulle, { left, width } = stage.rectangleOf(0);
        const [x] = stage.camera.project([...stage.panels[0].positions.slice(3 * vertex, 3 * vertex + 3)], stage.rectangleOf(0));
        return x > left && x < left + width;
    }, middle);
    await keep("wind-turned-all-seen");
    await page.getByRole("button", { name: "Back to the scene's own", exact: true }).click();
    await page.waitForFunction(() => window.tulle.status.values.wind[0] === 6);
    await restart(page);
    await page.keyboard.press("f");
});

test("A panel is given another method, one is added and one taken away", async () => {
    await page.getByLabel("Method of panel 2").selectOption("miniature");
    await page.waitForFunction(() => window.tulle.scene.panels[1].method === "miniature");
    await framesFrom(page, 0);
    await page.getByRole("button", { name: "Add a panel" }).click();
    await page.waitForFunction(() => window.tulle.scene.panels.length === 3);
    await framesFrom(page, 0);
    await page.getByRole("button", { name: /^Remove the panel/ }).last().click();
    await page.waitForFunction(() => window.tulle.scene.panels.length === 2);
    await framesFrom(page, 5);
});

test("Colours of values come with a legend in their unit", async () => {
    await page.keyboard.press("3");
    await page.waitForFunction(() => window.tulle.status.color === "speed");
    await page.waitForFunction(() => / m\/s$/.test(document.querySelector("#legend .most").textContent));
    await keep("speed");
    await page.getByLabel("Method of panel 2").selectOption("hierarchy"); // which knows its error
    await page.waitForFunction(() => window.tulle.scene.panels[1].method === "hierarchy");
    await page.getByRole("button", { name: "Predicted error" }).click();
    await page.waitForFunction(() => window.tulle.status.color === "error");
    await page.waitForFunction(() => window.tulle.stage.panels[1].frame.scalars && !window.tulle.stage.panels[0].frame.scalars);
    await page.waitForFunction(() => / mm$/.test(document.querySelector("#legend .most").textContent));
    await keep("predicted-error");
    await page.keyboard.press("1");
    await page.waitForFunction(() => document.querySelector("#legend").hidden);
});

test("What was seen is saved where the page says, and a replay of it has the same bits", async () => {
    await restart(page); // a recording begins, so that it is short on slow machines too
    await page.getByLabel("Wind upwards", { exact: true }).fill("900");
    await framesFrom(page, 10);
    await page.getByLabel("Bending stiffness", { exact: true }).fill("800"); // made in the background
    await page.waitForFunction(() => window.tulle.status.values.bend > 2 && window.tulle.status.busy === "");
    const { frame } = (await statusOf(page)).panels[0];
    await framesFrom(page, frame + 10);
    for (const [what, ending] of [["cache", ".h5"], ["picture", ".png"], ["gltf", ".glb"]]) {
        await page.locator(`[data-save=${what}]`).click();
        const path = resolve(folder, await page.locator(".notice p > code", { hasText: ending }).last().textContent());
        assert.ok(statSync(path).size > 1000, path);
        if (what !== "cache") continue;
        execFileSync(PROGRAM, ["simulate", "--replay", path, "-o", "again.h5"], { cwd: folder });
        assert.equal(digestOf(join(folder, "again.h5")), digestOf(path));
    }
    await page.getByRole("button", { name: "Back to the scene's own", exact: true }).click();
    await page.waitForFunction(() => window.tulle.status.values.bend === 1 && window.tulle.status.busy === "");
});

test("A solid that is dragged moves, in every panel", async () => {
    const solid = new Program(PROGRAM, folder, [join(ROOT, "scenes/collision.toml"), "--methods", "admm,miniature", "--no-browser",
                                                "--token-file", join(folder, "token")]);
    try {
        const shown = await openPage(browser, await solid.start());
        await pause(shown);
        await shown.keyboard.press("r");
        await shown.waitForFunction(() => window.tulle.stage.panels.every(({ frame }) => frame.frame === 0));
        const [x, y] = await shown.evaluate(() => {
            const { stage } = window.tulle;
            return stage.camera.project([0, 0, 0.3], stage.rectangleOf(0)); // on the ball, far below the cloth
        });
        await shown.mouse.move(x, y);
        await shown.waitForFunction(() => document.querySelector("#stage").dataset.cursor === "can-grab");
        await shown.mouse.down();
        await play(shown);
        await shown.mouse.move(x + 60, y, { steps: 8 });
        await shown.mouse.up();
        await shown.waitForFunction(() => Math.hypot(...(window.tulle.status.offsets.ball ?? [0, 0, 0])) > 0.05);
        await shown.waitForFunction(() => window.tulle.stage.panels.every(({ frame }) =>
            frame.rigid.some(({ translation }) => Math.hypot(translation[0], translation[1]) > 0.05)));
        await keep("dragged-solid", shown);
        await shown.context().close();
    } finally {
        await solid.stop();
    }
});

test("A scene is picked, and goes without the methods that do not fit it", async () => {
    const picking = new Program(PROGRAM, folder, [FLAG, "--methods", "admm,hierarchy", "--no-browser", "--token-file", join(folder, "token")]);
    try {
        const shown = await openPage(browser, await picking.start());
        const scenes = shown.getByLabel("Scene", { exact: true });
        await scenes.selectOption("twist"); // whose grid cannot be halved
        await shown.getByText("hierarchy is left out here").waitFor();
        assert.deepEqual(await shown.evaluate(() => window.tulle.scene.panels.map(({ method }) => method)), ["admm"]);
        assert.equal(await scenes.inputValue(), "twist");
        await framesFrom(shown, 2);
        await shown.context().close();
    } finally {
        await picking.stop();
    }
});

test("A slider turns a joint of the body, a clip is chosen, and the shirt goes with both", async () => {
    const shirt = new Program(PROGRAM, folder, [join(ROOT, "scenes/shirt.toml"), "--methods", "garment", "--no-browser",
                                                "--token-file", join(folder, "token")]);
    const reach = (shown) => shown.evaluate(() => { // [m] of what is drawn, to the body's left
        const panel = window.tulle.stage.panels[0];
        const body = [...panel.colliders.values()].find(({ info }) => info.name === "body").mesh.geometry.attributes.position.array;
        return [body, panel.positions].map((places) => Math.max(...places.filter((_, i) => i % 3 === 0)));
    });
    try {
        const shown = await openPage(browser, await shirt.start());
        await shown.getByLabel("Joint", { exact: true }).selectOption("left shoulder");
        await play(shown);
        const before = await reach(shown);
        const spread = shown.getByLabel("Spread", { exact: true });
        await spread.fill("700");
        await shown.waitForFunction(() => window.tulle.status.joints.left_shoulder?.[1] > 0.5);
        const frame = await shown.evaluate(() => window.tulle.stage.panels[0].frame.frame);
        await framesFrom(shown, frame + 30);
        const [body, sleeve] = minus(await reach(shown), before);
        assert.ok(body > 0.05 && sleeve > 0.01, `${body} ${sleeve}`);
        await keep("turned-joint", shown);
        await shown.getByRole("button", { name: "Back to the scene's own: Spread" }).click();
        await shown.waitForFunction(() => Object.keys(window.tulle.status.joints).length === 0);
        await shown.getByLabel("Clip", { exact: true }).selectOption("dance");
        await shown.waitForFunction(() => window.tulle.scene.body.clip === "dance");
        assert.equal(await shown.getByLabel("Joint", { exact: true }).inputValue(), "left_shoulder");
        await shown.context().close();
    } finally {
        await shirt.stop();
    }
});

test("Keys pause, step, slow down and explain themselves", async () => {
    await pause(page);
    const frame = (await statusOf(page)).panels[0].frame;
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((before) => window.tulle.status.panels[0].frame === before + 1, frame);
    await page.keyboard.press("[");
    await page.waitForFunction(() => window.tulle.status.speed === 0.5);
    await page.keyboard.press("]");
    await page.waitForFunction(() => window.tulle.status.speed === 1);
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("play or pause").waitFor();
    await keep("help");
    await page.keyboard.press("Escape");
    await play(page);
});

test("The page says when the program is gone, and goes on when it is back", async () => {
    await program.stop("SIGKILL");
    await page.getByText("Not connected.").waitFor();
    await keep("lost");
    assert.equal(await program.start(), address);
    await page.waitForFunction(() => window.tulle.state === "open");
    await framesFrom(page, 5);
    assert.equal(await page.locator("#lost").isHidden(), true);
});

test("A page whose token is not the program's says what to do", async () => {
    const stranger = await browser.newPage();
    await stranger.goto(address.replace(/token=\w+/, "token=other"));
    await stranger.getByText("open the address that it printed").waitFor();
    await stranger.close();
});

test("On a phone panels are one below the other, and the controls come when they are called", async () => {
    const phone = await openPage(browser, address, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const [first, second] = await phone.locator(".panel").evaluateAll((panels) => panels.map((panel) => panel.getBoundingClientRect().toJSON()));
    assert.ok(second.top >= first.bottom && first.width > 340);
    assert.equal(await phone.evaluate(() => document.documentElement.scrollWidth), 390);
    await keep("phone", phone);
    await phone.getByRole("button", { name: "Controls (C)" }).tap();
    await phone.getByLabel("Gravity", { exact: true }).waitFor();
    await keep("phone-controls", phone);
    await phone.context().close();
});

test("Text is readable in the dark and in the light", async () => {
    for (const colorScheme of ["light", "dark"]) {
        const shown = await openPage(browser, address, { colorScheme });
        assert.equal(await shown.evaluate(() => document.documentElement.dataset.theme), colorScheme);
        for (const [text, ratio] of await shown.evaluate(contrasts)) assert.ok(ratio >= 4.5, `${text}: ${ratio.toFixed(2)} in ${colorScheme}`);
        await keep(`page-${colorScheme}`, shown);
        await shown.context().close();
    }
});

// Of texts to the first background behind them that is a colour, after the formula of the Web Content Accessibility Guidelines.
function contrasts() {
    const channels = (color) => color.match(/[\d.]+/g).map(Number);
    const luminance = ([r, g, b]) => [r, g, b].map((value) => value / 255)
        .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
        .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (node) => {
        const color = channels(getComputedStyle(node).backgroundColor);
        return color[3] === undefined || color[3] === 1 ? color : node.parentElement ? behind(node.parentElement) : [255, 255, 255];
    };
    return [...document.querySelectorAll("h1, h3, label, output, .segments button, .vertices, .badge, .description, #headline")]
        .filter((node) => node.textContent && node.checkVisibility())
        .map((node) => {
            const [dark, light] = [luminance(channels(getComputedStyle(node).color)), luminance(behind(node))].sort((a, b) => a - b);
            return [node.textContent, (light + 0.05) / (dark + 0.05)];
        });
}

test("Recorded frames are played, and the time line goes to any of them", async () => {
    for (const method of ["admm", "hierarchy"])
        execFileSync(PROGRAM, ["simulate", FLAG, "--method", method, "--frames", "40", "-o", `${method}.h5`], { cwd: folder });
    const player = new Program(PROGRAM, folder, ["admm.h5", "--compare", "hierarchy.h5", "--no-browser", "--token-file", join(folder, "token")]);
    try {
        const shown = await openPage(browser, await player.start());
        await pause(shown);
        for (const frame of ["33", "7"]) {
            await shown.getByLabel("Frame", { exact: true }).fill(frame);
            await shown.waitForFunction((wanted) => window.tulle.stage.panels.every((panel) => panel.frame?.frame === wanted), Number(frame));
        }
        await shown.keyboard.press("ArrowLeft");
        await shown.waitForFunction(() => window.tulle.stage.panels.every((panel) => panel.frame.frame === 6));
        assert.equal(await shown.locator(".badge:visible").count(), 0); // reading is no computing
        assert.deepEqual(await shown.locator("[data-save]").allTextContents(), ["Picture", "glTF"]);
        await keep("recorded", shown);
        await shown.context().close();
    } finally {
        await player.stop();
    }
});

test("The page is small: all of it in less than 400 KB", () => {
    const built = join(ROOT, "apps/viewer/dist");
    const sizes = [built, join(built, "assets")].flatMap((place) => readdirSync(place).filter((name) => name.endsWith(".gz"))
        .map((name) => statSync(join(place, name)).size));
    assert.ok(sizes.length >= 4);
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 400_000);
});

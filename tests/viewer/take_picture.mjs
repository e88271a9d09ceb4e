// SPDX-License-Identifier: Apache-2.0
// Takes the picture of docs/view.md: node tests/viewer/take_picture.mjs PROGRAM PICTURE.png
// It is drawn at twice the size and scaled down, because there are no smooth edges without a graphics card.
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { aimAt, launchBrowser, openPage, play } from "./browser.mjs";
import { Program, ROOT } from "./program.mjs";

const [path, picture] = process.argv.slice(2);
const HELD = 49 * 73 - 1 - 73 - 1; // beside the flag's free corner, which is a point that a pointer misses
const SECONDS = 12; // until the figures are medians of many frames
const program = new Program(resolve(path), tmpdir(), [join(ROOT, "scenes/flag.toml"), "--methods", "admm,hierarchy", "--no-browser"]);
const browser = await launchBrowser();
try {
    const page = await openPage(browser, await program.start(), { deviceScaleFactor: 2, viewport: { width: 1240, height: 700 } });
    await page.waitForTimeout(1000 * SECONDS);
    const [x, y] = await aimAt(page, 1, HELD);
    await page.mouse.down();
    await play(page);
    await page.mouse.move(x + 20, y - 150, { steps: 10 });
    await page.evaluate(() => window.tulle.stage.drawAtBest());
    await page.waitForTimeout(4000);
    await page.screenshot({ path: picture, scale: "css" });
} finally {
    await browser.close();
    await program.stop();
}

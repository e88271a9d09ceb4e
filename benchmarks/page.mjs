// SPDX-License-Identifier: Apache-2.0
// What the live page takes, measured in Debian's Chromium without a graphics card, with the program on the same machine:
//
//   node benchmarks/page.mjs BUILD_FOLDER [--seconds 60] [--json FILE]
//
// time to the first frame, frames that were skipped while both panels of the flag play in real time, and the median time
// from a pointer's move to the drawing that shows it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { aimAt, framesFrom, launchBrowser, openPage, play } from "../tests/viewer/browser.mjs";
import { Program, ROOT } from "../tests/viewer/program.mjs";

const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seconds: { type: "string", default: "60" }, json: { type: "string" } },
});
const build = positionals[0] ?? "build";
const HELD = 49 * 73 - 1 - 3 * 73 - 3; // inside of the flag's free corner, which is a point that a pointer may miss

const wait = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));
const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

async function measureOpening(browser, address) {
    const times = [];
    for (let i = 0; i < 5; ++i) {
        const start = performance.now();
        const page = await openPage(browser, address);
        times.push(performance.now() - start);
        await page.context().close();
    }
    return median(times);
}

async function measurePlaying(page, seconds) {
    const read = () => page.evaluate(() => structuredClone(window.tulle.diagnostics.figures));
    await framesFrom(page, 50);
    const before = await read();
    await wait(seconds);
    const after = await read();
    const panels = after.panels.map((panel, i) => ({
        frames_per_second: (panel.received - before.panels[i].received) / seconds,
        skipped: panel.skipped - before.panels[i].skipped,
    }));
    return { seconds, panels, drawings_per_second: (after.drawings - before.drawings) / seconds, decode_ms: after.decode };
}

// Takes the flag by its corner and draws circles for some seconds, as a hand does.
async function measureDragging(page, seconds) {
    const [x, y] = await aimAt(page, 0, HELD);
    await page.mouse.down();
    await play(page);
    await page.waitForFunction(() => window.tulle.stage.panels.every((panel) => panel.frame.grabs.length > 0));
    await page.evaluate(() => window.tulle.latency.clear());
    const start = performance.now();
    for (let angle = 0; performance.now() - start < 1000 * seconds; angle += 0.05) {
        await page.mouse.move(x - 90 + 60 * Math.cos(angle), y - 60 + 40 * Math.sin(angle));
        await wait(0.016);
    }
    await page.mouse.up();
    const { latency, latencySamples } = await page.evaluate(() => window.tulle.diagnostics.figures);
    return { median_ms: latency, inputs: latencySamples };
}

const folder = mkdtempSync(join(tmpdir(), "tulle-page-"));
const program = new Program(resolve(build, "tulle"), folder, [join(ROOT, "scenes/flag.toml"), "--methods", "admm,hierarchy", "--no-browser",
                                                              "--token-file", join(folder, "token")]);
const browser = await launchBrowser();
try {
    const address = await program.start();
    const first_frame_ms = await measureOpening(browser, address);
    const page = await openPage(browser, address);
    const playing = await measurePlaying(page, Number(values.seconds));
    const pointer_to_picture = await measureDragging(page, 10);
    const result = {
        machine: { cpu: cpus()[0].model, cores: cpus().length, load: loadavg()[0],
                   system: readFileSync("/etc/os-release", "utf8").match(/PRETTY_NAME="(.*)"/)?.[1] },
        scene: "flag", methods: ["admm", "hierarchy"], graphics: "software (SwiftShader)",
        first_frame_ms, playing, pointer_to_picture,
    };
    console.log(JSON.stringify(result, null, 2));
    if (values.json) writeFileSync(values.json, JSON.stringify(result, null, 2) + "\n");
} finally {
    await browser.close();
    await program.stop();
    rmSync(folder, { recursive: true });
}

// SPDX-License-Identifier: Apache-2.0
// Runs the tests of the page's modules: node tests/viewer/run_unit.mjs
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const folder = join(dirname(fileURLToPath(import.meta.url)), "unit");
const tests = readdirSync(folder).filter((name) => name.endsWith(".test.ts"));
const output = mkdtempSync(join(tmpdir(), "tulle-viewer-"));
try {
    buildSync({
        entryPoints: tests.map((name) => join(folder, name)),
        bundle: true, platform: "node", format: "esm", target: "node18", outdir: output, outExtension: { ".js": ".mjs" },
    });
    const files = tests.map((name) => join(output, name.replace(/ts$/, "mjs")));
    process.exitCode = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" }).status ?? 1;
} finally {
    rmSync(output, { recursive: true });
}

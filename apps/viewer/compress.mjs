// SPDX-License-Identifier: Apache-2.0
// Puts a compressed copy beside each file of the built page, which `tulle view` sends, and says how much that is.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

function filesIn(folder) {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)]);
}

const page = join(dirname(fileURLToPath(import.meta.url)), "dist");
let total = 0;
for (const file of filesIn(page)) {
    const compressed = gzipSync(readFileSync(file), { level: 9 });
    writeFileSync(`${file}.gz`, compressed);
    total += compressed.length;
}
console.log(`the page is built: ${Math.ceil(total / 1000)} KB compressed`);

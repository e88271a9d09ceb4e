// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "vite";

// Addresses are relative, because `tulle view` serves the page under an address with a random token.
export default defineConfig({
    base: "./",
    build: {
        target: "es2022",
        outDir: "dist",
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 1000,
    },
    worker: { format: "es" },
});

// SPDX-License-Identifier: Apache-2.0
// Dark or light: as the system says, until the visitor says otherwise.
import type { Shade } from "../scene/surroundings";

const KEY = "tulle-theme";

function remembered(): Shade | null {
    try {
        const value = localStorage.getItem(KEY);
        return value === "light" || value === "dark" ? value : null;
    } catch {
        return null; // storage may be forbidden
    }
}

export class Theme {
    private chosen = remembered();
    private readonly system = matchMedia("(prefers-color-scheme: dark)");

    constructor(private readonly changed: (shade: Shade) => void) {
        this.system.addEventListener("change", () => this.apply());
        this.apply();
    }

    get shade(): Shade {
        return this.chosen ?? (this.system.matches ? "dark" : "light");
    }

    toggle(): void {
        this.chosen = this.shade === "dark" ? "light" : "dark";
        try {
            localStorage.setItem(KEY, this.chosen);
        } catch {
            // it lasts as long as the page
        }
        this.apply();
    }

    private apply(): void {
        document.documentElement.dataset.theme = this.shade;
        this.changed(this.shade);
    }
}

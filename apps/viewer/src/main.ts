// SPDX-License-Identifier: Apache-2.0
import { App } from "./app";

const app = new App();
app.start();

// For the tests, and for those who open the browser's console.
declare global {
    interface Window {
        tulle: App;
    }
}
window.tulle = app;

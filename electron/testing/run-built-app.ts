/**
 * Runs the built out/main/main.js with the stand-in in Electron's place, fetches what its window
 * would show, prints that as JSON and quits. For a process of its own.
 */
import { once } from "node:events";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ElectronStandIn } from "./electron-stand-in.ts";
import type { WindowStandIn } from "./window-stand-in.ts";

const ELECTRON = "stand-in:electron";
const electron = new ElectronStandIn();
Object.assign(globalThis, { electronStandIn: electron });

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "electron/main"
      ? { url: ELECTRON, shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) =>
    url === ELECTRON
      ? {
          format: "module",
          shortCircuit: true,
          source:
            "export const { app, BrowserWindow, Menu, dialog, ipcMain, safeStorage } = electronStandIn;",
        }
      : next(url, context),
});

const opened = once(electron.app, "browser-window-created") as Promise<[unknown, WindowStandIn]>;
const main = join(import.meta.dirname, "../../out/main/main.js");
await import(pathToFileURL(main).href);
const [, window] = await Promise.race([opened, electron.ended.then(() => stoppedEarly())]);
if (window.url === "") {
  await once(window, "ready-to-show");
}
const page = await fetch(window.url);
const answer = await fetch(`${window.url}/pos/status`);
const status: unknown = await answer.json();
process.stdout.write(JSON.stringify({ page: await page.text(), status }));
electron.asElectron().app.quit();
await electron.ended;

function stoppedEarly(): never {
  throw new Error(electron.errorBoxes[0]?.content ?? "The app ended before it opened a window.");
}

/**
 * Runs the built out/main/main.js with the stand-in for Electron: fetches its pages, closes a
 * shift, prints the results as JSON and quits. Arguments: data directory, and optionally the
 * program file.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
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
            "export const { app, autoUpdater, BrowserWindow, Menu, Tray, dialog, ipcMain, safeStorage } = electronStandIn;",
        }
      : next(url, context),
});

const opened = once(electron.app, "browser-window-created") as Promise<[unknown, WindowStandIn]>;
const [, , , main = join(import.meta.dirname, "../../out/main/main.js")] = process.argv;
await import(pathToFileURL(main).href);
const [, window] = await Promise.race([opened, electron.ended.then(() => stoppedEarly())]);
if (window.url === "") {
  await once(window, "ready-to-show");
}
const page = await fetch(window.url);
const answer = await fetch(`${window.url}/pos/status`);
const status: unknown = await answer.json();
await closeShift(window.url);
const backup = await findBackup();
process.stdout.write(JSON.stringify({ page: await page.text(), status, backup }));
electron.asElectron().app.quit();
await electron.ended;

/** Sets up the shop and closes a shift. Closing makes a backup in a thread. */
async function closeShift(origin: string): Promise<void> {
  let cookie = "";
  async function post(path: string, body: object): Promise<Response> {
    const response = await fetch(`${origin}/pos${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return response;
  }
  const shop = { shopName: "Shop", currency: "USD", language: "en", ownerPin: "471147" };
  const made = await post("/setup", shop);
  cookie = made.headers.get("set-cookie")?.split(";")[0] ?? "";
  const shiftId = randomUUID();
  await post("/shifts", { shiftId, float: 0 });
  await post(`/shifts/${shiftId}/close`, { counted: 0 });
}

function findBackup(): Promise<string> {
  const [dataDir = ""] = process.argv.slice(2);
  const dir = join(dataDir, "backups");
  return new Promise((resolve) => {
    const poll = setInterval(() => {
      const names = existsSync(dir) ? readdirSync(dir) : [];
      const made = names.find((name) => name.endsWith(".backup"));
      if (made === undefined) return;
      clearInterval(poll);
      resolve(made);
    }, 50);
  });
}

function stoppedEarly(): never {
  throw new Error(electron.errorBoxes[0]?.content ?? "The app ended before it opened a window.");
}

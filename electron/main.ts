import { join } from "node:path";
import * as electron from "electron/main";
import { readInstallEnv } from "./env.ts";
import { beginStart } from "./updates/begin-start.ts";

// The built file is out/main/main.js, in development and in the packaged app.
const root = join(import.meta.dirname, "../..");

// macOS sends links as events, possibly before the rest of the program is loaded.
const earlyUrls: string[] = [];
electron.app.on("open-url", (_event, url) => earlyUrls.push(url));

const places = { rendererDir: join(root, "out/renderer"), resourcesDir: join(root, "resources") };
// Not awaited: Electron becomes ready only after its main module has been evaluated.
void beginStart(electron, { ...places, installEnv: readInstallEnv() }, async () => {
  const { start } = await import("./start-app.ts");
  await start(root, earlyUrls);
});

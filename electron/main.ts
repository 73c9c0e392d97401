import { join } from "node:path";
import * as electron from "electron/main";
import { readInstallEnv } from "./env.ts";
import { beginStart } from "./updates/begin-start.ts";

// Built, this file is out/main/main.js, in development and inside the packaged app alike.
const root = join(import.meta.dirname, "../..");

// macOS hands links over by an event, perhaps before the rest is read.
const earlyUrls: string[] = [];
electron.app.on("open-url", (_event, url) => earlyUrls.push(url));

const places = { rendererDir: join(root, "out/renderer"), resourcesDir: join(root, "resources") };
// Not awaited: Electron becomes ready only after its main module has been evaluated.
void beginStart(electron, { ...places, installEnv: readInstallEnv() }, async () => {
  const { start } = await import("./start-app.ts");
  await start(root, earlyUrls);
});

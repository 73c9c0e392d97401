import { join } from "node:path";
import * as electron from "electron/main";
import {
  isPortNamed,
  readDevServerUrl,
  readInstallEnv,
  readProgramFile,
  readUpdateFeed,
} from "./env.ts";
import { beginStart } from "./updates/begin-start.ts";

// The built file is out/main/main.js, in development and in the packaged app.
const root = join(import.meta.dirname, "../..");

// macOS sends links as events, possibly before the rest of the program is loaded.
const earlyUrls: string[] = [];
electron.app.on("open-url", (_event, url) => earlyUrls.push(url));

const places = { rendererDir: join(root, "out/renderer"), resourcesDir: join(root, "resources") };
// Not awaited: Electron becomes ready only after its main module has been evaluated.
void beginStart(electron, { ...places, installEnv: readInstallEnv() }, async () => {
  const { startApp } = await import("./bootstrap.ts");
  const { readBuiltInFeed } = await import("./updates/feed.ts");
  await startApp(electron, {
    gateway: { ...places, hasOwnPort: !isPortNamed() },
    preload: join(root, "out/preload/preload.cjs"),
    devServerUrl: readDevServerUrl(),
    updateFeed: readUpdateFeed() ?? readBuiltInFeed(process.resourcesPath),
    installEnv: readInstallEnv(),
    args: process.argv,
    earlyUrls,
    program: readProgramFile(),
  });
});

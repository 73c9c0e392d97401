import { join } from "node:path";
import * as electron from "electron/main";
import { startApp } from "./bootstrap.ts";
import {
  isPortNamed,
  readDevServerUrl,
  readInstallEnv,
  readProgramFile,
  readUpdateFeed,
} from "./env.ts";
import { readBuiltInFeed } from "./updates/feed.ts";

// Built, this file is out/main/main.js, in development and inside the packaged app alike.
const root = join(import.meta.dirname, "../..");

// Not awaited: Electron becomes ready only after its main module has been evaluated.
void startApp(electron, {
  gateway: {
    rendererDir: join(root, "out/renderer"),
    resourcesDir: join(root, "resources"),
    hasOwnPort: !isPortNamed(),
  },
  preload: join(root, "out/preload/preload.cjs"),
  devServerUrl: readDevServerUrl(),
  updateFeed: readUpdateFeed() ?? readBuiltInFeed(process.resourcesPath),
  installEnv: readInstallEnv(),
  args: process.argv,
  program: readProgramFile(),
});

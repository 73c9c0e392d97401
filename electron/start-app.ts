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

export function start(root: string, earlyUrls: readonly string[]): Promise<void> {
  return startApp(electron, {
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
    earlyUrls,
    program: readProgramFile(),
  });
}

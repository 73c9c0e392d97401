/**
 * Runs a version of the desktop program as a process, with a stand-in for Electron. When the
 * version ends, starts the program that the system would start. The parameters are JSON.
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startApp } from "../bootstrap.ts";
import { ElectronStandIn } from "./electron-stand-in.ts";
import { createNodeExecutor } from "./release-feed.ts";

const [, , given = "{}"] = process.argv;
const { folder, version, feed, program, fault } = JSON.parse(given) as Record<
  "folder" | "version" | "feed" | "program" | "fault",
  string
>;
const electron = new ElectronStandIn({ isPackaged: true, version });
if (fault !== "") {
  electron.safeStorage.isEncryptionAvailable = () => {
    throw new Error(fault);
  };
}
writeFileSync(join(folder, "running.json"), JSON.stringify({ version, pid: process.pid }));
await startApp(electron.asElectron(), {
  gateway: {
    dataDir: join(folder, "data"),
    port: 0,
    logLevel: "silent",
    rendererDir: folder,
    resourcesDir: join(folder, "resources"),
  },
  preload: join(folder, "preload.cjs"),
  updateFeed: feed,
  installEnv: {
    platform: "linux",
    resourcesPath: "",
    appImage: program,
    localAppData: undefined,
  },
  updateExecutor: createNodeExecutor(),
});
const url = electron.windows[0]?.url;
if (url !== undefined && electron.exitCode === undefined) {
  writeFileSync(join(folder, "running.json"), JSON.stringify({ version, pid: process.pid, url }));
}
await electron.ended;
const [next] = electron.relaunched;
const ended = { version, exitCode: electron.exitCode, errors: electron.errorBoxes, next };
writeFileSync(join(folder, `ended-${version}-${process.pid}.json`), JSON.stringify(ended));
if (next !== undefined) spawn(next, { detached: true, stdio: "ignore" }).unref();
process.exit(electron.exitCode);

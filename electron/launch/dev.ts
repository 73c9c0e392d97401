/**
 * `npm run dev`: the till with hot reload, in the desktop window if Electron's runtime is
 * installed, otherwise in the browser. A change of the gateway's sources restarts the gateway only
 * in the browser.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createServer } from "vite";
import config from "../../electron.vite.config.ts";
import { childEnv, readLaunchEnv } from "../env.ts";
import { runInPlace } from "./run-child.ts";
import { findRuntime } from "./runtime.ts";

const ROOT = join(import.meta.dirname, "../..");

async function develop(args: readonly string[]): Promise<number> {
  const env = readLaunchEnv(process.platform);
  const runtime = findRuntime(ROOT, env.runtimeDir);
  if (runtime !== undefined && env.hasDisplay) {
    console.log("The till opens in the desktop window, with hot reload.");
    const script = join(ROOT, "node_modules/electron-vite/bin/electron-vite.js");
    return await runInPlace(process.execPath, [script, "dev", ...args], {
      cwd: ROOT,
      env: childEnv({}),
    });
  }
  const missing = runtime === undefined ? "Electron's runtime is not here" : "There is no display";
  console.log(`${missing}: the till is served to the browser, with hot reload.`);
  return await developInBrowser(args);
}

async function developInBrowser(args: readonly string[]): Promise<number> {
  const vite = await createServer({ ...config.renderer, configFile: false, clearScreen: false });
  await vite.listen();
  vite.printUrls();
  const gateway = spawn(
    process.execPath,
    ["--watch", "--watch-preserve-output", join(ROOT, "server/main.ts"), ...args],
    { cwd: ROOT, stdio: "inherit", env: childEnv({}) },
  );
  const code = await endOf(gateway);
  await vite.close();
  return code;
}

function endOf(gateway: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => gateway.kill(signal));
    }
    gateway.once("error", reject);
    gateway.once("exit", (code) => resolve(code ?? 0));
  });
}

try {
  process.exitCode = await develop(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/**
 * `npm run bench:start`: how long the packaged gateway takes from its start to the first answer that it is
 * ready, beside a bare program that opens the same database, in turns. Both are bundled.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { rolldown } from "rolldown";
import { ensureBuilt } from "../../electron/launch/ensure-built.ts";
import { bundledLibraries, outsideTheBundle } from "../../packaging/bundles.ts";
import { makeServerPackage } from "../../packaging/server/server-package.ts";
import { databaseFile } from "../../server/db/database-files.ts";
import { median } from "./median.ts";

const ROOT = join(import.meta.dirname, "../..");
const ROUNDS = 11;

const dir = mkdtempSync(join(tmpdir(), "tillgate-start-"));
try {
  await ensureBuilt(ROOT);
  const arch = process.arch === "arm64" ? "arm64" : "x64";
  const { folder } = await makeServerPackage(ROOT, dir, { platform: "linux", arch });
  const bare = join(folder, "server");
  const bundle = await rolldown({
    input: { "bare-program": join(import.meta.dirname, "bare-program.ts") },
    platform: "node",
    external: outsideTheBundle(),
    logLevel: "warn",
  });
  await bundledLibraries(bundle, bare);
  const dataDir = join(dir, "data");
  const programs = {
    gateway: [join(bare, "main.js"), "--data", dataDir, "--port", "0"],
    "bare program": [join(bare, "bare-program.js"), databaseFile(dataDir)],
  };
  // The first start makes the database, and lets Node keep what it compiled.
  await start(programs.gateway);
  await start(programs["bare program"]);
  const times: Record<string, number[]> = { gateway: [], "bare program": [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, program] of Object.entries(programs)) {
      times[name]?.push(await start(program));
    }
  }
  const [gateway = 0, other = 0] = Object.entries(times).map(([name, took]) => {
    console.log(`${name.padEnd(16)}${median(took).toFixed(0).padStart(6)} ms`);
    return median(took);
  });
  console.log(`${(gateway / other).toFixed(2)} times`);
} finally {
  rmSync(dir, { recursive: true, force: true });
}

/** Starts a program, waits until it says that it is ready, and ends it. @returns milliseconds */
async function start(program: readonly string[]): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, program, {
    cwd: "/",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await readAddress(child.stdout);
  while (!(await fetch(`${url}/readyz`)).ok) await wait(1);
  const took = performance.now() - began;
  child.kill("SIGTERM");
  await once(child, "exit");
  return took;
}

async function readAddress(output: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const piece of output) {
    text += String(piece);
    const found = /listening on (http:\S+)/.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error("It ended before it listened.");
}

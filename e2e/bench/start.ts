/**
 * `npm run bench:start`: time from the packaged gateway's start to its first response, compared
 * with a bare program that opens the same database. The first request is for `/readyz`, for `/v1`
 * with a key, or for the till's page, each with separate starts.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { rolldown } from "rolldown";
import { ensureBuilt } from "../../electron/launch/ensure-built.ts";
import { outsideTheBundle, writeBundles } from "../../packaging/bundles.ts";
import { makeServerPackage } from "../../packaging/server/server-package.ts";
import { databaseFile } from "../../server/db/database-files.ts";
import { median } from "./quantile.ts";

const ROOT = join(import.meta.dirname, "../..");
const ROUNDS = 11;

const dir = mkdtempSync(join(tmpdir(), "tillgate-start-"));
try {
  await ensureBuilt(ROOT);
  const arch = process.arch === "arm64" ? "arm64" : "x64";
  const { folder } = await makeServerPackage(ROOT, dir, { platform: "linux", arch });
  const program = join(folder, "server");
  const bare = join(folder, "bare");
  const bundle = await rolldown({
    input: { "bare-program": join(import.meta.dirname, "bare-program.ts") },
    platform: "node",
    external: outsideTheBundle(),
    logLevel: "warn",
  });
  await writeBundles(bundle, bare);
  const dataDir = join(dir, "data");
  const gateway = [join(program, "main.js"), "--data", dataDir, "--port", "0"];
  const other = [join(bare, "bare-program.js"), databaseFile(dataDir)];
  // The first start creates the database and fills Node's compile cache.
  await start(gateway, { path: "/readyz" });
  await start(other, { path: "/readyz" });
  const key = makeKey(join(program, "tillgate.js"), dataDir);
  const firsts: Record<string, { program: readonly string[]; asked: Asked }> = {
    "bare program": { program: other, asked: { path: "/readyz" } },
    "gateway, ready": { program: gateway, asked: { path: "/readyz" } },
    "gateway, /v1": { program: gateway, asked: { path: "/v1/balance", key } },
    "gateway, the till": { program: gateway, asked: { path: "/pos/session", status: 401 } },
  };
  for (const { program, asked } of Object.values(firsts)) await start(program, asked);
  const times = new Map(Object.keys(firsts).map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, { program, asked }] of Object.entries(firsts)) {
      times.get(name)?.push(await start(program, asked));
    }
  }
  const least = median(times.get("bare program") ?? []);
  for (const [name, took] of times) {
    const ms = median(took);
    console.log(
      `${name.padEnd(18)}${ms.toFixed(0).padStart(6)} ms ${(ms / least).toFixed(2)} times`,
    );
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}

interface Asked {
  readonly path: string;
  readonly key?: string;
  readonly status?: number;
}

/**
 * Starts a program, repeats a request until it is answered, and ends the program.
 * @returns milliseconds until the response
 */
async function start(
  program: readonly string[],
  { path, key, status = 200 }: Asked,
): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, program, {
    cwd: "/",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await readAddress(child.stdout);
  const headers = { ...(key !== undefined && { authorization: `Bearer ${key}` }) };
  while ((await fetch(url + path, { headers })).status !== status) await wait(1);
  const took = performance.now() - began;
  child.kill("SIGTERM");
  await once(child, "exit");
  return took;
}

function makeKey(command: string, dataDir: string): string {
  const words = [command, "keys", "create", "--name", "start", "--env", "test", "--data", dataDir];
  const said = execFileSync(process.execPath, words, { encoding: "utf8" });
  const key = /^\S{20,}$/m.exec(said)?.[0];
  if (key === undefined) throw new Error(`No key was made: ${said}`);
  return key;
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

/**
 * `npm start`: the till in a window of its own where that is possible, and otherwise in the
 * browser, from the same gateway. Takes the options of the headless host: --data, --port, --host.
 */

import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { parseArgs } from "node:util";
import { childEnv, type LaunchEnv, readLaunchEnv } from "../env.ts";
import { ensureBuilt } from "./ensure-built.ts";
import { showProgress } from "./progress.ts";
import { runInPlace, SIGNAL_EXIT_BASE } from "./run-child.ts";
import { findRuntime, runtimePackage } from "./runtime.ts";

const LOOK_EVERY_MS = 500;

const systemTicker: Ticker = {
  now: () => performance.now(),
  every: (intervalMs, tick) => {
    const timer = setInterval(tick, intervalMs);
    return () => clearInterval(timer);
  },
};

/** A stalled connection stays silent; a clerk who waits longer thinks the till is broken. */
const IDLE_TIMEOUT_MS = 20_000;
const BYTES_PER_MB = 1_000_000;

const ROOT = join(import.meta.dirname, "../..");
/** A window that was open longer than this before it ended: its end was visible to the clerk. */
const CRASH_AT_START_MS = 15_000;
/** How Chromium ends when it finds no display server, no sandbox or no graphics. */
const CRASHES = new Set(
  (["SIGTRAP", "SIGABRT", "SIGSEGV", "SIGILL", "SIGBUS"] as const).map(
    (signal) => SIGNAL_EXIT_BASE + constants.signals[signal],
  ),
);

async function start(args: readonly string[]): Promise<number> {
  await ensureBuilt(ROOT);
  const env = readLaunchEnv(process.platform);
  let facts = gatherFacts(env);
  let plan = planLaunch(facts);
  if (plan.run === "fetch") {
    const fetch = await fetchWithProgress();
    facts = { ...gatherFacts(env), fetch };
    plan = planLaunch(facts);
  }
  if (plan.run === "desktop") {
    const startedAt = performance.now();
    const code = await runDesktop(env, args);
    if (!CRASHES.has(code) || performance.now() - startedAt > CRASH_AT_START_MS) {
      return code;
    }
    plan = planLaunch({ ...facts, windowCrashed: true });
  }
  const why = plan.run === "browser" ? `${plan.why}: the` : "The";
  console.log(`${why} till is served to the browser instead.`);
  return await runInPlace(process.execPath, [join(ROOT, "server/main.ts"), ...args], {
    cwd: process.cwd(),
    env: childEnv({}),
  });
}

function gatherFacts(env: LaunchEnv): LaunchFacts {
  return {
    hasDisplay: env.hasDisplay,
    runsAsRoot: process.platform === "linux" && process.getuid?.() === 0,
    runtimeInstalled: findRuntime(ROOT, env.runtimeDir) !== undefined,
    fetch: "not tried",
    windowCrashed: false,
  };
}

async function fetchWithProgress() {
  const progress = showProgress("Fetching the desktop window's runtime, once");
  try {
    return await fetchRuntime(ROOT, (megabytes) => progress.update(`${megabytes} MB`));
  } finally {
    progress.end();
  }
}

/** The project folder is what Electron runs: package.json names the app and its main script. */
function runDesktop(env: LaunchEnv, args: readonly string[]): Promise<number> {
  const runtime = findRuntime(ROOT, env.runtimeDir);
  if (runtime === undefined) {
    throw new Error("Electron's runtime went away while the till was starting. Start it again.");
  }
  return runInPlace(runtime, [ROOT], { cwd: ROOT, env: childEnv(asVariables(args)) });
}

/** The window takes its settings from the environment: its own arguments belong to Chromium. */
function asVariables(args: readonly string[]): Record<string, string> {
  const { values } = parseArgs({
    args: [...args],
    options: { data: { type: "string" }, port: { type: "string" } },
    strict: false,
  });
  return {
    ...(typeof values.data === "string" && { TILLGATE_DATA: values.data }),
    ...(typeof values.port === "string" && { TILLGATE_PORT: values.port }),
  };
}

try {
  process.exitCode = await start(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** The part of a child process that a fetch needs. */
export interface FetchChild {
  readonly stdout: Readable;
  readonly stderr: Readable;
  once(event: "close", listener: (code: number | null) => void): unknown;
  once(event: "error", listener: () => void): unknown;
  kill(signal: NodeJS.Signals): unknown;
}

interface FetchDeps {
  readonly startChild: () => FetchChild;
  /** Bytes that have arrived. */
  readonly measure: () => number;
  readonly ticker: Ticker;
  readonly showMegabytes: (megabytes: number) => void;
  readonly idleTimeoutMs?: number;
}

/** Runs the installer until it ends or goes silent. Never rejects: the till runs without it. */
export function superviseFetch(deps: FetchDeps): Promise<FetchOutcome> {
  return new Promise((resolve) => {
    const child = deps.startChild();
    const watcher = watchSilence({
      idleTimeoutMs: deps.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
      ticker: deps.ticker,
      measure: deps.measure,
      onProgress: (bytes) => deps.showMegabytes(Math.round(bytes / BYTES_PER_MB)),
      onSilence: () => {
        child.kill("SIGKILL");
        resolve("silent");
      },
    });
    child.stdout.on("data", () => watcher.heard());
    child.stderr.on("data", () => watcher.heard());
    const end = (outcome: FetchOutcome) => {
      watcher.stop();
      resolve(outcome);
    };
    child.once("error", () => end("failed"));
    child.once("close", (code) => end(code === 0 ? "fetched" : "failed"));
  });
}

/** Fetches Electron's runtime with the package's own installer, which checks what it gets. */
async function fetchRuntime(
  root: string,
  showMegabytes: (megabytes: number) => void,
): Promise<FetchOutcome> {
  // The installer downloads into the temporary folder; in one of its own, growth can be seen.
  const arriving = mkdtempSync(join(tmpdir(), "tillgate-fetch-"));
  const folder = runtimePackage(root);
  try {
    return await superviseFetch({
      startChild: () =>
        spawn(process.execPath, [join(folder, "install.js")], {
          stdio: ["ignore", "pipe", "pipe"],
          env: childEnv({ TMPDIR: arriving, TEMP: arriving, TMP: arriving }),
        }),
      measure: () => bytesIn(arriving) + bytesIn(join(folder, "dist")),
      ticker: systemTicker,
      showMegabytes,
    });
  } finally {
    rmSync(arriving, { recursive: true, force: true });
  }
}

/** Files come and go while they are counted. */
function bytesIn(folder: string): number {
  let bytes = 0;
  for (const name of readdirOrNone(folder)) {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    bytes += stats?.isFile() ? stats.size : 0;
  }
  return bytes;
}

function readdirOrNone(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}

/** The timers that a wait needs; tests pass their own. */
export interface Ticker {
  now(): number;
  /** Calls `tick` every `intervalMs` until the returned function is called. */
  every(intervalMs: number, tick: () => void): () => void;
}

interface SilenceOptions {
  readonly idleTimeoutMs: number;
  readonly ticker: Ticker;
  /** A measure that only changes while the work goes on, such as the bytes on the disk. */
  readonly measure: () => number;
  readonly onProgress: (measured: number) => void;
  readonly onSilence: () => void;
}

/**
 * Watches work for signs of life: a call of `heard()`, or a measure that changes. Calls `onSilence`
 * once when neither happened for `idleTimeoutMs`.
 */
function watchSilence(options: SilenceOptions): { heard(): void; stop(): void } {
  const { idleTimeoutMs, ticker, measure, onProgress, onSilence } = options;
  let lastSign = ticker.now();
  let lastMeasure = measure();
  const stop = ticker.every(LOOK_EVERY_MS, () => {
    const measured = measure();
    if (measured !== lastMeasure) {
      lastMeasure = measured;
      lastSign = ticker.now();
      onProgress(measured);
    }
    if (ticker.now() - lastSign >= idleTimeoutMs) {
      stop();
      onSilence();
    }
  });
  return {
    heard: () => {
      lastSign = ticker.now();
    },
    stop,
  };
}

/** Decides what `npm start` runs, from facts alone. */

export interface LaunchFacts {
  readonly hasDisplay: boolean;
  /** Chromium keeps no sandbox for Linux's root, and without one no window is opened. */
  readonly runsAsRoot: boolean;
  readonly runtimeInstalled: boolean;
  /** The result of fetching the runtime, once that was tried. */
  readonly fetch: FetchOutcome | "not tried";
  /** The window was opened and crashed at once. */
  readonly windowCrashed: boolean;
}

/** "silent": nothing arrived for so long that waiting on is hopeless. */
type FetchOutcome = "fetched" | "silent" | "failed";

type LaunchPlan =
  | { readonly run: "desktop" }
  | { readonly run: "fetch" }
  | { readonly run: "browser"; readonly why: string };

/** Asked again after each step; a fetch and a window are planned at most once each. */
export function planLaunch(facts: LaunchFacts): LaunchPlan {
  if (!facts.hasDisplay) {
    return inBrowser("There is no display here for a window");
  }
  if (facts.runsAsRoot) {
    return inBrowser("A desktop window is not opened for the root user");
  }
  if (facts.windowCrashed) {
    return inBrowser("The desktop window could not be opened");
  }
  if (facts.runtimeInstalled) {
    return { run: "desktop" };
  }
  switch (facts.fetch) {
    case "not tried":
      return { run: "fetch" };
    case "silent":
      return inBrowser("The desktop window's runtime did not arrive");
    default:
      return inBrowser("The desktop window's runtime could not be fetched");
  }
}

function inBrowser(why: string): LaunchPlan {
  return { run: "browser", why };
}

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { childEnv } from "../env.ts";
import type { FetchOutcome } from "./launch-plan.ts";

function runtimePackage(root: string): string {
  return join(root, "node_modules/electron");
}

/**
 * Returns the path of Electron's executable if the runtime is installed. The package's index.js is
 * not imported, because it would fetch a missing runtime.
 */
export function findRuntime(root: string, runtimeDir?: string): string | undefined {
  const folder = runtimePackage(root);
  let name: string;
  try {
    name = readFileSync(join(folder, "path.txt"), "utf8").trim();
  } catch {
    return undefined;
  }
  const executable = join(runtimeDir ?? join(folder, "dist"), name);
  return existsSync(executable) ? executable : undefined;
}

export interface Ticker {
  now(): number;
  every(intervalMs: number, tick: () => void): () => void;
}

interface SilenceOptions {
  readonly idleTimeoutMs: number;
  readonly ticker: Ticker;
  /** A value that changes only with progress, such as bytes on the disk. */
  readonly measure: () => number;
  readonly onProgress: (measured: number) => void;
  readonly onSilence: () => void;
}

const LOOK_EVERY_MS = 500;

/**
 * Calls `onSilence` after `idleTimeoutMs` without progress: no call of `heard()` and no change of
 * the measured value.
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

const systemTicker: Ticker = {
  now: () => performance.now(),
  every: (intervalMs, tick) => {
    const timer = setInterval(tick, intervalMs);
    return () => clearInterval(timer);
  },
};

/**
 * A stalled connection does not recover. A clerk who waits longer thinks that the till is broken.
 */
const IDLE_TIMEOUT_MS = 20_000;
const BYTES_PER_MB = 1_000_000;

export interface FetchChild {
  readonly stdout: Readable;
  readonly stderr: Readable;
  once(event: "close", listener: (code: number | null) => void): unknown;
  once(event: "error", listener: () => void): unknown;
  kill(signal: NodeJS.Signals): unknown;
}

interface FetchDeps {
  readonly startChild: () => FetchChild;
  readonly measure: () => number;
  readonly ticker: Ticker;
  readonly showMegabytes: (megabytes: number) => void;
  readonly idleTimeoutMs?: number;
}

/**
 * Runs the installer until it ends or stalls. Never rejects, because the till also runs without
 * Electron.
 */
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

/**
 * Fetches Electron's runtime with the installer of Electron's package, which verifies the download.
 */
export async function fetchRuntime(
  root: string,
  showMegabytes: (megabytes: number) => void,
): Promise<FetchOutcome> {
  // The installer downloads to the temporary folder. A folder for this download alone makes its
  // progress measurable.
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

import { existsSync, mkdirSync } from "node:fs";
import { constants, enableCompileCache } from "node:module";
import { join } from "node:path";
import { SECOND, systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

/**
 * Lets Node keep what it compiles, and read it again at the next start: call before what is to be kept is
 * imported. It is in the data directory, which nobody else can write to, unless the environment names another
 * (`NODE_COMPILE_CACHE`); a directory that is not there yet, or cannot be written, costs nothing but time.
 */
export function keepCompiledCode(dataDir: string): void {
  const dir = join(dataDir, "compiled");
  try {
    if (!existsSync(dir)) mkdirSync(dir, { mode: 0o700 });
  } catch {
    return;
  }
  const { status, message } = enableCompileCache(dir);
  if (status === constants.compileCacheStatus.FAILED) {
    process.stderr.write(`Compiled code is not kept: ${message}\n`);
  }
}

/** How long after it listens a gateway reads what its start left out. */
const READ_AHEAD_AFTER_MS = SECOND;
/** Requests have their turn between them. */
const BETWEEN_STEPS_MS = 100;

/**
 * Reads, once it listens, what first requests would otherwise wait for, and at last what the first sale to a
 * provider would: a step in a turn.
 * @returns what calls that off
 */
export function readAhead(steps: readonly (() => void)[], log: Log): () => void {
  const clock = systemClock;
  let callOff: () => void;
  const after = (wait_ms: number, [step, ...later]: readonly (() => void)[]) => {
    callOff = clock.wakeAt(clock.now() + wait_ms, () => {
      try {
        step?.();
      } catch (error) {
        log.error({ err: error }, "what a start leaves out could not be read");
      }
      if (later.length > 0) after(BETWEEN_STEPS_MS, later);
    });
  };
  after(READ_AHEAD_AFTER_MS, [...steps, () => void import("undici")]);
  return () => callOff();
}

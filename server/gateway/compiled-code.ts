import { existsSync, mkdirSync } from "node:fs";
import { constants, enableCompileCache } from "node:module";
import { join } from "node:path";
import { SECOND, systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

/**
 * Lets Node cache compiled code for the next start. Must be called before the code is imported.
 * Unless `NODE_COMPILE_CACHE` is set, the cache is in the data directory, because no other user can
 * write there.
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

/** Delay between listening and loading the remaining code. */
const READ_AHEAD_AFTER_MS = SECOND;
/** Pause between two steps. Requests run in it. */
const BETWEEN_STEPS_MS = 100;

/**
 * Loads the remaining code in steps, so that first requests do not wait for it.
 * @returns a function that cancels the remaining steps
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

import { randomBytes } from "node:crypto";
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { LastingError, StartupError } from "../config/config.ts";
import { placeOnce } from "../db/database-files.ts";
import type { Clock } from "../lib/clock.ts";
import { createFileSealer, SealError } from "../lib/sealer.ts";
import { describeFileFault } from "../lib/storage-fault.ts";
import { flushPath } from "../lib/write-file.ts";

const PREFIX = "preflight-";
const PROBE_BYTES = 4096;
const OTHERS = 0o077;

/** Tillgate did not exist before this time, so an earlier clock is wrong. */
const EARLIEST_CLOCK = Date.UTC(2025, 0, 1);

/**
 * Errors that do not prevent a start. A full disk may get free space at any time, and the gateway
 * waits for it.
 */
const PASSING: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

interface Options {
  dataDir: string;
  clock: Pick<Clock, "now">;
  link?: typeof linkSync;
}

class Unfit extends Error {}

/**
 * Tests the data directory's disk with the file operations on which money depends
 * (rules#fault-preflight), because a sale that cannot be stored must not happen. The caller must
 * have locked the directory.
 * @throws StartupError; leaves no test files
 */
export function requireUsablePlace({ dataDir, clock, link = linkSync }: Options): void {
  if (clock.now() < EARLIEST_CLOCK) {
    throw new StartupError(
      `The clock of this machine says ${new Date(clock.now()).toISOString()}, which cannot be right: sales would be dated by it. Nothing was sold. Set the clock, then start Tillgate again.`,
    );
  }
  try {
    removeProbes(dataDir);
    tryFiles(dataDir, link);
  } catch (error) {
    if (PASSING.has(String((error as NodeJS.ErrnoException).code))) return;
    const reason = error instanceof Unfit ? error.message : describeFileFault(error);
    throw new StartupError(
      `Tillgate cannot keep a shop in ${dataDir}: ${reason}. Nothing was sold. Choose a directory on another disk with --data, or repair this one, then start Tillgate again.`,
    );
  } finally {
    tidyUp(dataDir);
  }
  requireKey(dataDir);
}

/** Deletes the test files. Ignores errors, because the caller throws the original error. */
function tidyUp(dataDir: string): void {
  try {
    removeProbes(dataDir);
  } catch {
    // The next start deletes the test files.
  }
}

function tryFiles(dataDir: string, link: typeof linkSync): void {
  const path = (name: string) => join(dataDir, `${PREFIX}${name}`);
  const [first, second, placed] = [path("first"), path("second"), path("placed")];
  const old = randomBytes(PROBE_BYTES);
  const bytes = randomBytes(PROBE_BYTES);
  doing("a file cannot be written", () => writeFlushed(first, old));
  doing("a file cannot be written", () => writeFlushed(second, bytes));
  doing("a file cannot be replaced by another", () => renameSync(second, first));
  flushPath(dataDir);
  if (!readFileSync(first).equals(bytes)) throw new Unfit("a file is not read as it was written");
  doing("secrets.key could not be put in its place", () => placeOnce(first, placed, link));
  flushPath(dataDir);
  if (!readFileSync(placed).equals(bytes)) throw new Unfit("a file is not read as it was written");
  doing("a file cannot be removed", () => rmSync(placed));
}

function doing(failure: string, step: () => void): void {
  try {
    step();
  } catch (error) {
    if (error instanceof Unfit || PASSING.has(String((error as NodeJS.ErrnoException).code))) {
      throw error;
    }
    throw new Unfit(`${failure} (${describeFileFault(error)})`);
  }
}

function writeFlushed(file: string, bytes: Buffer): void {
  const handle = openSync(file, "wx", 0o600);
  try {
    const written = writeSync(handle, bytes);
    if (written !== bytes.length) throw new Unfit("a file cannot be written whole");
    fsyncSync(handle);
    // On Windows the data directory belongs to the user, and files have no mode.
    if (process.platform !== "win32" && (fstatSync(handle).mode & OTHERS) !== 0) {
      throw new Unfit(
        "its disk keeps no file for one user alone, so others could read the key (mount it with umask=077)",
      );
    }
  } finally {
    closeSync(handle);
  }
}

function removeProbes(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(PREFIX)) rmSync(join(dataDir, name), { force: true });
  }
}

/**
 * Requires a usable key file if there is one. A missing key file is created with the first secret.
 */
function requireKey(dataDir: string): void {
  try {
    createFileSealer(dataDir).derive("preflight", { create: false });
  } catch (error) {
    throw error instanceof SealError
      ? new LastingError(`${error.message} Nothing was sold. Then start Tillgate again.`)
      : error;
  }
}

import { closeSync, constants, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type Static, Type } from "typebox";
import { findJson } from "../lib/checked-json.ts";

/** How far a database was written: transactions of SQLite, and those of the wallet among them. */
const CommitCount = Type.Object({
  commits: Type.Integer(),
  transactions: Type.Integer(),
  committedAt: Type.Number(),
});
export type CommitCount = Static<typeof CommitCount>;

const NAME = "tillgate.db-commits";
const SLOT_BYTES = 128;
const SLOTS = 2;

function witnessFile(dataDir: string): string {
  return join(dataDir, NAME);
}

/**
 * Records outside the database how far it was written, so that a lost log of writes is noticed. The
 * record is not waited for: after a power cut it may know less than there is, which means nothing. It
 * never knows more than was committed (rules#fault-lost-commits).
 */
export class CommitWitness {
  readonly #file: number | undefined;

  constructor(dataDir: string) {
    try {
      const flags = constants.O_RDWR | constants.O_CREAT;
      this.#file = openSync(witnessFile(dataDir), flags, 0o600);
    } catch {
      // A witness that cannot be written must not stop sales.
      this.#file = undefined;
    }
  }

  /** Two places are written in turn: a write that is cut off leaves the other. */
  note(count: CommitCount): void {
    if (this.#file === undefined) return;
    const text = JSON.stringify(count);
    const slot = Buffer.alloc(SLOT_BYTES, " ");
    slot.write(`${crc32(text).toString(16).padStart(8, "0")} ${text}`);
    slot.write("\n", SLOT_BYTES - 1);
    try {
      writeSync(this.#file, slot, 0, SLOT_BYTES, (count.commits % SLOTS) * SLOT_BYTES);
    } catch {
      // As above.
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}

/** Forgets a database that is there no more. */
export function removeWitness(dataDir: string): void {
  rmSync(witnessFile(dataDir), { force: true });
}

/** The furthest commit that the witness of a data directory knows; undefined where it knows none. */
export function readWitness(dataDir: string): CommitCount | undefined {
  let text: string;
  try {
    text = readFileSync(witnessFile(dataDir), "utf8");
  } catch {
    return undefined;
  }
  const counts = text.split("\n").flatMap((line) => {
    const rest = line.slice(9).trimEnd();
    if (Number.parseInt(line.slice(0, 8), 16) !== crc32(rest)) return [];
    return findJson(CommitCount, rest) ?? [];
  });
  return counts.toSorted((a, b) => b.commits - a.commits)[0];
}

import { closeSync, constants, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type Static, type TSchema, Type } from "typebox";
import { findJson } from "../lib/checked-json.ts";

/** Number of transactions of a database: of SQLite, and of the wallet among them. */
const CommitCount = Type.Object({
  commits: Type.Integer(),
  transactions: Type.Integer(),
  committedAt: Type.Number(),
});
export type CommitCount = Static<typeof CommitCount>;

const NAME = "tillgate.db-commits";
const SLOT_BYTES = 128;
const SLOTS = 2;
/** Length of the checksum that precedes the text of a slot, with the space between. */
const PREFIX_CHARACTERS = 9;

/**
 * Tables that the program writes automatically, also in a failed start. A commit of these alone is not missed, and its
 * loss loses nothing of a shop (rules#backup-go-back).
 */
const NOT_MISSED: ReadonlySet<string> = new Set([
  "jobs",
  "write_probes",
  "live_check_results",
  "brand_states",
  "catalog_generations",
  "storage_findings",
  // An action of a person about an alert is in the audit trail in the same transaction.
  "alerts",
  "changes",
]);

/** Returns whether a shop would miss a commit that has written to these tables. */
export function isMissed(written: Iterable<string>): boolean {
  return ![...written].every((table) => NOT_MISSED.has(table));
}

function witnessFile(dataDir: string): string {
  return join(dataDir, NAME);
}

/**
 * A file that stores the newest of its records. Two slots are written alternately, so that an interrupted write leaves
 * the other.
 */
export class SlotFile {
  readonly #file: number | undefined;
  readonly #slotBytes: number;

  constructor(path: string, slotBytes: number) {
    this.#slotBytes = slotBytes;
    try {
      this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    } catch {
      // A record that cannot be written must not stop sales.
      this.#file = undefined;
    }
  }

  /** @param number rises with each record */
  write(number: number, record: object): void {
    if (this.#file === undefined) return;
    const text = JSON.stringify(record);
    const slot = Buffer.alloc(this.#slotBytes, " ");
    slot.write(
      `${crc32(text)
        .toString(16)
        .padStart(PREFIX_CHARACTERS - 1, "0")} ${text}`,
    );
    slot.write("\n", this.#slotBytes - 1);
    try {
      writeSync(this.#file, slot, 0, this.#slotBytes, (number % SLOTS) * this.#slotBytes);
    } catch {
      // As in the constructor.
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}

/** Returns the intact records of a slot file, in no order; none if it cannot be read. */
export function readSlots<Schema extends TSchema>(schema: Schema, path: string): Static<Schema>[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    const rest = line.slice(PREFIX_CHARACTERS).trimEnd();
    const sum = Number.parseInt(line.slice(0, PREFIX_CHARACTERS - 1), 16);
    if (sum !== crc32(rest)) return [];
    const record = findJson(schema, rest);
    return record === undefined ? [] : [record];
  });
}

/**
 * Records the last commit outside the database, so that a lost write-ahead log is detected. No commit
 * waits for the record: after a power cut it may be behind, which is harmless. It is never ahead of
 * the commits (rules#fault-lost-commits).
 */
export class CommitWitness {
  readonly #file: SlotFile;

  constructor(dataDir: string) {
    this.#file = new SlotFile(witnessFile(dataDir), SLOT_BYTES);
  }

  note(count: CommitCount): void {
    this.#file.write(count.commits, count);
  }

  close(): void {
    this.#file.close();
  }
}

/** Deletes the record of a database that no longer exists. */
export function removeWitness(dataDir: string): void {
  rmSync(witnessFile(dataDir), { force: true });
}

/** Reads the last commit in the witness of a data directory; undefined if there is none. */
export function readWitness(dataDir: string): CommitCount | undefined {
  const counts = readSlots(CommitCount, witnessFile(dataDir));
  return counts.toSorted((a, b) => b.commits - a.commits)[0];
}

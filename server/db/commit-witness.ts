import { closeSync, constants, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type Static, type TSchema, Type } from "typebox";
import { findJson } from "../lib/checked-json.ts";

/** Number of commits to the database, and number of the wallet's transactions. */
const CommitCount = Type.Object({
  commits: Type.Integer(),
  transactions: Type.Integer(),
  committedAt: Type.Number(),
});
export type CommitCount = Static<typeof CommitCount>;

const NAME = "tillgate.db-commits";
const SLOT_BYTES = 128;
const SLOTS = 2;
/** Length of the checksum and the space that precede the text of a slot. */
const PREFIX_CHARACTERS = 9;

/**
 * Tables that the program writes without a person's action, even in a failed start. If a lost
 * commit wrote only to these tables, the shop has lost nothing (rules#backup-go-back).
 */
const NOT_MISSED: ReadonlySet<string> = new Set([
  "jobs",
  "shared_memory",
  "live_check_results",
  "brand_states",
  "catalog_generations",
  "storage_findings",
  // A person's action on an alert also writes to the audit trail, so its commit is missed.
  "alerts",
  "changes",
]);

/** Returns whether a shop would miss a commit that wrote to these tables. */
export function isMissed(written: Iterable<string>): boolean {
  return ![...written].every((table) => NOT_MISSED.has(table));
}

function witnessFile(dataDir: string): string {
  return join(dataDir, NAME);
}

/**
 * A file that stores the newest record. Two slots are written alternately, so that an interrupted
 * write leaves the other slot intact.
 */
export class SlotFile {
  readonly #file: number | undefined;
  readonly #slotBytes: number;

  constructor(path: string, slotBytes: number) {
    this.#slotBytes = slotBytes;
    try {
      this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    } catch {
      // If the record cannot be written, sales must continue.
      this.#file = undefined;
    }
  }

  /** @param number must increase with each record */
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
      // As in the constructor, sales must continue.
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}

/** Returns the intact records of a slot file in any order; none if the file cannot be read. */
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
 * Records the number of the last commit in a separate file, so that a lost write-ahead log is
 * detected. No commit waits for the record. After a power cut the record may be behind the commits,
 * which is harmless; it is never ahead of them (rules#fault-lost-commits).
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

export function removeWitness(dataDir: string): void {
  rmSync(witnessFile(dataDir), { force: true });
}

/** Returns the last recorded commit; undefined if there is none. */
export function readWitness(dataDir: string): CommitCount | undefined {
  const counts = readSlots(CommitCount, witnessFile(dataDir));
  return counts.toSorted((a, b) => b.commits - a.commits)[0];
}

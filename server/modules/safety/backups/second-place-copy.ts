import { createHash, type Hash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describeFileFault } from "../../../lib/storage-fault.ts";
import { readLinks } from "./backup-chain.ts";
import { type ChainedFile, listSurplus, takenAtOf } from "./backup-files.ts";

/** File that marks the chosen folder. If the mark is missing, the disk may not be mounted. */
const MARK = ".tillgate-backups";
const MARK_HEAD = "Tillgate copies its backups here.";
const PART = ".tillgate-copy.part";
const CHUNK_BYTES = 1024 * 1024;
const SPARE_BYTES = 64 * 1024 * 1024;
const MEGABYTE = 1_000_000;

export interface CopyOrder {
  from: string;
  to: string;
  owner: string;
  now: number;
}

/** AWAY: the folder is missing. FULL: the disk has too little space. FAILED: any other reason. */
export type PlaceProblem = { kind: "AWAY" | "FULL" | "FAILED"; message: string };

export interface CopyOutcome {
  copied: number;
  missing: number;
  problem?: PlaceProblem;
}

/**
 * Marks an existing, writable folder as a second place of one shop.
 * @param owner a line of text that is unique to the shop
 * @returns the reason why the folder cannot be used; undefined if it is marked
 */
export function markPlace(dir: string, owner: string): string | undefined {
  try {
    if (!statSync(dir).isDirectory()) return "it is not a folder";
    const there = readOwner(dir);
    if (there !== undefined && there !== owner && there !== "") {
      return "another Tillgate copies its backups there: make a folder for each";
    }
    writeFileSync(join(dir, MARK), `${MARK_HEAD}\n${owner}\n`);
    return undefined;
  } catch (error) {
    return describeFileFault(error);
  }
}

/**
 * Reads the owner from the mark: empty in the mark of an early version, undefined without a mark.
 */
function readOwner(dir: string): string | undefined {
  const file = join(dir, MARK);
  if (!existsSync(file)) return undefined;
  return readFileSync(file, "utf8").split("\n")[1] ?? "";
}

function isPlaceOf(dir: string, owner: string): boolean {
  if (readOwner(dir) === "") markPlace(dir, owner);
  return readOwner(dir) === owner;
}

/**
 * Copies every missing backup to the second place, and reads each copy back. Starts with the newest
 * backup and its predecessors. Synchronous, so call it on a worker thread.
 * @param isOver whether the gateway is stopping
 * @param freeBytes free space of a folder's disk
 */
export function copyBackups(
  { from, to, owner, now }: CopyOrder,
  isOver: () => boolean = () => false,
  freeBytes: (dir: string) => number = readFreeBytes,
): CopyOutcome {
  const here = listBackups(from);
  if (!isPlaceOf(to, owner)) {
    const message = "the folder is not there, is another one, or another Tillgate copies into it";
    return { copied: 0, missing: here.length, problem: { kind: "AWAY", message } };
  }
  let copied = 0;
  let missing: ChainedFile[] = here;
  try {
    rmSync(join(to, PART), { force: true });
    const there = listBackups(to);
    const sizes = new Map(there.map(({ name, sizeBytes }) => [name, sizeBytes]));
    const lacking = here.filter(({ name, sizeBytes }) => sizes.get(name) !== sizeBytes);
    const surplus = new Set(listSurplus([...there, ...lacking], now).map(({ name }) => name));
    for (const { name, file } of there) if (surplus.has(name)) rmSync(file);
    const wanted = toCopyOrder(lacking.filter(({ name }) => !surplus.has(name)));
    missing = wanted;
    for (const backup of wanted) {
      if (isOver()) break;
      const free = freeBytes(to);
      if (free < backup.sizeBytes + SPARE_BYTES) {
        const needed = Math.ceil((backup.sizeBytes + SPARE_BYTES) / MEGABYTE);
        const message = `it has ${Math.floor(free / MEGABYTE)} MB left, and ${needed} MB are needed`;
        return { copied, missing: missing.length, problem: { kind: "FULL", message } };
      }
      copyOne(backup, to, isOver);
      missing = missing.filter((one) => one !== backup);
      copied++;
    }
    return { copied, missing: missing.length };
  } catch (error) {
    const kind = existsSync(join(to, MARK)) ? "FAILED" : "AWAY";
    const known = error instanceof CopyFault ? error.message : describeFileFault(error);
    return { copied, missing: missing.length, problem: { kind, message: known } };
  }
}

function toCopyOrder(newestFirst: readonly ChainedFile[]): ChainedFile[] {
  const byId = new Map(newestFirst.map((backup) => [backup.id, backup]));
  const ordered = new Set<ChainedFile>();
  const add = (backup: ChainedFile) => {
    const before = backup.follows === undefined ? undefined : byId.get(backup.follows);
    if (before && !ordered.has(before)) add(before);
    ordered.add(backup);
  };
  for (const backup of newestFirst) add(backup);
  return [...ordered];
}

class CopyFault extends Error {}

/** Copies a file. The copy gets its name only after it was read back and compared. */
function copyOne({ file, name }: ChainedFile, dir: string, isOver: () => boolean): void {
  const part = join(dir, PART);
  try {
    const target = openSync(part, "w", 0o600);
    let written: string;
    try {
      written = eachChunk(file, isOver, (chunk) => writeSync(target, chunk));
      fsyncSync(target);
    } finally {
      closeSync(target);
    }
    if (eachChunk(part, isOver) !== written) throw new CopyFault("a copy is not what was written");
    renameSync(part, join(dir, name));
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** @returns digest of the whole file */
function eachChunk(file: string, isOver: () => boolean, take?: (chunk: Buffer) => void): string {
  const digest: Hash = createHash("sha256");
  const source = openSync(file, "r");
  try {
    const room = Buffer.alloc(CHUNK_BYTES);
    for (;;) {
      if (isOver()) throw new CopyFault("Tillgate ended meanwhile");
      const length = readSync(source, room);
      if (length === 0) return digest.digest("hex");
      const chunk = room.subarray(0, length);
      digest.update(chunk);
      take?.(chunk);
    }
  } finally {
    closeSync(source);
  }
}

/** Lists backups, except files that a person renamed: those are neither copied nor deleted. */
function listBackups(dir: string): ChainedFile[] {
  const backups = readdirSync(dir).flatMap((name) => {
    const takenAt = takenAtOf(name);
    if (takenAt === undefined) return [];
    const file = join(dir, name);
    return [{ file, name, takenAt, sizeBytes: statSync(file).size, ...readLinks(file) }];
  });
  return backups.sort((a, b) => b.takenAt - a.takenAt);
}

function readFreeBytes(dir: string): number {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize;
}

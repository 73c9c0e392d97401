import { hash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import type { BackupFault } from "../../../contract/pos/backups.ts";
import { DAY, toTimestamp } from "../../../lib/clock.ts";
import type { SealKey } from "../../../lib/sealer.ts";
import { describeFileFault } from "../../../lib/storage-fault.ts";
import { mayBeBackup } from "./backup-files.ts";
import {
  BackupError,
  type BackupFacts,
  checkContent,
  encryptBackup,
  readContent,
  readSealedBackup,
  type SealedBackup,
  type UnlockedBackup,
  unlockBackup,
} from "./backup-format.ts";
import {
  HASH_BYTES,
  hashInto,
  hashPages,
  listChangedPages,
  type PageHashes,
  READ_BYTES,
  readAt,
  readInParts,
  writeAt,
} from "./database-pages.ts";
import type { SealedKit } from "./recovery-kit.ts";

/*
 * A chain of copies: a full copy, and increments that each hold the pages that differ from the copy before.
 *
 * The content of a full copy is the database, page after page. The content of an increment is, for each page that
 * differs, its number (4 bytes, big-endian) and its bytes; the header says how many pages the database has then. Each
 * header holds the digest of the hashes of all pages, and an increment names its predecessor by the digest of that
 * copy's header. So the id of a copy commits to the database it restores and to all copies before it, and the names of
 * files do not matter.
 *
 * Pages are compared by content, with the hashes of the last copy, which are kept in the data directory. Nothing is
 * concluded from counters, times or the write-ahead log: a crash, a restore, VACUUM or another program may change
 * the database in any way, and the next increment still leads from its predecessor to the database as it is. The kept
 * hashes are used only where their digest is the one in the signed header of a copy that is in the folder of the
 * backups, with all copies before it. In any other case (lost hashes, another folder, another key or page size) the
 * next copy is a full one. A crash between a copy and its hashes leaves the hashes of the copy before: the next
 * increment follows that one.
 */
const HASHES_FILE = "backup.pages";
const ID_BYTES = 32;
const NUMBER_BYTES = 4;
/**
 * Maximum number of copies in a chain. A longer chain takes longer to restore, and is more likely
 * to break.
 */
const MAX_LINKS = 40;
/**
 * Maximum fraction of changed pages in an increment. With more changes, such as after VACUUM, an
 * increment would save little.
 */
const MAX_CHANGED_SHARE = 0.5;

/** A planned copy of a database that is not in use. */
interface PlannedCopy extends PageHashes {
  readonly source: string;
  readonly facts: BackupFacts;
  readonly key: SealKey;
  /** Undefined for a full copy. */
  readonly increment: { readonly base: Base; readonly changed: readonly number[] } | undefined;
}

interface Base {
  readonly copy: UnlockedBackup;
  readonly hashes: Buffer;
}

interface BackupPlace {
  readonly dir: string;
  readonly dataDir: string;
  readonly facts: BackupFacts;
  readonly key: SealKey;
}

/** Returns the path of the page hashes of the last copy. The file starts with the copy's id. */
export function pageHashesFile(dataDir: string): string {
  return join(dataDir, HASHES_FILE);
}

/**
 * Plans the next copy. A copy is full if it is the first of a day (UTC) or the chain cannot be
 * continued. Every other copy is an increment.
 * @param place.isFull whether to make a full copy in any case
 */
export function planCopy(
  source: string,
  { isFull = false, ...place }: BackupPlace & { isFull?: boolean },
): PlannedCopy {
  const { facts, key } = place;
  const { pageBytes, hashes } = hashPages(source);
  const base = isFull ? undefined : findBase(place);
  const changed = base && listChangedPages(base.hashes, hashes);
  const fits =
    base?.copy.header.pages?.bytes === pageBytes &&
    changed !== undefined &&
    changed.length <= (hashes.length / HASH_BYTES) * MAX_CHANGED_SHARE;
  const increment = base && fits ? { base, changed } : undefined;
  return { source, facts, key, pageBytes, hashes, increment };
}

/**
 * Writes a planned copy, and verifies it by reading.
 * @param target path of the backup file, which exists and is empty
 * @param hashesTo path of the file for the page hashes
 */
export function writeCopy(
  { source, facts, key, pageBytes, hashes, increment }: PlannedCopy,
  { target, hashesTo, kits }: { target: string; hashesTo: string; kits: readonly SealedKit[] },
): void {
  const count = hashes.length / HASH_BYTES;
  const pages = { bytes: pageBytes, count, digest: toDigest(hashes) };
  const common = { target, facts, key, kits, pages };
  if (increment) {
    const { base, changed } = increment;
    const { id, file, facts: before } = base.copy;
    const entryBytes = NUMBER_BYTES + pageBytes;
    encryptBackup({
      ...common,
      follows: { id, name: basename(file), takenAt: before.takenAt },
      contentBytes: changed.length * entryBytes,
      chunkBytes: Math.floor(READ_BYTES / entryBytes) * entryBytes,
      content: readEntries(source, pageBytes, changed),
    });
  } else {
    const contentBytes = count * pageBytes;
    const full = { follows: undefined, contentBytes, chunkBytes: READ_BYTES };
    encryptBackup({ ...common, ...full, content: readInParts(source) });
  }
  const written = unlockBackup(readSealedBackup(target), key);
  applyCopy(written, undefined, increment?.base.hashes);
  const kept = Buffer.concat([Buffer.from(written.id, "hex"), hashes]);
  writeFileSync(hashesTo, kept, { mode: 0o600, flush: true });
}

/**
 * Restores the database from a copy and its predecessors, and verifies each copy.
 * @param dirs folders to search for the predecessors
 * @param target path of the restored database
 * @throws BackupError that names the damaged or missing copy, and the newest intact copy
 */
export function restoreChain(last: UnlockedBackup, dirs: readonly string[], target: string): void {
  const copies = new Copies(dirs);
  const to = openSync(target, "w", 0o600);
  try {
    let hashes: Buffer | undefined;
    for (const link of findChain(last, copies)) {
      hashes = naming(link === last ? undefined : link, () => {
        const copy = link === last ? last : unlockBackup(link, last.key);
        return applyCopy(copy, to, hashes);
      });
    }
    fsyncSync(to);
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    const { words, ...whole } = findNewestWhole(last, copies);
    throw new BackupError(`${error.message}; ${words}`, { ...error.fault, ...whole });
  } finally {
    closeSync(to);
  }
}

/**
 * Reads a copy's id and its predecessor's id.
 * @returns undefined if the header cannot be read
 */
export function readLinks(file: string): { id: string; follows: string | undefined } | undefined {
  try {
    const { id, header } = readSealedBackup(file);
    return { id, follows: header.follows?.id };
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

/** The copies in the given folders, except copies with a damaged header. */
class Copies {
  readonly #dirs: readonly string[];
  #list: SealedBackup[] | undefined;

  constructor(dirs: readonly string[]) {
    this.#dirs = [...new Set(dirs)];
  }

  list(): readonly SealedBackup[] {
    this.#list ??= this.#dirs.flatMap((dir) =>
      listNames(dir)
        .filter(mayBeBackup)
        .flatMap((name) => {
          try {
            return [readSealedBackup(join(dir, name))];
          } catch (error) {
            if (isUnreadable(error)) return [];
            throw error;
          }
        }),
    );
    return this.#list;
  }

  /** Returns the largest file with this id. Smaller files with the id are incomplete. */
  find(id: string): SealedBackup | undefined {
    const found = this.list().filter((copy) => copy.id === id);
    const sizeOf = ({ file }: SealedBackup) => statSync(file).size;
    return found.length > 1 ? found.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0] : found[0];
  }

  has(name: string): boolean {
    return this.#dirs.some((dir) => existsSync(join(dir, name)));
  }
}

/**
 * Lists the chain of a copy, from the full copy to the copy itself.
 * @throws BackupError naming a missing copy
 */
function findChain(last: SealedBackup, copies: Copies): SealedBackup[] {
  const chain = [last];
  for (let { follows } = last.header; follows; ) {
    const { id, name, takenAt } = follows;
    const found = copies.find(id);
    if (!found) {
      const which = `it needs the copy ${name}, taken at ${toTimestamp(takenAt)}`;
      const copy = { copy: name, copyAt: toTimestamp(takenAt) };
      throw copies.has(name)
        ? new BackupError(`${which}, and the file of that name is damaged or is another copy`, {
            kind: "COPY_DAMAGED",
            ...copy,
          })
        : new BackupError(`${which}, which is missing`, { kind: "COPY_MISSING", ...copy });
    }
    chain.unshift(found);
    ({ follows } = found.header);
  }
  return chain;
}

/** Adds the copy's name to an error of the work. */
function naming<T>(link: SealedBackup | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!link || !isUnreadable(error)) throw error;
    const reason = error instanceof BackupError ? error.message : describeFileFault(error);
    const copy = basename(link.file);
    throw new BackupError(
      `it needs the copy ${copy}, which is not good: ${reason}`,
      error instanceof BackupError
        ? { kind: "COPY_DAMAGED", copy, copyAt: toTimestamp(link.header.facts.takenAt) }
        : { kind: "UNREADABLE" },
    );
  }
}

interface NewestWhole extends Pick<BackupFault, "whole" | "wholeAt"> {
  /** The end of a sentence that names the copy. */
  readonly words: string;
}

/** Finds the newest intact copy before a broken copy, or else the newest intact later copy. */
function findNewestWhole({ id, file, key, facts }: UnlockedBackup, copies: Copies): NewestWhole {
  const known = new Map<string, boolean>();
  const isWhole = (copy: SealedBackup): boolean => {
    const before = known.get(copy.file);
    if (before !== undefined) return before;
    const whole = isContentWhole(copy, key) && isPredecessorWhole(copy);
    known.set(copy.file, whole);
    return whole;
  };
  const isPredecessorWhole = ({ header: { follows } }: SealedBackup): boolean => {
    const found = follows && copies.find(follows.id);
    return follows === undefined || (found !== undefined && isWhole(found));
  };
  const takenAt = ({ header }: SealedBackup) => header.facts.takenAt;
  const others = copies
    .list()
    .filter((copy) => copy.file !== file && copy.header.facts.shopBeganAt === facts.shopBeganAt)
    .toSorted((a, b) => takenAt(b) - takenAt(a));
  const same = others.find((copy) => copy.id === id && isWhole(copy));
  if (same) {
    const whole = basename(same.file);
    const words = `${whole} is the same copy, and is whole`;
    return { words, whole, wholeAt: toTimestamp(facts.takenAt) };
  }
  const isBefore = (copy: SealedBackup) => takenAt(copy) < facts.takenAt;
  const after = others.filter((copy) => !isBefore(copy));
  const found = others.filter(isBefore).find(isWhole) ?? after.find(isWhole);
  if (!found) return { words: "there is no whole copy beside it" };
  const which = isBefore(found) ? "the newest whole copy before it" : "the newest whole copy";
  const [whole, wholeAt] = [basename(found.file), toTimestamp(takenAt(found))];
  return { words: `${which} is ${whole}, taken at ${wholeAt}`, whole, wholeAt };
}

function isContentWhole(copy: SealedBackup, key: SealKey): boolean {
  try {
    checkContent(unlockBackup(copy, key));
    return true;
  } catch (error) {
    if (isUnreadable(error)) return false;
    throw error;
  }
}

/** Returns the copy that the next increment follows; undefined if the next copy must be full. */
function findBase({ dir, dataDir, facts, key }: BackupPlace): Base | undefined {
  try {
    const kept = readFileSync(pageHashesFile(dataDir));
    const hashes = kept.subarray(ID_BYTES);
    const copies = new Copies([dir]);
    const last = copies.find(kept.subarray(0, ID_BYTES).toString("hex"));
    if (!last || last.header.pages?.digest !== toDigest(hashes)) return undefined;
    const chain = findChain(last, copies).map((link) => unlockBackup(link, key));
    const copy = chain.at(-1);
    if (!copy || isFullDue(chain, facts)) return undefined;
    for (const link of chain) checkContent(link);
    return { copy, hashes };
  } catch (error) {
    // The hashes are lost, or the chain is damaged, so the next copy is full.
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

function isFullDue(
  [full, ...increments]: readonly UnlockedBackup[],
  { takenAt, shopBeganAt }: BackupFacts,
): boolean {
  if (!full || increments.length + 1 >= MAX_LINKS) return true;
  const dayOf = (instant: number) => Math.floor(instant / DAY);
  const sizeOf = ({ file }: UnlockedBackup) => statSync(file).size;
  return (
    full.facts.shopBeganAt !== shopBeganAt ||
    dayOf(full.facts.takenAt) !== dayOf(takenAt) ||
    increments.reduce((sum, copy) => sum + sizeOf(copy), 0) > sizeOf(full)
  );
}

/**
 * Verifies a copy, and writes its pages.
 * @param to handle of the database that the earlier copies produced; undefined to verify only
 * @param before the page hashes of that database
 * @returns the resulting page hashes; undefined for a copy of version 1
 * @throws BackupError
 */
function applyCopy(
  copy: UnlockedBackup,
  to: number | undefined,
  before: Buffer | undefined,
): Buffer | undefined {
  const { kind, pages } = copy.header;
  const hashes = kind === "FULL" ? applyFull(copy, to) : applyIncrement(copy, to, before);
  if (pages && hashes && toDigest(hashes) === pages.digest) return hashes;
  if (!pages) return undefined;
  throw new BackupError("its content and its beginning do not belong together");
}

function applyFull(copy: UnlockedBackup, to: number | undefined): Buffer | undefined {
  const { pages, chunkBytes, contentBytes } = copy.header;
  if (pages && (contentBytes !== pages.count * pages.bytes || chunkBytes % pages.bytes !== 0)) {
    return undefined;
  }
  const hashes = pages && Buffer.alloc(pages.count * HASH_BYTES);
  let at = 0;
  for (const chunk of readContent(copy)) {
    if (hashes) hashInto({ pageBytes: pages.bytes, hashes }, chunk, at);
    if (to !== undefined) {
      writeAt(to, chunk, at);
      fdatasyncSync(to);
    }
    at += chunk.length;
  }
  return hashes;
}

function applyIncrement(
  copy: UnlockedBackup,
  to: number | undefined,
  before: Buffer | undefined,
): Buffer | undefined {
  const { pages, chunkBytes } = copy.header;
  if (!pages || !before || chunkBytes % (NUMBER_BYTES + pages.bytes) !== 0) return undefined;
  const hashes = Buffer.alloc(pages.count * HASH_BYTES);
  before.copy(hashes);
  for (const chunk of readContent(copy)) {
    for (let entry = 0; entry < chunk.length; entry += NUMBER_BYTES + pages.bytes) {
      const number = chunk.readUInt32BE(entry);
      const page = chunk.subarray(entry + NUMBER_BYTES, entry + NUMBER_BYTES + pages.bytes);
      if (number < 1 || number > pages.count || page.length !== pages.bytes) return undefined;
      const at = (number - 1) * pages.bytes;
      hashInto({ pageBytes: pages.bytes, hashes }, page, at);
      if (to !== undefined) writeAt(to, page, at);
    }
    if (to !== undefined) fdatasyncSync(to);
  }
  if (to !== undefined) ftruncateSync(to, pages.count * pages.bytes);
  return hashes;
}

/** Reads page entries in chunks. A chunk is only valid until the next chunk is read. */
function* readEntries(
  file: string,
  pageBytes: number,
  numbers: readonly number[],
): Generator<Buffer> {
  const entryBytes = NUMBER_BYTES + pageBytes;
  const perChunk = Math.floor(READ_BYTES / entryBytes);
  const handle = openSync(file, "r");
  try {
    const room = Buffer.alloc(perChunk * entryBytes);
    for (let first = 0; first === 0 || first < numbers.length; first += perChunk) {
      const part = numbers.slice(first, first + perChunk);
      for (const [index, number] of part.entries()) {
        const entry = room.subarray(index * entryBytes, (index + 1) * entryBytes);
        entry.writeUInt32BE(number);
        readAt(handle, entry.subarray(NUMBER_BYTES), (number - 1) * pageBytes);
      }
      yield room.subarray(0, part.length * entryBytes);
    }
  } finally {
    closeSync(handle);
  }
}

function toDigest(hashes: Buffer): string {
  return hash("sha256", hashes, "hex");
}

function listNames(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

/**
 * Returns whether an error means that a file is unreadable or not a usable copy, unlike a full
 * disk.
 */
function isUnreadable(error: unknown): boolean {
  if (error instanceof BackupError) return true;
  return (
    error instanceof Error && "syscall" in error && /^(open|read|stat)/.test(`${error.syscall}`)
  );
}

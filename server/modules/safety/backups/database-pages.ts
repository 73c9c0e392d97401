import { hash } from "node:crypto";
import { closeSync, openSync, readSync, statSync, writeSync } from "node:fs";

/** Bytes read at a time: a multiple of every page size. */
export const READ_BYTES = 1024 * 1024;
/** Offset in SQLite's header: 2 bytes, in which 1 stands for 65,536. */
const PAGE_SIZE_AT = 16;
/** Number of stored bytes of a page's SHA-256. */
export const HASH_BYTES = 16;

export interface PageHashes {
  readonly pageBytes: number;
  readonly hashes: Buffer;
}

/** Hashes a database that must not be in use. */
export function hashPages(file: string): PageHashes {
  const pageBytes = readPageBytes(file);
  const hashes = Buffer.alloc((statSync(file).size / pageBytes) * HASH_BYTES);
  let at = 0;
  for (const chunk of readInParts(file)) {
    hashInto({ pageBytes, hashes }, chunk, at);
    at += chunk.length;
  }
  return { pageBytes, hashes };
}

/** @param at offset of the first page in the database */
export function hashInto({ pageBytes, hashes }: PageHashes, pages: Buffer, at: number): void {
  let target = (at / pageBytes) * HASH_BYTES;
  for (let page = 0; page < pages.length; page += pageBytes) {
    const digest = hash("sha256", pages.subarray(page, page + pageBytes), "buffer");
    digest.copy(hashes, target, 0, HASH_BYTES);
    target += HASH_BYTES;
  }
}

/** Lists the numbers of changed pages, counted from 1. */
export function listChangedPages(before: Buffer, after: Buffer): number[] {
  const changed: number[] = [];
  for (let at = 0; at < after.length; at += HASH_BYTES) {
    const end = at + HASH_BYTES;
    if (end > before.length || after.compare(before, at, end, at, end) !== 0) {
      changed.push(end / HASH_BYTES);
    }
  }
  return changed;
}

function readPageBytes(file: string): number {
  const handle = openSync(file, "r");
  try {
    const size = Buffer.alloc(2);
    readAt(handle, size, PAGE_SIZE_AT);
    const bytes = size.readUInt16BE(0);
    return bytes === 1 ? 65_536 : bytes;
  } finally {
    closeSync(handle);
  }
}

/** Reads a file in parts. A part is only valid until the next part is read. */
export function* readInParts(file: string): Generator<Buffer> {
  const handle = openSync(file, "r");
  try {
    const room = Buffer.alloc(READ_BYTES);
    for (let at = 0; ; at += room.length) {
      const part = room.subarray(0, readAt(handle, room, at));
      if (part.length === 0) return;
      yield part;
    }
  } finally {
    closeSync(handle);
  }
}

/** @returns the number of bytes, which is smaller at the end of the file */
export function readAt(handle: number, room: Buffer, at: number): number {
  let done = 0;
  while (done < room.length) {
    const read = readSync(handle, room, done, room.length - done, at + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}

export function writeAt(handle: number, bytes: Buffer, at: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(handle, bytes, done, bytes.length - done, at + done);
  }
}

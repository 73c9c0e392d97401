import { hash } from "node:crypto";
import { closeSync, openSync, readSync, statSync, writeSync } from "node:fs";

/** Number of bytes per read: a multiple of every page size. */
export const READ_BYTES = 1024 * 1024;
/** Offset of the page size in SQLite's header. The size has 2 bytes, and 1 stands for 65,536. */
const PAGE_SIZE_AT = 16;
/** Number of bytes of a page's SHA-256 that are stored. */
export const HASH_BYTES = 16;

export interface PageHashes {
  readonly pageBytes: number;
  readonly hashes: Buffer;
}

/** Hashes the pages of a database, which must not be in use. */
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

/** Lists the numbers of the changed pages, counted from 1. */
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

/** Reads a file in parts. A part is valid only until the next is read. */
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

/**
 * Fills the buffer from an offset of the file.
 * @returns number of read bytes; less than the buffer's size at the end of the file
 */
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

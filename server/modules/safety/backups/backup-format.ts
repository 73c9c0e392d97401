import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { closeSync, fdatasyncSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import type { BackupFault } from "../../../contract/pos/backups.ts";
import { deriveKey, openBytes, type SealKey, sealBytes } from "../../../lib/sealer.ts";
import { SealedKit } from "./recovery-kit.ts";

/*
 * A backup file, version 2:
 *
 *   8 bytes   "TGBACKUP"
 *   1 byte    version
 *   4 bytes   length of the header, big-endian
 *   n bytes   header, JSON
 *   32 bytes  HMAC-SHA-256 of all bytes before it
 *   chunks    each: 4 bytes length of the rest, big-endian; AES-256-GCM of one zstd frame; its tag of 16 bytes
 *
 * A random data key encrypts each backup. The header holds that key, sealed with a key derived from the shop's key
 * file, and the recovery kit, which seals the key file itself. Keys derived from the data key sign the header and
 * encrypt the chunks. The nonce of a chunk is its number, and its last byte is 1 for the last chunk only: a chunk
 * that is moved, repeated or missing does not decrypt. Each chunk is compressed by itself: writing and reading need
 * the memory of one chunk, whatever the size of the database. `backup-chain.ts` describes the content.
 *
 * Version 1 has full copies only: their chunks have no length, and are not compressed.
 */
const MAGIC = Buffer.from("TGBACKUP");
const VERSION = 2;
const OLDEST_VERSION = 1;
const PREFIX_BYTES = MAGIC.length + 1 + 4;
const MAX_HEADER_BYTES = 64 * 1024;
const MAC_BYTES = 32;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
const KEY_BYTES = 32;
const LENGTH_BYTES = 4;
/** Level 1 takes a tenth of a second for 100 MB, and makes a shop's data 6 to 8 times smaller. */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** Maximum number of bytes by which zstd enlarges incompressible content. */
const ZSTD_MARGIN_BYTES = 128 * 1024;
const SQLITE_MAGIC = Buffer.from("SQLite format 3\0");

const BACKUP_KEY = "tillgate backup: data keys";
const HEADER_KEY = "tillgate backup: header";
const CONTENT_KEY = "tillgate backup: content";

/** The authenticated description of a backup's content. */
export const BackupFacts = Type.Object({
  /** Empty if no shop was set up. */
  shopName: Type.String(),
  /** Creation time of the shop's account in milliseconds. Identifies the shop. */
  shopBeganAt: Type.Integer(),
  /** Null if no shop was set up. */
  environment: Type.Union([Type.Literal("test"), Type.Literal("live"), Type.Null()]),
  engine: Type.Literal("sqlite"),
  takenAt: Type.Integer(),
  /** Name of the last migration. */
  schema: Type.String(),
  commits: Type.Integer(),
  transactions: Type.Integer(),
  /** Digest of the last commit and the migrations (`describeLastCommit`). */
  lastCommit: Type.String(),
});
export type BackupFacts = Static<typeof BackupFacts>;

const Digest = Type.String({ pattern: "^[0-9a-f]{64}$" });

const DatabasePages = Type.Object({
  bytes: Type.Integer({ minimum: 512, maximum: 65_536 }),
  count: Type.Integer({ minimum: 1 }),
  digest: Digest,
});
type DatabasePages = Static<typeof DatabasePages>;

/** The copy to which an increment is applied. */
const Predecessor = Type.Object({
  /** The copy's `SealedBackup.id`. */
  id: Digest,
  name: Type.String({ maxLength: 255 }),
  takenAt: Type.Integer(),
});
type Predecessor = Static<typeof Predecessor>;

const BackupHeader = Type.Object({
  kind: Type.Enum(["FULL", "INCREMENT"]),
  compression: Type.Enum(["NONE", "ZSTD"]),
  chunkBytes: Type.Integer({ minimum: 1024, maximum: 16 * 1024 * 1024 }),
  contentBytes: Type.Integer({ minimum: 0 }),
  facts: BackupFacts,
  keyId: Type.String(),
  dataKey: Type.String(),
  /** The confirmed recovery kit, and the draft. */
  kits: Type.Optional(Type.Array(SealedKit, { maxItems: 2 })),
  /** Absent in format version 1. */
  pages: Type.Optional(DatabasePages),
  /** Present in an increment. */
  follows: Type.Optional(Predecessor),
});
type BackupHeader = Static<typeof BackupHeader>;

/** Error for a file that is not a usable backup. Users see the message, which is a clause. */
export class BackupError extends Error {
  readonly fault: BackupFault;
  constructor(message: string, fault: BackupFault = { kind: "DAMAGED" }) {
    super(message);
    this.fault = fault;
  }
}

/** A backup whose header was read, but not yet authenticated. */
export interface SealedBackup {
  readonly file: string;
  /** Digest of the signed header, which contains the digest of all pages. Identifies the copy. */
  readonly id: string;
  readonly keyId: string;
  readonly kits: readonly SealedKit[];
  readonly header: BackupHeader;
  readonly signed: Buffer;
  readonly mac: Buffer;
}

/** A backup whose header was authenticated with the shop's key. */
export interface UnlockedBackup extends SealedBackup {
  readonly facts: BackupFacts;
  readonly key: SealKey;
  readonly contentKey: Buffer;
  readonly contentAt: number;
}

interface CopyToEncrypt {
  /** Path of an existing, empty file for the backup. */
  readonly target: string;
  readonly facts: BackupFacts;
  readonly key: SealKey;
  readonly kits: readonly SealedKit[];
  readonly pages: DatabasePages;
  /** Undefined for a full copy. */
  readonly follows: Predecessor | undefined;
  readonly contentBytes: number;
  readonly chunkBytes: number;
  readonly content: Iterable<Buffer>;
}

/**
 * Writes an encrypted backup. Flushes each chunk to the disk, so that the commit of a sale does not
 * wait for the whole backup.
 */
export function encryptBackup({
  target,
  content,
  key,
  kits,
  follows,
  ...copy
}: CopyToEncrypt): void {
  const { facts, pages, contentBytes, chunkBytes } = copy;
  const dataKey = randomBytes(KEY_BYTES);
  const to = openSync(target, "w", 0o600);
  try {
    const header: BackupHeader = {
      kind: follows ? "INCREMENT" : "FULL",
      compression: "ZSTD",
      chunkBytes,
      contentBytes,
      facts,
      keyId: key.id,
      dataKey: sealBytes(deriveKey(key.bytes, BACKUP_KEY), dataKey),
      ...(kits.length > 0 && { kits: [...kits] }),
      pages,
      ...(follows && { follows }),
    };
    const json = Buffer.from(JSON.stringify(header), "utf8");
    const signed = Buffer.concat([MAGIC, Buffer.from([VERSION]), toLength(json.length), json]);
    writeAll(to, Buffer.concat([signed, sign(dataKey, signed)]));
    const contentKey = deriveKey(dataKey, CONTENT_KEY);
    const count = countChunks(header);
    let number = 0;
    for (const plain of content) {
      const nonce = nonceOf(number, number === count - 1);
      const cipher = createCipheriv("aes-256-gcm", contentKey, nonce);
      const sealed = [cipher.update(zstdCompressSync(plain, ZSTD)), cipher.final()];
      const chunk = Buffer.concat([...sealed, cipher.getAuthTag()]);
      writeAll(to, Buffer.concat([toLength(chunk.length), chunk]));
      fdatasyncSync(to);
      number++;
    }
    if (number !== count) throw new Error("the copy became shorter while it was encrypted");
    fsyncSync(to);
  } finally {
    closeSync(to);
  }
}

/**
 * Format according to the first bytes. EMPTY: no bytes. PLAIN: an unencrypted backup of an early
 * version.
 */
export type FileFormat = "EMPTY" | "PLAIN" | "SEALED" | "OTHER";

export function readFormat(file: string): FileFormat {
  const handle = openSync(file, "r");
  try {
    const room = Buffer.alloc(SQLITE_MAGIC.length);
    const start = room.subarray(0, readSync(handle, room));
    if (start.length === 0) return "EMPTY";
    if (start.equals(SQLITE_MAGIC)) return "PLAIN";
    return start.subarray(0, MAGIC.length).equals(MAGIC) ? "SEALED" : "OTHER";
  } finally {
    closeSync(handle);
  }
}

/** @throws BackupError */
export function readSealedBackup(file: string): SealedBackup {
  const handle = openSync(file, "r");
  try {
    const prefix = readExactly(handle, Buffer.alloc(PREFIX_BYTES), PREFIX_BYTES);
    if (!prefix?.subarray(0, MAGIC.length).equals(MAGIC)) {
      throw new BackupError("it is not a backup of Tillgate", { kind: "NOT_A_BACKUP" });
    }
    const version = prefix[MAGIC.length];
    if (version === undefined || version < OLDEST_VERSION || version > VERSION) {
      throw new BackupError(
        `a newer Tillgate made it (format ${version}): restore it with that version or a later one`,
        { kind: "NEWER" },
      );
    }
    const length = prefix.readUInt32BE(MAGIC.length + 1);
    const rest = length + MAC_BYTES;
    const body =
      length <= MAX_HEADER_BYTES ? readExactly(handle, Buffer.alloc(rest), rest) : undefined;
    const header = body && parseHeader(body.subarray(0, length));
    if (!body || !header) throw new BackupError("its beginning is damaged or was changed");
    const id = createHash("sha256").update(prefix).update(body).digest("hex");
    const signed = Buffer.concat([prefix, body.subarray(0, length)]);
    const { keyId, kits = [] } = header;
    return { file, id, keyId, kits, header, signed, mac: body.subarray(length) };
  } finally {
    closeSync(handle);
  }
}

/**
 * Decrypts a backup's data key, and checks the signature of its header.
 * @throws BackupError
 */
export function unlockBackup(backup: SealedBackup, key: SealKey): UnlockedBackup {
  const { header, signed, mac } = backup;
  if (header.keyId !== key.id) {
    throw new BackupError("it was encrypted with the key of another shop", { kind: "OTHER_KEY" });
  }
  const dataKey = openBytes(deriveKey(key.bytes, BACKUP_KEY), header.dataKey);
  if (!dataKey || !timingSafeEqual(sign(dataKey, signed), mac)) {
    throw new BackupError("its beginning is damaged or was changed");
  }
  const contentKey = deriveKey(dataKey, CONTENT_KEY);
  const contentAt = signed.length + MAC_BYTES;
  return { ...backup, facts: header.facts, key, contentKey, contentAt };
}

/**
 * Decrypts and authenticates the content chunk by chunk.
 * @throws BackupError
 */
export function* readContent(backup: UnlockedBackup): Generator<Buffer> {
  const { compression, chunkBytes, contentBytes } = backup.header;
  let rest = contentBytes;
  for (const stored of readChunks(backup)) {
    const length = Math.min(chunkBytes, rest);
    const plain = compression === "ZSTD" ? decompress(stored, chunkBytes) : stored;
    if (plain?.length !== length) throw damagedContent();
    rest -= length;
    yield plain;
  }
}

/** @throws BackupError */
export function checkContent(backup: UnlockedBackup): void {
  const chunks = readChunks(backup);
  while (!chunks.next().done);
}

/** Decrypts the chunks without decompressing them. */
function* readChunks(backup: UnlockedBackup): Generator<Buffer> {
  const { file, header, contentKey, contentAt } = backup;
  const { compression, chunkBytes, contentBytes } = header;
  const from = openSync(file, "r");
  try {
    const room = Buffer.alloc(chunkBytes + ZSTD_MARGIN_BYTES + TAG_BYTES);
    readExactly(from, Buffer.alloc(contentAt), contentAt);
    const count = countChunks(header);
    for (let number = 0; number < count; number++) {
      const plainBytes = Math.min(chunkBytes, contentBytes - number * chunkBytes);
      const length = compression === "ZSTD" ? readLength(from) : plainBytes + TAG_BYTES;
      if (length < TAG_BYTES || length > room.length) throw damagedContent();
      const chunk = readExactly(from, room, length);
      if (!chunk) throw cutShort();
      yield decryptChunk(contentKey, chunk, nonceOf(number, number === count - 1));
    }
    if (readSync(from, room, 0, 1, null) > 0) {
      throw new BackupError("something was added behind its end");
    }
  } finally {
    closeSync(from);
  }
}

/** Empty content has a single empty chunk. */
function countChunks({ contentBytes, chunkBytes }: BackupHeader): number {
  return Math.max(1, Math.ceil(contentBytes / chunkBytes));
}

function readLength(handle: number): number {
  const found = readExactly(handle, Buffer.alloc(LENGTH_BYTES), LENGTH_BYTES);
  if (!found) throw cutShort();
  return found.readUInt32BE(0);
}

function toLength(length: number): Buffer {
  const bytes = Buffer.alloc(LENGTH_BYTES);
  bytes.writeUInt32BE(length);
  return bytes;
}

function decompress(stored: Buffer, chunkBytes: number): Buffer | undefined {
  try {
    return zstdDecompressSync(stored, { maxOutputLength: chunkBytes });
  } catch {
    return undefined;
  }
}

function cutShort(): BackupError {
  return new BackupError("it is cut short");
}

function damagedContent(): BackupError {
  return new BackupError("its content is damaged or was changed");
}

function decryptChunk(key: Buffer, chunk: Buffer, nonce: Buffer): Buffer {
  const end = chunk.length - TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(chunk.subarray(end));
  try {
    return Buffer.concat([decipher.update(chunk.subarray(0, end)), decipher.final()]);
  } catch {
    throw damagedContent();
  }
}

function parseHeader(json: Buffer): BackupHeader | undefined {
  try {
    const found: unknown = JSON.parse(json.toString("utf8"));
    if (!Value.Check(BackupHeader, found)) return undefined;
    const isWhole = found.kind === "FULL" ? !found.follows : found.follows && found.pages;
    return isWhole ? found : undefined;
  } catch {
    return undefined;
  }
}

function sign(dataKey: Buffer, signed: Buffer): Buffer {
  return createHmac("sha256", deriveKey(dataKey, HEADER_KEY)).update(signed).digest();
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(number, NONCE_BYTES - 7, 6);
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0;
  return nonce;
}

/**
 * Reads exactly `length` bytes.
 * @returns undefined if the file ends earlier
 */
function readExactly(handle: number, room: Buffer, length: number): Buffer | undefined {
  let done = 0;
  while (done < length) {
    const read = readSync(handle, room, done, length - done, null);
    if (read === 0) return undefined;
    done += read;
  }
  return room.subarray(0, length);
}

function writeAll(handle: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(handle, bytes, done, bytes.length - done);
  }
}

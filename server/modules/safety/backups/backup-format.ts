import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { deriveKey, openBytes, type SealKey, sealBytes } from "../../../lib/sealer.ts";
import { SealedKit } from "./recovery-kit.ts";

/*
 * A backup file, version 1:
 *
 *   8 bytes   "TGBACKUP"
 *   1 byte    version
 *   4 bytes   length of the header, big-endian
 *   n bytes   header, JSON
 *   32 bytes  HMAC-SHA-256 of all bytes before it
 *   chunks    AES-256-GCM, each followed by its tag of 16 bytes
 *
 * A random data key encrypts each backup. The header holds that key, sealed with a key derived from the shop's key
 * file, and the recovery kit, which seals the key file itself. Keys derived from the data key sign the header and
 * encrypt the chunks. The nonce of a chunk is its number, and its last byte is 1 for the last chunk only: a chunk
 * that is moved, repeated or missing does not decrypt. `kind` and `compression` leave room for incremental and
 * compressed copies.
 */
const MAGIC = Buffer.from("TGBACKUP");
const VERSION = 1;
const PREFIX_BYTES = MAGIC.length + 1 + 4;
const MAX_HEADER_BYTES = 64 * 1024;
const MAC_BYTES = 32;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
const KEY_BYTES = 32;
const CHUNK_BYTES = 1024 * 1024;
const SQLITE_MAGIC = Buffer.from("SQLite format 3\0");

const BACKUP_KEY = "tillgate backup: data keys";
const HEADER_KEY = "tillgate backup: header";
const CONTENT_KEY = "tillgate backup: content";

/** What the authenticated header of a backup says about its content. */
export const BackupFacts = Type.Object({
  /** Empty where no shop was set up. */
  shopName: Type.String(),
  /** When the shop's account began, in milliseconds: tells one shop from another. */
  shopBeganAt: Type.Integer(),
  /** Where the till sells; null where no shop was set up. */
  environment: Type.Union([Type.Literal("test"), Type.Literal("live"), Type.Null()]),
  engine: Type.Literal("sqlite"),
  takenAt: Type.Integer(),
  /** The last migration. */
  schema: Type.String(),
  commits: Type.Integer(),
  transactions: Type.Integer(),
  /** Identifies the last commit and the migrations (`describeLastCommit`). */
  lastCommit: Type.String(),
});
export type BackupFacts = Static<typeof BackupFacts>;

const BackupHeader = Type.Object({
  kind: Type.Literal("FULL"),
  compression: Type.Literal("NONE"),
  chunkBytes: Type.Integer({ minimum: 1024, maximum: 16 * 1024 * 1024 }),
  contentBytes: Type.Integer({ minimum: 0 }),
  facts: BackupFacts,
  keyId: Type.String(),
  dataKey: Type.String(),
  kit: Type.Optional(SealedKit),
});
type BackupHeader = Static<typeof BackupHeader>;

/** Why a file is not a usable backup, as a clause for people. */
export class BackupError extends Error {
  /** KEY: the file may be good, but the key that opens it is missing. */
  readonly kind: "BAD" | "KEY";
  constructor(message: string, kind: "BAD" | "KEY" = "BAD") {
    super(message);
    this.kind = kind;
  }
}

/** A backup file whose header was read; nothing in it is authenticated yet. */
export interface SealedBackup {
  readonly file: string;
  readonly keyId: string;
  readonly kit: SealedKit | undefined;
  readonly header: BackupHeader;
  readonly signed: Buffer;
  readonly mac: Buffer;
}

/** A backup whose header was authenticated with the shop's key. */
export interface UnlockedBackup {
  readonly file: string;
  readonly facts: BackupFacts;
  readonly key: SealKey;
  readonly contentKey: Buffer;
  readonly contentAt: number;
  readonly chunkBytes: number;
  readonly contentBytes: number;
}

interface Content {
  /** Path of the database to encrypt. */
  readonly source: string;
  /** Path of the backup file, which exists and is empty. */
  readonly target: string;
  readonly facts: BackupFacts;
  readonly key: SealKey;
  readonly kit: SealedKit | undefined;
}

/**
 * Encrypts a database file into a backup file. Each chunk is on the disk before the next is written: otherwise the
 * commit of a sale would wait for the whole backup.
 */
export function encryptBackup({ source, target, facts, key, kit }: Content): void {
  const dataKey = randomBytes(KEY_BYTES);
  const from = openSync(source, "r");
  const to = openSync(target, "w", 0o600);
  try {
    const contentBytes = fstatSync(from).size;
    const sealedKey = sealBytes(deriveKey(key.bytes, BACKUP_KEY), dataKey);
    const header: BackupHeader = {
      kind: "FULL",
      compression: "NONE",
      chunkBytes: CHUNK_BYTES,
      contentBytes,
      facts,
      keyId: key.id,
      dataKey: sealedKey,
      ...(kit && { kit }),
    };
    const json = Buffer.from(JSON.stringify(header), "utf8");
    const length = Buffer.alloc(4);
    length.writeUInt32BE(json.length);
    const signed = Buffer.concat([MAGIC, Buffer.from([VERSION]), length, json]);
    writeAll(to, Buffer.concat([signed, sign(dataKey, signed)]));
    const contentKey = deriveKey(dataKey, CONTENT_KEY);
    const room = Buffer.alloc(CHUNK_BYTES);
    for (let number = 0, done = 0; done < contentBytes || number === 0; number++) {
      const wanted = Math.min(CHUNK_BYTES, contentBytes - done);
      const plain = readExactly(from, room, wanted);
      if (!plain) throw new Error("the copy became shorter while it was encrypted");
      done += wanted;
      const nonce = nonceOf(number, done === contentBytes);
      const cipher = createCipheriv("aes-256-gcm", contentKey, nonce);
      writeAll(to, Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
      fdatasyncSync(to);
    }
    fsyncSync(to);
  } finally {
    closeSync(to);
    closeSync(from);
  }
}

/** The formats that a file may have by its first bytes. EMPTY: no bytes. PLAIN: a database of an earlier version. */
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
      throw new BackupError("it is not a backup of Tillgate");
    }
    const version = prefix[MAGIC.length];
    if (version !== VERSION) {
      throw new BackupError(
        `a newer Tillgate made it (format ${version}): restore it with that version or a later one`,
      );
    }
    const length = prefix.readUInt32BE(MAGIC.length + 1);
    const rest = length + MAC_BYTES;
    const body =
      length <= MAX_HEADER_BYTES ? readExactly(handle, Buffer.alloc(rest), rest) : undefined;
    const header = body && parseHeader(body.subarray(0, length));
    if (!body || !header) throw new BackupError("its beginning is damaged or was changed");
    return {
      file,
      keyId: header.keyId,
      kit: header.kit,
      header,
      signed: Buffer.concat([prefix, body.subarray(0, length)]),
      mac: body.subarray(length),
    };
  } finally {
    closeSync(handle);
  }
}

/** Opens the data key and checks the signature of the header. @throws BackupError */
export function unlockBackup(backup: SealedBackup, key: SealKey): UnlockedBackup {
  const { file, header, signed, mac } = backup;
  if (header.keyId !== key.id) {
    throw new BackupError("it was encrypted with the key of another shop", "KEY");
  }
  const dataKey = openBytes(deriveKey(key.bytes, BACKUP_KEY), header.dataKey);
  if (!dataKey || !timingSafeEqual(sign(dataKey, signed), mac)) {
    throw new BackupError("its beginning is damaged or was changed");
  }
  return {
    file,
    facts: header.facts,
    key,
    contentKey: deriveKey(dataKey, CONTENT_KEY),
    contentAt: signed.length + MAC_BYTES,
    chunkBytes: header.chunkBytes,
    contentBytes: header.contentBytes,
  };
}

/**
 * Decrypts and authenticates all of a backup, a chunk at a time.
 * @param target path of the database that is written; undefined to check alone
 * @throws BackupError
 */
export function decryptBackup(backup: UnlockedBackup, target: string | undefined): void {
  const { file, contentKey, contentAt, chunkBytes, contentBytes } = backup;
  const from = openSync(file, "r");
  const to = target === undefined ? undefined : openSync(target, "w", 0o600);
  try {
    const room = Buffer.alloc(chunkBytes + TAG_BYTES);
    readExactly(from, Buffer.alloc(contentAt), contentAt);
    for (let number = 0, done = 0; done < contentBytes || number === 0; number++) {
      const length = Math.min(chunkBytes, contentBytes - done);
      const chunk = readExactly(from, room, length + TAG_BYTES);
      if (!chunk) throw new BackupError("it is cut short");
      done += length;
      const plain = decryptChunk(contentKey, chunk, nonceOf(number, done === contentBytes));
      if (to === undefined) continue;
      writeAll(to, plain);
      fdatasyncSync(to);
    }
    if (readSync(from, room, 0, 1, null) > 0) {
      throw new BackupError("something was added behind its end");
    }
    if (to !== undefined) fsyncSync(to);
  } finally {
    if (to !== undefined) closeSync(to);
    closeSync(from);
  }
}

function decryptChunk(key: Buffer, chunk: Buffer, nonce: Buffer): Buffer {
  const end = chunk.length - TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(chunk.subarray(end));
  try {
    return Buffer.concat([decipher.update(chunk.subarray(0, end)), decipher.final()]);
  } catch {
    throw new BackupError("its content is damaged or was changed");
  }
}

function parseHeader(json: Buffer): BackupHeader | undefined {
  try {
    const found: unknown = JSON.parse(json.toString("utf8"));
    return Value.Check(BackupHeader, found) ? found : undefined;
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

/** @returns undefined where the file ends before */
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

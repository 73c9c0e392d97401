import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";

/**
 * Encrypts secrets, so that the database alone does not reveal them (rules#access-sealed-secrets).
 */
export interface Sealer {
  /** @throws SealError if the key is unusable */
  seal(text: string): string;
  /** @throws SealError if the text was sealed with another key, or the key is unusable */
  open(sealed: string): string;
  /**
   * Returns the desktop app's keyring key; undefined if no secret is sealed with it.
   * @throws SealError if the user's keyring cannot open the key
   */
  findKeyringKey?(): SealKey | undefined;
}

/** A key for one purpose, which does not reveal the key file's key. */
export interface DerivedKey {
  id: string;
  bytes: Buffer;
}

export interface FileSealer extends Sealer {
  /**
   * @param purpose the same purpose always derives the same key
   * @param options.create true to create a missing key file
   * @returns undefined if there is no key file
   * @throws SealError if the key file is unusable
   */
  derive(purpose: string, options: { create: boolean }): DerivedKey | undefined;
  readonly keyring: KeyringFile;
}

/**
 * File with the keyring key, sealed by the user's keyring (`desktop.BASE64`) or, after a restore on
 * another machine, with the key file.
 */
export interface KeyringFile {
  read(): string | undefined;
  /**
   * Creates the file, unless another process has created it.
   * @returns the text in the file
   */
  create(sealed: string): string;
  replace(sealed: string): void;
}

/**
 * Error if a secret cannot be stored or read. The message tells the owner the reason and the
 * remedy.
 */
export class SealError extends Error {}

/** Prefix of a text that the user's keyring sealed directly. */
export const DESKTOP_SEAL = "desktop.";
/** Prefix of a text that was sealed with the keyring key. */
export const KEYRING_SEAL = "keyring.";

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const OTHERS = 0o077;

export function sealKeyFile(dataDir: string): string {
  return join(dataDir, "secrets.key");
}

export function keyringKeyFile(dataDir: string): string {
  return join(dataDir, "keyring.key");
}

/** Gives a complete file its final name. Throws an error with code EEXIST if the name exists. */
type PlaceOnce = (draft: string, file: string) => void;

/**
 * Creates a sealer that uses AES-256-GCM and a random key in a file, which the first encryption
 * creates. A sealed text is `1.KEY_ID.BASE64URL(iv, tag, cipher text)`.
 * @param place gives a complete key file its name; by default with a hard link
 */
export function createFileSealer(dataDir: string, place: PlaceOnce = linkSync): FileSealer {
  const file = sealKeyFile(dataDir);
  const keyring = createKeyringFile(keyringKeyFile(dataDir), place);
  const sealer: FileSealer = {
    seal: (text) => sealWithKey(readKey(file) ?? createKey(file, place), text),
    open(sealed) {
      if (sealed.startsWith(DESKTOP_SEAL)) throw sealedByDesktop();
      if (sealed.startsWith(KEYRING_SEAL)) {
        const keyringKey = sealer.findKeyringKey?.();
        if (!keyringKey) throw sealedByDesktop();
        return openKeyringText(keyringKey, sealed);
      }
      const [version, keyId, packed] = sealed.split(".");
      if (version !== "1" || packed === undefined) {
        throw new SealError("This text is no sealed secret.");
      }
      const key = readKey(file);
      if (!key) throw lost(`The key file ${file} is missing`);
      if (key.id !== keyId) throw lost(`The key file ${file} is not the one it was sealed with`);
      const text = openBytes(key.bytes, packed);
      if (text) return text.toString("utf8");
      throw new SealError("A secret in the database was changed. Enter it again.");
    },
    derive(purpose, { create }) {
      const key = readKey(file) ?? (create ? createKey(file, place) : undefined);
      if (!key) return undefined;
      return { id: key.id, bytes: deriveKey(key.bytes, purpose) };
    },
    findKeyringKey() {
      const sealed = keyring.read();
      if (sealed === undefined || sealed.startsWith(DESKTOP_SEAL)) return undefined;
      return toSealKey(Buffer.from(sealer.open(sealed), "base64"));
    },
    keyring,
  };
  return sealer;
}

export function sealWithKey({ bytes, id }: SealKey, text: string): string {
  return `1.${id}.${sealBytes(bytes, Buffer.from(text, "utf8"))}`;
}

export function sealKeyringText({ bytes, id }: SealKey, text: string): string {
  return `${KEYRING_SEAL}${id}.${sealBytes(bytes, Buffer.from(text, "utf8"))}`;
}

export function openKeyringText({ bytes, id }: SealKey, sealed: string): string {
  const [keyId, packed = ""] = sealed.slice(KEYRING_SEAL.length).split(".");
  if (keyId !== id) throw lost("The key file keyring.key is not the one it was sealed with");
  const text = openBytes(bytes, packed);
  if (text) return text.toString("utf8");
  throw new SealError("A secret in the database was changed. Enter it again.");
}

export function createRandomKey(): SealKey {
  return toSealKey(randomBytes(KEY_BYTES));
}

function createKeyringFile(file: string, place: PlaceOnce): KeyringFile {
  return {
    read() {
      try {
        return readFileSync(file, "utf8");
      } catch (error) {
        if (codeOf(error) === "ENOENT") return undefined;
        throw new SealError(`The key file ${file} cannot be read (${codeOf(error)}).`);
      }
    },
    create(sealed) {
      placeWhole(file, Buffer.from(sealed, "utf8"), place);
      return readFileSync(file, "utf8");
    },
    replace: (sealed) => placeWhole(file, Buffer.from(sealed, "utf8"), renameSync),
  };
}

function sealedByDesktop(): SealError {
  return new SealError(
    "This secret was sealed by the desktop app of this machine's user, and only that app can read " +
      "it: without the app, enter it again.",
  );
}

function lost(what: string): SealError {
  return new SealError(
    `${what}: its secrets (of webhooks and providers) cannot be read. ` +
      "Restore the file from a copy, or enter the secrets again.",
  );
}

export function findSealKeyId(dataDir: string): string | undefined {
  return findSealKey(dataDir)?.id;
}

/** Like `readSealKey`, but returns undefined for an unusable key file. */
export function findSealKey(dataDir: string): SealKey | undefined {
  try {
    return readKey(sealKeyFile(dataDir));
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

/** Bytes and id of a data directory's key file. */
export interface SealKey {
  readonly bytes: Buffer;
  /** First half of the key's SHA-256 as hex. */
  readonly id: string;
}

/**
 * Returns a data directory's key; undefined without a key file.
 * @throws SealError if the key file is unusable
 */
export function readSealKey(dataDir: string): SealKey | undefined {
  return readKey(sealKeyFile(dataDir));
}

/** @throws SealError if the bytes are not a key */
export function toSealKey(bytes: Buffer): SealKey {
  if (bytes.length !== KEY_BYTES) throw new SealError("This file is no key of a shop.");
  return { bytes, id: createHash("sha256").update(bytes).digest("hex").slice(0, 16) };
}

/** Derives a key for one purpose, which does not reveal the original key. */
export function deriveKey(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, "", purpose, KEY_BYTES));
}

/** Seals a short text with AES-256-GCM: `BASE64URL(iv, tag, cipher text)`. */
export function sealBytes(key: Buffer, plain: Buffer, context = ""): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
}

/** @returns undefined if the text was changed, or sealed with another key or context */
export function openBytes(key: Buffer, sealed: string, context = ""): Buffer | undefined {
  try {
    const packed = Buffer.from(sealed, "base64url");
    const decipher = createDecipheriv("aes-256-gcm", key, packed.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(packed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([
      decipher.update(packed.subarray(IV_BYTES + TAG_BYTES)),
      decipher.final(),
    ]);
  } catch {
    return undefined;
  }
}

/**
 * Creates the key file of a data directory if it is missing.
 * @throws SealError
 */
export function createSealKey(dataDir: string, place: PlaceOnce = linkSync): SealKey {
  const file = sealKeyFile(dataDir);
  return readKey(file) ?? createKey(file, place);
}

/** @returns undefined if there is no key file */
function readKey(file: string): SealKey | undefined {
  let mode: number;
  let bytes: Buffer;
  try {
    const handle = openSync(file, "r");
    try {
      mode = fstatSync(handle).mode;
      bytes = readFileSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new SealError(`The key file ${file} cannot be read (${codeOf(error)}).`);
  }
  // Windows has no such mode. There, the directory belongs to the user.
  if (process.platform !== "win32" && (mode & OTHERS) !== 0) {
    throw new SealError(`Others may read the key file ${file}. Run: chmod 600 '${file}'`);
  }
  if (bytes.length !== KEY_BYTES) throw lost(`The key file ${file} is damaged`);
  return toSealKey(bytes);
}

/**
 * Creates the key file atomically: no failure leaves a partial file, and of several processes only
 * one creates it.
 */
function createKey(file: string, place: PlaceOnce): SealKey {
  placeWhole(file, randomBytes(KEY_BYTES), place);
  const key = readKey(file);
  if (!key) throw lost(`The key file ${file} is missing`);
  return key;
}

/** @throws SealError */
function placeWhole(file: string, bytes: Buffer, place: PlaceOnce) {
  const draft = `${file}.${randomBytes(8).toString("hex")}`;
  try {
    writeDurably(draft, bytes);
    place(draft, file);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") {
      throw new SealError(`The key file ${file} cannot be written (${codeOf(error)}).`);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  syncDirectory(dirname(file));
}

function writeDurably(file: string, bytes: Buffer): void {
  const handle = openSync(file, "wx", 0o600);
  try {
    writeSync(handle, bytes);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Flushes the names in a directory. Windows does this itself. */
function syncDirectory(directory: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(directory, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

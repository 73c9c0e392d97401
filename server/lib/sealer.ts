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

/** Keeps secrets unreadable to a person who has the database alone (rules#access-sealed-secrets). */
export interface Sealer {
  /** @throws SealError when the key cannot be used */
  seal(text: string): string;
  /** @throws SealError when it was not sealed with this key, or the key cannot be used */
  open(sealed: string): string;
  /**
   * Returns the key that seals the texts of the desktop app; undefined where nothing is sealed with one.
   * @throws SealError when the user's keyring does not open it
   */
  findKeyringKey?(): SealKey | undefined;
}

/** A key for one purpose, which follows from that of a key file and does not lead back to it. */
export interface DerivedKey {
  /** Which key file it follows from. */
  id: string;
  bytes: Buffer;
}

/** A sealer with a key of its own in a file. */
export interface FileSealer extends Sealer {
  /**
   * @param purpose names what the key is for; the same key each time
   * @param options.create whether to make the key file where there is none
   * @returns undefined where there is none
   * @throws SealError when it cannot be used
   */
  derive(purpose: string, options: { create: boolean }): DerivedKey | undefined;
  /** The keyring key as its file holds it. */
  readonly keyring: KeyringFile;
}

/**
 * The file of the keyring key, one text: `desktop.BASE64` where the keyring of the machine's user sealed it, or a text
 * of the key file after a restore on another machine.
 */
export interface KeyringFile {
  read(): string | undefined;
  /** Stores the first one; one that another process stored at the same moment is kept. */
  create(sealed: string): void;
  /** Puts one in the place of the stored one. */
  replace(sealed: string): void;
}

/** Why a secret cannot be kept or read, and what to do, in words for the owner. Holds no secret. */
export class SealError extends Error {}

/** Prefix of a text that the keyring of the machine's user sealed itself. */
export const DESKTOP_SEAL = "desktop.";
/** Prefix of a text that was sealed with the keyring key, which the keyring of the machine's user seals. */
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

/** Gives a finished file its name, or throws with the code EEXIST where a file has it. */
type PlaceOnce = (draft: string, file: string) => void;

/**
 * AES-256-GCM with a random key in a file of its own, which is made when a secret is first sealed.
 * A sealed text is `1.KEY_ID.BASE64URL(iv, tag, cipher text)`.
 * @param place puts key files in their places; by a hard link where nothing is said
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
      if (version !== "1" || packed === undefined) throw new SealError("This is no sealed secret.");
      const key = readKey(file);
      if (!key) throw lost(`The key file ${file} is missing`);
      if (key.id !== keyId) throw lost(`The key file ${file} is not the one it was sealed with`);
      const text = openBytes(key.bytes, packed);
      if (text) return text.toString("utf8");
      throw new SealError("A secret in the database has been changed: it must be entered again.");
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

/** Seals a text with the key of a key file, as its sealer does. */
export function sealWithKey({ bytes, id }: SealKey, text: string): string {
  return `1.${id}.${sealBytes(bytes, Buffer.from(text, "utf8"))}`;
}

export function sealKeyringText({ bytes, id }: SealKey, text: string): string {
  return `${KEYRING_SEAL}${id}.${sealBytes(bytes, Buffer.from(text, "utf8"))}`;
}

/** @throws SealError */
export function openKeyringText({ bytes, id }: SealKey, sealed: string): string {
  const [keyId, packed = ""] = sealed.slice(KEYRING_SEAL.length).split(".");
  if (keyId !== id) throw lost("The key file keyring.key is not the one it was sealed with");
  const text = openBytes(bytes, packed);
  if (text) return text.toString("utf8");
  throw new SealError("A secret in the database has been changed: it must be entered again.");
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
    create: (sealed) => placeWhole(file, Buffer.from(sealed, "utf8"), place),
    replace: (sealed) => placeWhole(file, Buffer.from(sealed, "utf8"), renameSync),
  };
}

function sealedByDesktop(): SealError {
  return new SealError(
    "This secret was sealed by the desktop app of this machine's user, and only that app can read " +
      "it: without the app it must be entered again.",
  );
}

function lost(what: string): SealError {
  return new SealError(
    `${what}: the secrets kept with it (of webhooks and providers) cannot be read. ` +
      "Put the file back from a copy, or enter them again.",
  );
}

/** Which key a data directory has; undefined where it has none that can be used. */
export function findSealKeyId(dataDir: string): string | undefined {
  return findSealKey(dataDir)?.id;
}

/** Returns the key of a data directory; undefined where it has none that can be used. */
export function findSealKey(dataDir: string): SealKey | undefined {
  try {
    return readKey(sealKeyFile(dataDir));
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

/** The bytes of a data directory's key file, and the id that tells key files apart. */
export interface SealKey {
  readonly bytes: Buffer;
  /** The first half of a SHA-256: it says nothing about the key. */
  readonly id: string;
}

/**
 * Returns the key of a data directory; undefined where there is no key file.
 * @throws SealError when the key file cannot be used
 */
export function readSealKey(dataDir: string): SealKey | undefined {
  return readKey(sealKeyFile(dataDir));
}

/** @throws SealError when the bytes are no key */
export function toSealKey(bytes: Buffer): SealKey {
  if (bytes.length !== KEY_BYTES) throw new SealError("This is no key of a shop.");
  return { bytes, id: createHash("sha256").update(bytes).digest("hex").slice(0, 16) };
}

/** Returns a key for one purpose, which does not lead back to the key that it is derived from. */
export function deriveKey(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, "", purpose, KEY_BYTES));
}

/** AES-256-GCM of a short text: `BASE64URL(iv, tag, cipher text)`. */
export function sealBytes(key: Buffer, plain: Buffer, context = ""): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
}

/** @returns undefined where it was sealed with another key or for another context, or was changed */
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

/** Makes the key file of a data directory where there is none. @throws SealError */
export function createSealKey(dataDir: string, place: PlaceOnce = linkSync): SealKey {
  const file = sealKeyFile(dataDir);
  return readKey(file) ?? createKey(file, place);
}

/** The key; undefined where there is none yet. */
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
  // Windows keeps no such mode; there the directory is the user's own.
  if (process.platform !== "win32" && (mode & OTHERS) !== 0) {
    throw new SealError(`Others may read the key file ${file}. Run: chmod 600 '${file}'`);
  }
  if (bytes.length !== KEY_BYTES) throw lost(`The key file ${file} is damaged`);
  return toSealKey(bytes);
}

/**
 * Makes the key file in one step: whole or not at all, whatever happens to the power, and once,
 * though the gateway and the command line do it at the same moment.
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

/** Makes the name of a new file last; Windows does so by itself and refuses to be asked. */
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

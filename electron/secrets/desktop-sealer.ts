import type { SafeStorage } from "electron/main";
import {
  createRandomKey,
  DESKTOP_SEAL,
  type FileSealer,
  KEYRING_SEAL,
  type Log,
  openKeyringText,
  SealError,
  type Sealer,
  type SealKey,
  sealKeyringText,
  toSealKey,
} from "../../server/index.ts";

/** The part of Electron's `safeStorage` that sealing uses. */
type Keyring = Pick<
  SafeStorage,
  "isEncryptionAvailable" | "getSelectedStorageBackend" | "encryptString" | "decryptString"
>;

/**
 * Seals with the keyring key, which the user's keyring seals, and also opens texts of the key file, because
 * the command line has no keyring. Without a safe keyring it seals with the key file, and logs that. The
 * recovery kit contains the keyring key: a text that the keyring sealed itself (`desktop.BASE64`, of earlier
 * versions) opens only here.
 */
export function createDesktopSealer(
  keyring: Keyring,
  { keyFile, log }: { keyFile: FileSealer; log: Log },
  platform: NodeJS.Platform = process.platform,
): Sealer {
  const usable = isUsable(keyring, platform);
  if (!usable) log.warn("no system keyring: secrets are sealed with a key file");
  const loadKey = () => readOrCreateKey(keyring, keyFile);
  const open = (sealed: string) => {
    const isOfKeyring = sealed.startsWith(KEYRING_SEAL);
    if (!isOfKeyring && !sealed.startsWith(DESKTOP_SEAL)) return keyFile.open(sealed);
    if (usable) return isOfKeyring ? openKeyringText(loadKey(), sealed) : openWith(keyring, sealed);
    // After a restore the key file seals the keyring key.
    if (isOfKeyring && keyFile.findKeyringKey?.()) return keyFile.open(sealed);
    throw new SealError(
      "This secret was sealed with this user's keyring, which cannot be reached: " +
        "unlock it and start Tillgate again, or enter the secret again.",
    );
  };
  return {
    seal: (text) => (usable ? sealKeyringText(loadKey(), text) : keyFile.seal(text)),
    open,
    findKeyringKey: () => (usable ? loadKey() : keyFile.findKeyringKey?.()),
  };
}

/** @throws SealError */
function readOrCreateKey(keyring: Keyring, { open, keyring: file }: FileSealer): SealKey {
  const encode = ({ bytes }: SealKey) => sealWith(keyring, bytes.toString("base64"));
  if (file.read() === undefined) file.create(encode(createRandomKey()));
  const sealed = file.read() ?? "";
  const isOwn = sealed.startsWith(DESKTOP_SEAL);
  const text = isOwn ? openWith(keyring, sealed) : open(sealed);
  const key = toSealKey(Buffer.from(text, "base64"));
  // A restore on another machine leaves it sealed with the key file.
  if (!isOwn) file.replace(encode(key));
  return key;
}

/** On Linux without a keyring, Electron would seal with a publicly known password. */
function isUsable(keyring: Keyring, platform: NodeJS.Platform): boolean {
  if (!keyring.isEncryptionAvailable()) return false;
  return platform !== "linux" || keyring.getSelectedStorageBackend() !== "basic_text";
}

function sealWith(keyring: Keyring, text: string): string {
  try {
    return DESKTOP_SEAL + keyring.encryptString(text).toString("base64");
  } catch {
    throw new SealError("This user's keyring stored no secret: unlock it and try again.");
  }
}

function openWith(keyring: Keyring, sealed: string): string {
  try {
    return keyring.decryptString(Buffer.from(sealed.slice(DESKTOP_SEAL.length), "base64"));
  } catch {
    throw new SealError(
      "This user's keyring does not open this secret: unlock the keyring and try again. A secret " +
        "that another user or another machine sealed must be entered again.",
    );
  }
}

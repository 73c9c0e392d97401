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

type Keyring = Pick<
  SafeStorage,
  "isEncryptionAvailable" | "getSelectedStorageBackend" | "encryptString" | "decryptString"
>;

/**
 * Seals secrets with the keyring key. The user's keyring seals this key. Without a safe keyring,
 * secrets are sealed with the key file. Opens secrets of both kinds, because the command line has
 * no keyring. The recovery kit contains the keyring key. Earlier versions sealed secrets with the
 * keyring itself (`desktop.BASE64`); only these secrets need this user's keyring.
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
    // After a restore, the key file seals the keyring key, which then opens without the keyring.
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

/** @throws SealError if the keyring does not open the key */
function readOrCreateKey(keyring: Keyring, { open, keyring: file }: FileSealer): SealKey {
  const encode = ({ bytes }: SealKey) => sealWith(keyring, bytes.toString("base64"));
  const sealed = file.read() ?? file.create(encode(createRandomKey()));
  const isOwn = sealed.startsWith(DESKTOP_SEAL);
  const text = isOwn ? openWith(keyring, sealed) : open(sealed);
  const key = toSealKey(Buffer.from(text, "base64"));
  // After a restore on another machine, the key file still seals the keyring key.
  if (!isOwn) file.replace(encode(key));
  return key;
}

/** Rejects Electron's fallback on a Linux without a keyring: a publicly known password. */
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

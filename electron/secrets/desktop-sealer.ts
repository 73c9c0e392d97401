import type { SafeStorage } from "electron/main";
import { DESKTOP_SEAL, type Log, SealError, type Sealer } from "../../server/index.ts";

/** The part of Electron's `safeStorage` that sealing needs. */
type Keyring = Pick<
  SafeStorage,
  "isEncryptionAvailable" | "getSelectedStorageBackend" | "encryptString" | "decryptString"
>;

/**
 * Seals with the keyring of this machine's user, and opens what the key file sealed too: the command
 * line has no keyring. Without a safe keyring it seals with the key file, and logs it. A text of the
 * keyring is `desktop.BASE64`.
 */
export function createDesktopSealer(
  keyring: Keyring,
  { keyFile, log }: { keyFile: Sealer; log: Log },
  platform: NodeJS.Platform = process.platform,
): Sealer {
  const usable = isUsable(keyring, platform);
  if (!usable) log.warn("there is no keyring of the system's: secrets are sealed with a key file");
  return {
    seal: (text) => (usable ? sealWith(keyring, text) : keyFile.seal(text)),
    open(sealed) {
      if (!sealed.startsWith(DESKTOP_SEAL)) return keyFile.open(sealed);
      if (usable) return openWith(keyring, sealed);
      throw new SealError(
        "This secret was sealed with this user's keyring, which cannot be reached: " +
          "unlock it and start Tillgate again, or enter the secret again.",
      );
    },
  };
}

/** On Linux without a keyring Electron would seal with a password that everybody knows. */
function isUsable(keyring: Keyring, platform: NodeJS.Platform): boolean {
  if (!keyring.isEncryptionAvailable()) return false;
  return platform !== "linux" || keyring.getSelectedStorageBackend() !== "basic_text";
}

function sealWith(keyring: Keyring, text: string): string {
  try {
    return DESKTOP_SEAL + keyring.encryptString(text).toString("base64");
  } catch {
    throw new SealError("This user's keyring took no secret: unlock it and try again.");
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

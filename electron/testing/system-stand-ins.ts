import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import type { MenuItemConstructorOptions, SafeStorage } from "electron/main";

/** A user's keyring. It cannot open texts that another user's keyring sealed. */
export class SafeStorageStandIn {
  available = true;
  backend: ReturnType<SafeStorage["getSelectedStorageBackend"]> = "gnome_libsecret";
  user = "olga";
  locked = false;

  isEncryptionAvailable(): boolean {
    return this.available;
  }

  getSelectedStorageBackend(): SafeStorageStandIn["backend"] {
    return this.backend;
  }

  encryptString(text: string): Buffer {
    const iv = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.key(), iv);
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]);
  }

  decryptString(sealed: Buffer): string {
    const decipher = createDecipheriv("aes-256-gcm", this.key(), sealed.subarray(0, 12));
    decipher.setAuthTag(sealed.subarray(12, 28));
    return decipher.update(sealed.subarray(28), undefined, "utf8") + decipher.final("utf8");
  }

  private key(): Buffer {
    if (this.locked) throw new Error("The keyring is locked.");
    return createHash("sha256").update(this.user).digest();
  }
}

export class TrayStandIn extends EventEmitter {
  toolTip = "";
  menu: MenuItemConstructorOptions[] = [];
  isDestroyed = false;

  setToolTip(text: string): void {
    this.toolTip = text;
  }

  setContextMenu(menu: MenuItemConstructorOptions[]): void {
    this.menu = menu;
  }

  destroy(): void {
    this.isDestroyed = true;
  }
}

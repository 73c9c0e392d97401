import { createCipheriv, createHmac, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deriveKey, type SealKey, sealBytes } from "../lib/sealer.ts";
import { openBackup } from "../modules/safety/backups/backup-check.ts";
import {
  type BackupCheck,
  type BackupFacts,
  verifyBackup,
} from "../modules/safety/backups/index.ts";

export function verifyBackupIn(
  dataDir: string,
  file: string,
  phrase?: string,
): Promise<BackupCheck> {
  return verifyBackup({ file, dataDir, phrase }, join(dataDir, ".tillgate-verified.part"));
}

export async function decryptBackupIn(
  dataDir: string,
  file: string,
  target: string,
): Promise<void> {
  await openBackup({ file, dataDir }, target);
}

/**
 * Writes a backup in format version 1: an uncompressed full copy, from before incremental backups.
 */
export function writeOldBackup(
  file: string,
  { plain, facts, key }: { plain: string; facts: BackupFacts; key: SealKey },
): void {
  const content = readFileSync(plain);
  const chunkBytes = 64 * 1024;
  const dataKey = randomBytes(32);
  const header = Buffer.from(
    JSON.stringify({
      kind: "FULL",
      compression: "NONE",
      chunkBytes,
      contentBytes: content.length,
      facts,
      keyId: key.id,
      dataKey: sealBytes(deriveKey(key.bytes, "tillgate backup: data keys"), dataKey),
    }),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  const signed = Buffer.concat([Buffer.from("TGBACKUP"), Buffer.from([1]), length, header]);
  const headerKey = deriveKey(dataKey, "tillgate backup: header");
  const parts = [signed, createHmac("sha256", headerKey).update(signed).digest()];
  for (let number = 0; number * chunkBytes < content.length; number++) {
    const end = (number + 1) * chunkBytes;
    const nonce = Buffer.alloc(12);
    nonce.writeUIntBE(number, 5, 6);
    nonce[11] = end >= content.length ? 1 : 0;
    const contentKey = deriveKey(dataKey, "tillgate backup: content");
    const cipher = createCipheriv("aes-256-gcm", contentKey, nonce);
    parts.push(cipher.update(content.subarray(number * chunkBytes, end)), cipher.final());
    parts.push(cipher.getAuthTag());
  }
  writeFileSync(file, Buffer.concat(parts));
}

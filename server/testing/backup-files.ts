import { join } from "node:path";
import { openBackup } from "../modules/safety/backups/backup-check.ts";
import { type BackupCheck, verifyBackup } from "../modules/safety/backups/index.ts";

/** Verifies a backup with the key of a data directory, as `backup verify` does. */
export function verifyBackupIn(
  dataDir: string,
  file: string,
  phrase?: string,
): Promise<BackupCheck> {
  return verifyBackup({ file, dataDir, phrase }, join(dataDir, ".tillgate-verified.part"));
}

/** Writes the database of a backup to a file, opened with the key of a data directory. */
export async function decryptBackupIn(
  dataDir: string,
  file: string,
  target: string,
): Promise<void> {
  await openBackup({ file, dataDir }, target);
}

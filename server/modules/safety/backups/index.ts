export { copyShop, type FoundShop, lookAtShop } from "./adoption.ts";
export { type BackupCheck, verifyBackup } from "./backup-check.ts";
export { writeBackup } from "./backup-copy.ts";
export { findBackupOfNow, readOwnFacts } from "./backup-facts.ts";
export { type BackupFile, isRestoreUnfinished, listBackupFiles, partName } from "./backup-files.ts";
export type { BackupFacts } from "./backup-format.ts";
export { BackupService, readBackupState } from "./backup-service.ts";
export type { LookedInto } from "./backup-view.ts";
export { createBackupDeskModule, createBackupsModule } from "./module.ts";
export type { RecoveryDesk } from "./recovery-desk.ts";
export { finishRestore, restoreAsAsked } from "./restore-request.ts";

/** Loads the restore code on demand, because most starts need no restore. */
export function loadRestore() {
  return import("./restore.ts");
}
export { findUnreadable, type Unreadable } from "./sealed-with.ts";
export type { SecondBackupPlace } from "./second-place.ts";

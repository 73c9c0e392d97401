export { checkBackup } from "./backup-check.ts";
export { clearAwayBackups, writeBackup } from "./backup-copy.ts";
export { type BackupFile, listBackupFiles, partName } from "./backup-files.ts";
export { BackupService, readBackupState } from "./backup-service.ts";
export type { LookedInto } from "./backup-view.ts";
export { createBackupDeskModule, createBackupsModule } from "./module.ts";
export { finishRestore, isRestoreUnfinished, restoreBackup } from "./restore.ts";
export { restoreAsAsked } from "./restore-request.ts";
export type { Unreadable } from "./sealed-with.ts";

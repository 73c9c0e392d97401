import type { Db } from "../db/database.ts";
import { openToRead } from "../db/database-place.ts";
import type { AuditReport } from "../modules/books/audit/index.ts";
import type { ReportOrder } from "../modules/books/reports/report-csv.ts";
import type { DayPdfOrder } from "../modules/office/shop-reports/day-pdf/day-pdf.ts";
import type { LogToRedact } from "../modules/operations/support/redacted-log.ts";
import type {
  CatalogFileToCheck,
  CheckedFile,
} from "../modules/providers/catalog-imports/catalog-file-check.ts";
import type { BackupCheck, BackupSource } from "../modules/safety/backups/backup-check.ts";
import type { BackupOrder, MadeBackup } from "../modules/safety/backups/backup-copy.ts";
import type { LookedInto } from "../modules/safety/backups/backup-view.ts";
import type {
  RefusedRestore,
  RestoreRequest,
  StagedRestore,
} from "../modules/safety/backups/restore.ts";
import type { CopyOrder, CopyOutcome } from "../modules/safety/backups/second-place-copy.ts";
import type { BillProofOrder } from "../modules/selling/receipt-pages/bill-proof/bill-proof-pdf.ts";

/**
 * Tasks whose duration grows with the shop's sales. Each task opens its own connections, so that it
 * can run on any thread; `database` is a result of `placeOfDatabase`. Input and output are plain
 * data. Each task imports its code on demand, to save time and memory.
 */
export const TASKS = {
  /**
   * Copies a database that is in use, verifies, compresses and encrypts the copy, and
   * deletes expired backups.
   */
  async makeBackup(order: BackupOrder): Promise<MadeBackup> {
    const { makeBackup } = await import("../modules/safety/backups/backup-copy.ts");
    return makeBackup(order);
  },

  async verifyBackup({
    scratch,
    ...source
  }: BackupSource & { scratch: string }): Promise<BackupCheck> {
    const { verifyBackup } = await import("../modules/safety/backups/backup-check.ts");
    return verifyBackup(source, scratch);
  },

  /** Describes a backup, from a temporary copy that is migrated and then removed. */
  async lookIntoBackup({
    scratch,
    ...source
  }: BackupSource & { scratch: string }): Promise<LookedInto> {
    const { lookIntoBackup } = await import("../modules/safety/backups/backup-view.ts");
    return lookIntoBackup(source, scratch);
  },

  /** Prepares a restore, which the gateway completes at its next start in the data directory. */
  async stageRestore(request: RestoreRequest): Promise<StagedRestore | RefusedRestore> {
    const { stageOrRefuse } = await import("../modules/safety/backups/restore.ts");
    return stageOrRefuse(request);
  },

  /**
   * Marks a folder as the second backup folder. Returns the reason if the folder cannot be used.
   */
  async markBackupPlace(of: { dir: string; owner: string }): Promise<string | undefined> {
    const { markPlace } = await import("../modules/safety/backups/second-place-copy.ts");
    return markPlace(of.dir, of.owner);
  },

  async copyBackups(order: CopyOrder, isOver?: () => boolean): Promise<CopyOutcome> {
    const { copyBackups } = await import("../modules/safety/backups/second-place-copy.ts");
    return copyBackups(order, isOver);
  },

  /** Reads a catalog file and compares it with the current catalog. Changes nothing. */
  async checkCatalogFile({
    database,
    ...file
  }: CatalogFileToCheck & { database: string }): Promise<CheckedFile> {
    const { checkCatalogFile } = await import(
      "../modules/providers/catalog-imports/catalog-file-check.ts"
    );
    return reading(database, (db) => checkCatalogFile(db, file));
  },

  /** Joins the last parts of the log files, without personal data. */
  async redactLog(of: LogToRedact): Promise<string> {
    const { redactLog } = await import("../modules/operations/support/redacted-log.ts");
    return redactLog(of);
  },

  /** Returns SQLite's findings about a damaged database file; undefined if it is intact. */
  async findDamage({ file }: { file: string }): Promise<string | undefined> {
    const { quickCheck } = await import("../db/sqlite/quick-check.ts");
    return reading(file, quickCheck);
  },

  /**
   * Writes a report file.
   * @param isOver returns true when the file is no longer wanted
   * @returns number of transactions in the file
   * @throws if the file is no longer wanted; no partial file remains
   */
  async writeReport(
    { database, ...order }: ReportOrder & { database: string },
    isOver?: () => boolean,
  ): Promise<number> {
    const { writeReport } = await import("../modules/books/reports/report-csv.ts");
    return reading(database, (db) => writeReport(db, order, isOver));
  },

  async writeDayPdf({ database, ...order }: DayPdfOrder & { database: string }): Promise<void> {
    const { writeDayPdf } = await import("../modules/office/shop-reports/day-pdf/day-pdf.ts");
    return reading(database, (db) => writeDayPdf(db, order));
  },

  async drawBillProof(order: BillProofOrder): Promise<Uint8Array> {
    const { drawBillProof } = await import(
      "../modules/selling/receipt-pages/bill-proof/bill-proof-pdf.ts"
    );
    return drawBillProof(order);
  },

  /**
   * Audits the books of a database that may be in use, all as of the same moment.
   * @param isOver returns true when the result is no longer wanted
   */
  async audit({ database }: { database: string }, isOver?: () => boolean): Promise<AuditReport> {
    const { auditBooks } = await import("../modules/books/audit/index.ts");
    return reading(database, (db) => auditBooks(db, isOver));
  },
};

export type Tasks = typeof TASKS;
export type TaskName = keyof Tasks;

async function reading<T>(database: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = await openToRead(database);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

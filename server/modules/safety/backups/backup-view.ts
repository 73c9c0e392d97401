import type { BackupFault, BackupView, PhraseFault } from "../../../contract/pos/backups.ts";
import { type Db, openDatabaseFile } from "../../../db/database.ts";
import { copyDatabase } from "../../../db/database-files.ts";
import { migrate } from "../../../db/migrate.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { PhraseError } from "../../../lib/recovery-phrase.ts";
import { auditBooks, listProblems } from "../../books/audit/index.ts";
import {
  type BackupSource,
  checkDatabaseCopy,
  findForeign,
  openBackup,
  toFinding,
} from "./backup-check.ts";
import { createPrivateFile, removePart } from "./backup-files.ts";
import { BackupError, type BackupFacts } from "./backup-format.ts";

export interface LookedInto {
  problems: string[];
  fault?: BackupFault | undefined;
  phraseFault?: PhraseFault;
  view: BackupView | undefined;
  shopName?: string | undefined;
  facts?: BackupFacts | undefined;
  /**
   * Whether the backup has no signature, as in early versions, so that changes cannot be detected.
   */
  isUnsigned?: boolean;
}

/**
 * Restores a backup into a temporary file, which is migrated, audited, read and deleted. The backup
 * is not changed.
 * @param scratch path of the temporary file
 */
export async function lookIntoBackup(source: BackupSource, scratch: string): Promise<LookedInto> {
  return lookInto(scratch, async () => {
    const { facts } = await openBackup(source, scratch);
    const inside = await readCopy(scratch);
    const foreign = inside.shop && (await findForeign(inside.shop, source.dataDir));
    return {
      ...inside,
      problems: [...(foreign?.problems ?? []), ...inside.problems],
      fault: foreign?.fault ?? inside.fault,
      ...(facts ? { facts } : { isUnsigned: true }),
    };
  });
}

/** Reads a database that is not in use, as `lookIntoBackup` reads a backup. */
export function lookIntoDatabase(file: string, scratch: string): Promise<LookedInto> {
  return lookInto(scratch, async () => {
    await copyDatabase(file, scratch);
    return readCopy(scratch);
  });
}

async function lookInto(scratch: string, work: () => Promise<LookedInto>): Promise<LookedInto> {
  try {
    await createPrivateFile(scratch);
    return await work();
  } catch (error) {
    return {
      ...toFinding(error),
      view: undefined,
      ...(error instanceof PhraseError && { phraseFault: error.fault }),
    };
  } finally {
    await removePart(scratch);
  }
}

/** @throws BackupError */
async function readCopy(
  copy: string,
): Promise<LookedInto & { shop?: { shopName: string; shopBeganAt: number } }> {
  const { problems: faults, fault } = await checkDatabaseCopy(copy, "read");
  if (faults.length > 0) throw new BackupError(faults.join("; "), fault);
  const db = openDatabaseFile(copy, "write");
  try {
    await migrate(db);
    const report = await auditBooks(db);
    const problems = listProblems(report);
    const wallets = report.figures.map(
      ({ environment, currency, currencyDivisor, available, held }) => ({
        environment,
        currency,
        currencyDivisor,
        available,
        held,
      }),
    );
    const shop = await db
      .selectFrom("shops")
      .innerJoin("accounts", "accounts.account_id", "shops.account_id")
      .select(["name as shopName", "accounts.created_at as shopBeganAt"])
      .executeTakeFirst();
    return {
      problems,
      ...(problems.length > 0 && { fault: { kind: "BOOKS" } }),
      view: { wallets, ...(await readSales(db)) },
      shopName: shop?.shopName,
      ...(shop && { shop }),
    };
  } finally {
    await db.destroy();
  }
}

async function readSales(db: Db): Promise<Pick<BackupView, "sales" | "newestSale">> {
  const { sales } = await db
    .selectFrom("sales")
    .select(({ fn }) => fn.countAll<number>().as("sales"))
    .where("training", "=", 0)
    .executeTakeFirstOrThrow();
  const newest = await db
    .selectFrom("sales")
    .select([
      "sale_number as saleNumber",
      "environment",
      "created_at",
      "total",
      "currency",
      "currency_divisor as currencyDivisor",
    ])
    .where("training", "=", 0)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!newest) return { sales };
  const { created_at, ...sale } = newest;
  return { sales, newestSale: { ...sale, createdAt: toTimestamp(created_at) } };
}

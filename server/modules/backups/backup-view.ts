import type { BackupView } from "../../contract/pos/backups.ts";
import { type Db, openDatabaseFile } from "../../db/database.ts";
import { copyDatabase } from "../../db/database-files.ts";
import { migrate } from "../../db/migrate.ts";
import { toTimestamp } from "../../lib/clock.ts";
import { describeStorageFault } from "../../lib/storage-fault.ts";
import { auditBooks } from "../audit/index.ts";
import { createPrivateFile, removePart } from "./backup-files.ts";

/** What was found in a backup, and what is wrong with it. */
export interface LookedInto {
  problems: string[];
  view: BackupView | undefined;
  /** Undefined where no shop was set up. */
  shopName?: string | undefined;
}

/**
 * Restores a backup into a file of its own, brings that up to date, audits it, reads what it holds, and
 * removes it. The backup is not touched.
 * @param scratch where the copy is made; nothing of it is left
 */
export async function lookIntoBackup(file: string, scratch: string): Promise<LookedInto> {
  let db: Db | undefined;
  try {
    await createPrivateFile(scratch);
    await copyDatabase(file, scratch);
    db = openDatabaseFile(scratch, "write");
    await migrate(db);
    const { checks, figures } = await auditBooks(db);
    const problems = checks.flatMap(({ name, violations }) =>
      violations.map((violation) => `${name}: ${violation}`),
    );
    const wallets = figures.map(({ environment, currency, currencyDivisor, available, held }) => ({
      environment,
      currency,
      currencyDivisor,
      available,
      held,
    }));
    const shop = await db.selectFrom("shops").select("name").executeTakeFirst();
    return { problems, view: { wallets, ...(await readSales(db)) }, shopName: shop?.name };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problems: [describeStorageFault(error) ?? reason], view: undefined };
  } finally {
    await db?.destroy();
    await removePart(scratch);
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

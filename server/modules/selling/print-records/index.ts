import type { Need } from "../../../contract/pos/rights.ts";
import { Problem } from "../../../contract/problem.ts";
import { transactByAccount } from "../../../db/by-account.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { PrintKind, PrintState } from "../../../db/tables/sales.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { DAY, MINUTE } from "../../../lib/clock.ts";

/**
 * A print, whose outcome may be unknown (rules#receipt-print-outcome). Before its first byte may be
 * sent, the print is NOT_BEGUN and does not count: the next print gets its copy number. After that,
 * the print is a row of `prints`, and every later print of its subject is a copy.
 */
interface PrintRecord {
  readonly state: PrintState;
  readonly staffId: string;
  readonly recordedAt: number;
}

interface Subject {
  readonly kind: PrintKind;
  /** Id of a sale, or number of a Z report. */
  readonly subject: string;
}

interface RecordedPrint {
  readonly copyNumber: number;
  /**
   * Permissions that the person got for an earlier print of the subject that never started. These
   * permissions make a second approval unnecessary.
   */
  readonly granted: readonly string[];
}

/** Permissions of a print that never started stay valid for this time. */
const RIGHTS_HOLD_MS = 10 * MINUTE;
const KEPT_MS = 30 * DAY;
const PRUNED_AT_ONCE = 500;

/**
 * Records a print, which replaces all prints of the same subject that have not started.
 * @param print `printId` is undefined for a print that starts at once and has no record
 * @throws Problem ID_TAKEN if the print with the id has started, was replaced, or has another
 * subject
 */
export async function recordPrint(
  tx: Tx,
  scope: Scope,
  print: Subject & { printId: string | undefined; staffId: string; at: number },
): Promise<RecordedPrint> {
  const { kind, subject, printId, staffId, at } = print;
  const copyNumber = (await countPrints(tx, scope, kind, [subject])).get(subject) ?? 0;
  const replaced = await tx
    .updateTable("print_records")
    .set({ state: "REPLACED" })
    .where(inScope(scope))
    .where("kind", "=", kind)
    .where("subject", "=", subject)
    .where("state", "=", "NOT_BEGUN")
    .returning(["print_id", "staff_id", "granted_rights", "recorded_at"])
    .execute();
  const granted = replaced
    .filter((one) => one.staff_id === staffId)
    .filter((one) => one.recorded_at <= at && at - one.recorded_at < RIGHTS_HOLD_MS)
    .flatMap((one) => one.granted_rights.split(",").filter((right) => right !== ""));
  if (printId === undefined) {
    await insertPrint(tx, { ...scope, kind, subject, copyNumber, staffId, at });
    return { copyNumber, granted };
  }
  const isOwn = replaced.some((one) => one.print_id === printId && one.staff_id === staffId);
  const known = await findPrintRecord(tx, scope.accountId, printId);
  if (known && !isOwn) throw taken();
  const row = {
    account_id: scope.accountId,
    print_id: printId,
    environment: scope.environment,
    kind,
    subject,
    copy_number: copyNumber,
    staff_id: staffId,
    granted_rights: granted.join(","),
    state: "NOT_BEGUN",
    recorded_at: at,
  } as const;
  await tx
    .insertInto("print_records")
    .values(row)
    .onConflict((conflict) => conflict.columns(["account_id", "print_id"]).doUpdateSet(row))
    .execute();
  return { copyNumber, granted };
}

/** Stores permissions, which the next print may use if this print never starts. */
export async function noteGranted(
  tx: Tx,
  scope: Scope,
  { printId }: { printId: string | undefined },
  needs: readonly Need[],
): Promise<void> {
  if (printId === undefined) return;
  await tx
    .updateTable("print_records")
    .set({ granted_rights: needs.map(({ right }) => right).join(",") })
    .where("account_id", "=", scope.accountId)
    .where("print_id", "=", printId)
    .execute();
}

/**
 * Starts a print. Must be committed before the first byte is sent.
 * @returns false if the print must not be sent: it has started, or was replaced
 */
export async function beginPrint(
  tx: Tx,
  accountId: string,
  print: { printId: string; at: number },
): Promise<boolean> {
  const row = await tx
    .updateTable("print_records")
    .set({ state: "BEGUN" })
    .where("account_id", "=", accountId)
    .where("print_id", "=", print.printId)
    .where("state", "=", "NOT_BEGUN")
    .returningAll()
    .executeTakeFirst();
  if (!row) return false;
  await insertPrint(tx, {
    accountId,
    environment: row.environment,
    kind: row.kind,
    subject: row.subject,
    copyNumber: row.copy_number,
    staffId: row.staff_id,
    at: print.at,
  });
  return true;
}

/** Marks a print as printed, after the printer accepted all bytes and reported no error. */
export async function markPrinted(tx: Tx, accountId: string, printId: string): Promise<void> {
  await tx
    .updateTable("print_records")
    .set({ state: "PRINTED" })
    .where("account_id", "=", accountId)
    .where("print_id", "=", printId)
    .where("state", "=", "BEGUN")
    .execute();
}

/** @returns undefined for tests, X reports and drawer pulses, which have no record */
export async function findPrintRecord(
  db: Db | Tx,
  accountId: string,
  printId: string,
): Promise<PrintRecord | undefined> {
  const row = await db
    .selectFrom("print_records")
    .select(["state", "staff_id", "recorded_at"])
    .where("account_id", "=", accountId)
    .where("print_id", "=", printId)
    .executeTakeFirst();
  return row && { state: row.state, staffId: row.staff_id, recordedAt: row.recorded_at };
}

export async function countReceiptPrints(
  db: Db | Tx,
  scope: Scope,
  saleIds: readonly string[],
): Promise<Map<string, number>> {
  return countPrints(db, scope, "SALE", saleIds);
}

/**
 * Deletes a batch of records that are no longer needed. The prints themselves stay.
 * @returns whether more remain
 */
export async function prunePrintRecords(
  { db, transactor }: { db: Db; transactor: Transactor },
  now: number,
): Promise<boolean> {
  const rows = await db
    .selectFrom("print_records")
    .select(["account_id", "print_id"])
    .where("account_id", "in", db.selectFrom("accounts").select("account_id"))
    .where("recorded_at", "<", now - KEPT_MS)
    .limit(PRUNED_AT_ONCE)
    .execute();
  await transactByAccount(transactor, rows, async (tx, own, accountId) => {
    await tx
      .deleteFrom("print_records")
      .where("account_id", "=", accountId)
      .where(
        "print_id",
        "in",
        own.map(({ print_id }) => print_id),
      )
      .execute();
  });
  return rows.length === PRUNED_AT_ONCE;
}

async function countPrints(
  db: Db | Tx,
  scope: Scope,
  kind: PrintKind,
  subjects: readonly string[],
): Promise<Map<string, number>> {
  if (subjects.length === 0) return new Map();
  const rows = await db
    .selectFrom("prints")
    .select((eb) => ["subject", eb.fn.countAll<number>().as("prints")])
    .where(inScope(scope))
    .where("kind", "=", kind)
    .where("subject", "in", subjects)
    .groupBy("subject")
    .execute();
  return new Map(rows.map((row) => [row.subject, row.prints]));
}

/** Inserts a row for a paper that may exist, with the number that is printed on the paper. */
async function insertPrint(
  tx: Tx,
  print: Scope & Subject & { copyNumber: number; staffId: string; at: number },
): Promise<void> {
  await tx
    .insertInto("prints")
    .values({
      account_id: print.accountId,
      environment: print.environment,
      kind: print.kind,
      subject: print.subject,
      copy_number: print.copyNumber,
      staff_id: print.staffId,
      printed_at: print.at,
    })
    .execute();
}

function taken(): Problem {
  return new Problem("ID_TAKEN", "This print has begun already, or is of something else.", {
    printId: "is of another print",
  });
}

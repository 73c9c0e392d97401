import type { LeftLine } from "../../contract/pos/till-environment.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import { DAY, toTimestamp } from "../../lib/clock.ts";
import { linesWithCustomerRefunds } from "../sales/index.ts";
import { viewPaidLines } from "../shifts/index.ts";

/** The most that are listed of each kind; more are only counted. */
const LISTED = 100;
/** A purchase is open for a day; one whose provider could not be reached, for a few more. */
const LONGEST_OPEN_MS = 7 * DAY;

interface LeftLines {
  /** How many are not finished. */
  total: number;
  /** Those not finished, oldest first, then those finished since, newest first. */
  lines: LeftLine[];
}

/**
 * Sales of the till in an environment that the shop has left, without training: what is under way, and
 * its outcome since (rules#live-left-purchases).
 * @param leftAt when the shop left it; undefined where it never sold there
 */
export async function readLeftLines(
  db: Db,
  scope: Scope,
  { leftAt, now }: { leftAt: number | undefined; now: number },
): Promise<LeftLines> {
  const ofTill = { ...scope, training: false };
  const sold = linesWithCustomerRefunds(db, ofTill).select([
    "t.transaction_id",
    "t.status",
    "t.finished_at",
    "l.price",
    "l.discount",
    "g.amount as handed_back",
  ]);
  const underWay = await sold
    .where("t.finished_at", "is", null)
    .orderBy("t.created_at")
    .orderBy("t.transaction_id")
    .execute();
  const finished =
    leftAt === undefined
      ? []
      : await sold
          .where("l.created_at", ">=", leftAt - LONGEST_OPEN_MS)
          .where("l.created_at", "<=", leftAt)
          .where("t.finished_at", ">", leftAt)
          .execute();
  // Few: sold at the till within days, and still open after the switch.
  const newest = finished.toSorted((a, b) => Number(b.finished_at) - Number(a.finished_at));
  const rows = [...underWay.slice(0, LISTED), ...newest.slice(0, LISTED)];
  const paid = new Map(rows.map((row) => [row.transaction_id, row.price - row.discount]));
  const byId = new Map(rows.map((row) => [row.transaction_id, row]));
  const lines = (await viewPaidLines(db, ofTill, paid, now)).map((line) => {
    const row = byId.get(line.transactionId);
    const finishedAt = row?.finished_at ?? undefined;
    return {
      ...line,
      ...(finishedAt !== undefined && { finishedAt: toTimestamp(finishedAt) }),
      owed: row?.status === "FAILED" && row.handed_back === null && line.price > 0,
    };
  });
  return { total: underWay.length, lines };
}

import type { OwedSale, UnfinishedLine } from "../../../contract/pos/shifts.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { formatPhoneNumber } from "../../catalog/phone-lookup/index.ts";
import { findPurchases, openUntil } from "../../purchases/purchases/index.ts";
import {
  findSalesByTransaction,
  getOutcome,
  getTitle,
  linesWithSales,
  linesWithTransactions,
  readRoundingBack,
  type SalesScope,
} from "../sales/index.ts";
import { type ShiftRow, toShiftScope } from "./shift-store.ts";

type LineSelection = { shiftId: string } | { transactionIds: readonly string[] } | "all";

export async function listUnfinishedLines(
  db: Db | Tx,
  { accountId, environment }: Scope,
  which: LineSelection,
  now: number,
): Promise<UnfinishedLine[]> {
  const scope = { accountId, environment, training: false };
  return viewPaidLines(db, scope, await listPaid(db, scope, which), now);
}

/**
 * Returns lines in the order of `paid`.
 * @param paid paid price by transaction id, in minor units of the shop's currency
 */
export async function viewPaidLines(
  db: Db | Tx,
  scope: SalesScope,
  paid: ReadonlyMap<string, number>,
  now: number,
): Promise<UnfinishedLine[]> {
  const ids = [...paid.keys()];
  const purchases = await findPurchases(db, scope, ids);
  const sales = await findSalesByTransaction(db, scope, ids);
  return purchases
    .toSorted(
      (a, b) => ids.indexOf(a.transaction.transactionId) - ids.indexOf(b.transaction.transactionId),
    )
    .map((purchase) => {
      const { transaction, offer, recipient } = purchase;
      const sale = sales.get(transaction.transactionId);
      return {
        transactionId: transaction.transactionId,
        saleId: sale?.saleId ?? "",
        saleNumber: sale?.saleNumber ?? 0,
        environment: scope.environment,
        seller: sale?.clerk ?? "",
        brandName: offer.brandName,
        title: getTitle(purchase),
        recipient: recipient.startsWith("+") ? formatPhoneNumber(recipient) : recipient,
        price: paid.get(transaction.transactionId) ?? 0,
        currency: offer.price.currency,
        currencyDivisor: offer.price.currencyDivisor,
        outcome: getOutcome(purchase, now),
        keepTryingUntil: toTimestamp(openUntil(purchase)),
      };
    });
}

export async function countUnfinishedLines(
  db: Db | Tx,
  { accountId, environment }: Scope,
): Promise<number> {
  const { count } = await linesWithTransactions(db, { accountId, environment, training: false })
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("t.finished_at", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Counts unfinished purchases without a sale, such as purchases of `/v1`. */
export async function countPurchasesUnderWay(db: Db | Tx, scope: Scope): Promise<number> {
  const { count } = await db
    .selectFrom("transactions as t")
    .innerJoin("purchases as p", inSameScope("p", "t", "transaction_id"))
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where(inScope(scope, "t"))
    .where("t.finished_at", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("sale_lines as l")
            .select("l.transaction_id")
            .whereRef("l.account_id", "=", "t.account_id")
            .whereRef("l.environment", "=", "t.environment")
            .whereRef("l.transaction_id", "=", "t.transaction_id"),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return count;
}

async function listPaid(
  db: Db | Tx,
  scope: SalesScope,
  which: LineSelection,
): Promise<Map<string, number>> {
  let query = linesWithTransactions(db, scope)
    .select(["t.transaction_id", "l.price", "l.discount"])
    .where("t.finished_at", "is", null);
  if (which !== "all") {
    query =
      "shiftId" in which
        ? query.where("s.shift_id", "=", which.shiftId)
        : query.where("t.transaction_id", "in", which.transactionIds);
  }
  const rows = await query.orderBy("t.created_at").orderBy("t.transaction_id").execute();
  return new Map(rows.map((row) => [row.transaction_id, row.price - row.discount]));
}

/**
 * Lists refunds due for returned lines of the shift's sales and of sales carried over into the
 * shift, oldest first.
 */
export async function listOwedSales(
  db: Db | Tx,
  shift: ShiftRow,
  carriedIds: readonly string[],
): Promise<OwedSale[]> {
  const owed = linesWithSales(db, toShiftScope(shift))
    .where("l.owed", "=", 1)
    .select((eb) => [
      "s.sale_id",
      "s.sale_number",
      eb.fn.sum<number>("l.price").as("price"),
      eb.fn.sum<number>("l.discount").as("discount"),
    ])
    .groupBy(["s.sale_id", "s.sale_number"]);
  const ofShift = db
    .selectFrom("sales")
    .select("sale_id")
    .where(inScope(toShiftScope(shift)))
    .where("shift_id", "=", shift.shift_id);
  const own = await owed.where("l.sale_id", "in", ofShift).execute();
  const carried =
    carriedIds.length === 0 ? [] : await owed.where("l.transaction_id", "in", carriedIds).execute();
  const sales = [...own, ...carried]
    .map(({ price, discount, ...sale }) => ({ ...sale, paid: price - discount }))
    .filter(({ paid }) => paid > 0)
    .sort((one, other) => one.sale_number - other.sale_number);
  const scope = toShiftScope(shift);
  const amounts: OwedSale[] = [];
  for (const { sale_id: saleId, sale_number: saleNumber, paid } of sales) {
    const amount = paid + (await readRoundingBack(db, scope, saleId, paid));
    amounts.push({ saleId, saleNumber, amount });
  }
  return amounts;
}

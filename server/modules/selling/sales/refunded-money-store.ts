import type { CustomerRefundTender } from "../../../contract/pos/sales.ts";
import {
  roundCash,
  type Tender,
  type TenderKind,
  tenderIdOf,
} from "../../../contract/pos/tenders.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { findSaleById, listTenderRows } from "./sale-store.ts";

/** Selects customer refunds (`g`) with their tenders (`t`). */
export function customerRefundsWithTenders(db: Db | Tx, scope: Scope) {
  return db
    .selectFrom("customer_refunds as g")
    .innerJoin("customer_refund_tenders as t", inSameScope("t", "g", "customer_refund_id"))
    .where(inScope(scope, "g"));
}

/** The first tender of a kind has no id. Without a name, only the kind is returned. */
export function namedTender(row: { kind: TenderKind; tender_id: string; tender_name: string }) {
  return {
    kind: row.kind,
    ...(row.tender_id !== "" && { tenderId: row.tender_id }),
    ...(row.tender_name !== "" && { name: row.tender_name }),
  };
}

export async function listGoneBack(
  db: Db | Tx,
  scope: Scope,
  saleIds: readonly string[],
): Promise<Map<string, CustomerRefundTender[]>> {
  if (saleIds.length === 0) return new Map();
  const rows = await customerRefundsWithTenders(db, scope)
    .select(["g.sale_id", "t.kind", "t.tender_id", "t.tender_name", "t.amount"])
    .where("g.sale_id", "in", saleIds)
    .execute();
  const bySale = Map.groupBy(rows, (row) => row.sale_id);
  return new Map(
    [...bySale].map(([saleId, of]) => [
      saleId,
      of.map(({ amount, ...row }) => ({ ...namedTender(row), amount })),
    ]),
  );
}

/**
 * Returns the rounding of a refund after earlier refunds of the sale (rules#cash-rounding).
 * @param lines paid price of the refunded lines
 */
export async function readRoundingBack(
  tx: Db | Tx,
  scope: Scope,
  saleId: string,
  lines: number,
): Promise<number> {
  const sale = await findSaleById(tx, scope, saleId);
  // Most shops do not round cash, and need no further query.
  if (!sale || sale.cash_step === 0) return 0;
  const { before } = await tx
    .selectFrom("customer_refund_lines")
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("amount"), eb.lit(0)).as("before"))
    .where(inScope(scope))
    .where("sale_id", "=", saleId)
    .executeTakeFirstOrThrow();
  const paid = await listTenderRows(tx, scope, [saleId]);
  const { cash_rounding: cashRounding, cash_step: cashStep } = sale;
  return roundingBack({ cashRounding, cashStep, paid }, before, lines);
}

/** If the refunded money paid for another sale, the refund has that sale's number. */
export interface LineRefund {
  readonly sentAgainAs?: number;
}

export async function findGivenBack(
  db: Db | Tx,
  scope: Scope,
  saleIds: readonly string[],
): Promise<ReadonlyMap<string, LineRefund>> {
  if (saleIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("customer_refund_lines as l")
    .innerJoin("customer_refunds as g", inSameScope("g", "l", "customer_refund_id"))
    .leftJoin("sales as s", inSameScope("s", "g", "sale_id", "replaced_by"))
    .select(["l.transaction_id", "s.sale_number"])
    .where(inScope(scope, "l"))
    .where("l.sale_id", "in", saleIds)
    .execute();
  return new Map(
    rows.map(({ transaction_id, sale_number }) => [
      transaction_id,
      sale_number === null ? {} : { sentAgainAs: sale_number },
    ]),
  );
}

interface PaidAndGone {
  readonly paid: readonly Pick<Tender, "kind" | "tenderId" | "name" | "amount">[];
  readonly gone: readonly CustomerRefundTender[];
}

/** Order of the tenders. Cash comes first, because cash needs no card reader. */
const ORDER: readonly TenderKind[] = ["CASH", "CARD", "OTHER"];

/**
 * Splits an amount, at most the unrefunded payment, between the payment's tenders. If an earlier
 * refund exceeded its tender's payment, the excess does not reduce the other tenders
 * (rules#customer-refund-as-it-came).
 */
export function splitAsItCame(amount: number, sale: PaidAndGone): CustomerRefundTender[] {
  let left = amount;
  return listTenders(sale).flatMap((tender) => {
    const part = Math.min(left, getRefundable(tender, sale));
    left -= part;
    return part > 0 ? [{ ...tender, amount: part }] : [];
  });
}

/**
 * Uses the payment's tenders of one kind, up to their amounts. The rest goes to the tender `first`.
 * @param first the tender, with its present name
 */
export function splitByKind(
  amount: number,
  sale: PaidAndGone,
  first: WhichTender,
): CustomerRefundTender[] {
  const { kind } = first;
  const ofKind = {
    paid: sale.paid.filter((tender) => tender.kind === kind),
    gone: sale.gone.filter((tender) => tender.kind === kind),
  };
  const parts = splitAsItCame(amount, ofKind);
  const more = amount - parts.reduce((sum, part) => sum + part.amount, 0);
  if (more === 0) return parts;
  const isOne = parts.some((part) => isSameTender(part, first));
  return isOne
    ? parts.map((part) =>
        isSameTender(part, first) ? { ...part, amount: part.amount + more } : part,
      )
    : [...parts, { ...first, amount: more }];
}

type WhichTender = Omit<CustomerRefundTender, "amount">;

function listTenders({ paid }: PaidAndGone): WhichTender[] {
  const each = paid.map(({ kind, tenderId, name }) => ({
    kind,
    ...(tenderId !== undefined && { tenderId }),
    ...(name !== undefined && { name }),
  }));
  const once = each.filter(
    (tender, at) => each.findIndex((one) => isSameTender(one, tender)) === at,
  );
  return ORDER.flatMap((kind) => once.filter((tender) => tender.kind === kind));
}

interface RoundedSale {
  readonly cashRounding: number;
  readonly cashStep: number;
  readonly paid: readonly Pick<Tender, "kind" | "amount">[];
}

/**
 * Returns the rounding that makes the refunded total of the cash part payable in cash
 * (rules#cash-rounding).
 * @param before paid price of lines that were refunded earlier
 * @param lines paid price of the lines of this refund
 */
export function roundingBack(sale: RoundedSale, before: number, lines: number): number {
  const cash = sumByTender({ kind: "CASH" }, sale.paid) - sale.cashRounding;
  const roundingUpTo = (lines: number) => {
    const part = Math.min(lines, cash);
    return roundCash(part, sale.cashStep) - part;
  };
  return roundingUpTo(before + lines) - roundingUpTo(before);
}

export function beyondWhatCame(parts: readonly CustomerRefundTender[], sale: PaidAndGone): number {
  return parts.reduce((sum, part) => sum + Math.max(0, part.amount - getRefundable(part, sale)), 0);
}

function getRefundable(tender: WhichTender, { paid, gone }: PaidAndGone): number {
  return Math.max(0, sumByTender(tender, paid) - sumByTender(tender, gone));
}

function isSameTender(one: WhichTender, other: WhichTender): boolean {
  return one.kind === other.kind && tenderIdOf(one) === tenderIdOf(other);
}

function sumByTender(
  tender: WhichTender,
  parts: readonly (WhichTender & Pick<CustomerRefundTender, "amount">)[],
): number {
  return parts.reduce((sum, part) => sum + (isSameTender(part, tender) ? part.amount : 0), 0);
}

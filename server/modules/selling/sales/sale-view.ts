import type { Actor } from "../../../contract/pos/actor.ts";
import type { SaleLine } from "../../../contract/pos/sale-lines.ts";
import type { Sale } from "../../../contract/pos/sales.ts";
import { type DayClock, startOfDay } from "../../../contract/pos/shop-day.ts";
import type { SaleTax } from "../../../contract/pos/taxes.ts";
import { changeOf, type Tender } from "../../../contract/pos/tenders.ts";
import type { NoTill } from "../../../contract/pos/tills.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { MINUTE, toTimestamp } from "../../../lib/clock.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import { findPurchases, type StoredPurchase } from "../../purchases/purchases/index.ts";
import { staffNames } from "../../shop/staff/index.ts";
import { countReceiptPrints } from "../print-records/index.ts";
import { viewLine } from "./line-view.ts";
import {
  findGivenBack,
  listGoneBack,
  namedTender,
  roundingBack,
  splitAsItCame,
} from "./refunded-money-store.ts";
import {
  listLineRows,
  listTenderRows,
  type SaleLineRow,
  type SaleRow,
  type SaleTenderRow,
} from "./sale-store.ts";

/** For this time after the delivery, the seller sees redeemable details without a reveal. */
const SELLER_SEES_MS = 10 * MINUTE;

const OF_A_FILE: NoTill = "FILE";

export interface SaleVisibility {
  /** Returns the time until which details are visible; "always" on paper and after a reveal. */
  detailsUntil(row: SaleRow, purchase: StoredPurchase): number | "always" | "never";
  showsRecipients(row: SaleRow): boolean;
}

/** Shows the whole sale. Only for use after a permission check. */
export const WHOLE: SaleVisibility = { detailsUntil: () => "always", showsRecipients: () => true };

/**
 * Only the seller sees PINs and codes, for a limited time (rules#redemption-shown-to-seller).
 * Recipients of other people's earlier sales need the permission to see figures
 * (rules#sale-figures-hidden).
 */
export function getVisibility(
  reader: Actor,
  { now, today }: { now: number; today: number },
): SaleVisibility {
  return {
    detailsUntil(row, { transaction: { finishedAt } }) {
      if (row.staff_id !== reader.staffId || finishedAt === undefined) return "never";
      // Uses the absolute difference, because the machine's clock may have been set back.
      return Math.abs(now - finishedAt) < SELLER_SEES_MS ? finishedAt + SELLER_SEES_MS : "never";
    },
    showsRecipients: (row) => isVisibleTo(reader, row, today),
  };
}

export function getListVisibility(reader: Actor, today: number): SaleVisibility {
  return { detailsUntil: () => "never", showsRecipients: (row) => isVisibleTo(reader, row, today) };
}

/**
 * Returns whether the reader may see the recipients: in their own sales, in the counter's sales of
 * today, or in all sales with the permission. A file that another person sold is excluded, because
 * its customers were not served at the counter.
 */
export function isVisibleTo(
  { staffId, rights }: Actor,
  row: Pick<SaleRow, "staff_id" | "created_at" | "till">,
  today: number,
): boolean {
  if (rights.seeExpectedCash || row.staff_id === staffId) return true;
  return row.created_at >= today && row.till !== OF_A_FILE;
}

/** The start of the shop's day (rules#sale-day). */
export function startOfToday(now: number, day: DayClock): number {
  return startOfDay(now, day);
}

interface SaleViewDeps {
  catalog: CatalogService;
  language: string;
  sight: SaleVisibility;
  now: number;
}

/**
 * Returns sales in the order of `rows`. The number of queries does not grow with the number of
 * sales.
 */
export async function viewSales(
  db: Db | Tx,
  scope: Scope,
  rows: SaleRow[],
  deps: SaleViewDeps,
): Promise<Sale[]> {
  const saleIds = rows.map((row) => row.sale_id);
  const lines = Map.groupBy(await listLineRows(db, scope, saleIds), (line) => line.sale_id);
  const ids = [...lines.values()].flat().map((line) => line.transaction_id);
  const purchases = new Map(
    (await findPurchases(db, scope, ids)).map((p) => [p.transaction.transactionId, p]),
  );
  const tenders = Map.groupBy(await listTenderRows(db, scope, saleIds), (row) => row.sale_id);
  const refunds = await findGivenBack(db, scope, saleIds);
  const goneBack = await listGoneBack(db, scope, saleIds);
  const prints = await countReceiptPrints(db, scope, saleIds);
  const staffIds = rows.flatMap(({ staff_id, approved_by }) =>
    approved_by === null ? [staff_id] : [staff_id, approved_by],
  );
  const names = await staffNames(db, scope.accountId, staffIds);
  const { brands } = await deps.catalog.getSnapshot(scope);

  function viewLines(row: SaleRow): SaleLine[] {
    return (lines.get(row.sale_id) ?? []).flatMap((line) => {
      const purchase = purchases.get(line.transaction_id);
      if (!purchase) return [];
      const { language, now } = deps;
      return viewLine(line, purchase, {
        brand: brands.get(purchase.offer.brand),
        refund: refunds.get(line.transaction_id),
        numberCheck: line.checked_by ?? undefined,
        language,
        detailsUntil: deps.sight.detailsUntil(row, purchase),
        showsRecipient: deps.sight.showsRecipients(row),
        now,
      });
    });
  }
  const isKept = (line: SaleLineRow) => !refunds.has(line.transaction_id);
  const personOf = (staffId: string) => ({ staffId, name: names.get(staffId) ?? "" });

  return rows.map((row) => {
    const viewed = viewLines(row);
    const paidWith = (tenders.get(row.sale_id) ?? []).map(toTender);
    const { refundDue, refunded: wentBack } = sumRefunds(row, viewed, paidWith);
    const gone = goneBack.get(row.sale_id) ?? [];
    return {
      saleId: row.sale_id,
      saleNumber: row.sale_number,
      environment: row.environment,
      training: row.training === 1,
      createdAt: toTimestamp(row.created_at),
      staff: personOf(row.staff_id),
      ...(row.approved_by !== null && { approvedBy: personOf(row.approved_by) }),
      ...(row.shift_id !== null && { shiftId: row.shift_id }),
      currency: row.currency,
      currencyDivisor: row.currency_divisor,
      total: row.total,
      discount: row.discount,
      taxes: sumTaxes((lines.get(row.sale_id) ?? []).filter(isKept)),
      cashRounding: row.cash_rounding,
      tenders: paidWith,
      change: changeOf(paidWith),
      refundDue,
      refundTenders: splitAsItCame(refundDue, { paid: paidWith, gone }),
      refunded: wentBack,
      receiptsPrinted: prints.get(row.sale_id) ?? 0,
      lines: viewed,
    };
  });
}

function sumPaid(lines: readonly SaleLine[]): number {
  return lines.reduce((sum, { price, discount }) => sum + price - discount, 0);
}

function sumRefunds(
  { cash_rounding: cashRounding, cash_step: cashStep }: SaleRow,
  lines: readonly SaleLine[],
  paid: readonly Tender[],
): Pick<Sale, "refundDue" | "refunded"> {
  const failed = lines.filter(({ outcome }) => outcome === "NOT_DELIVERED");
  const back = sumPaid(failed.filter(({ refunded }) => refunded));
  const due = sumPaid(failed.filter(({ refunded }) => !refunded));
  const sale = { cashRounding, cashStep, paid };
  return {
    refundDue: due + roundingBack(sale, back, due),
    refunded: back + roundingBack(sale, 0, back),
  };
}

function toTender({ amount, tendered, reference, ...row }: SaleTenderRow): Tender {
  return {
    ...namedTender(row),
    amount,
    ...(tendered !== null && { tendered }),
    ...(reference !== null && { reference }),
  };
}

/** Sums taxes by rate, lowest first (rules#receipt-tax). */
function sumTaxes(
  lines: readonly Pick<SaleLineRow, "tax" | "tax_kind" | "tax_percent">[],
): SaleTax[] {
  const onPrice = lines.filter(({ tax, tax_kind }) => tax_kind === "ON_PRICE" && tax > 0);
  const byRate = Map.groupBy(onPrice, ({ tax_percent }) => tax_percent);
  return [...byRate]
    .map(([percent, of]) => ({ percent, amount: of.reduce((sum, { tax }) => sum + tax, 0) }))
    .toSorted((a, b) => Number(a.percent) - Number(b.percent));
}

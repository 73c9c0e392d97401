import type { Outcome } from "../../contract/pos/outcome.ts";
import type { Sale, SaleLine } from "../../contract/pos/sales.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import { SECOND, toTimestamp } from "../../lib/clock.ts";
import { type CatalogService, sendUnitOf } from "../catalog/index.ts";
import { formatPhoneNumber } from "../phone-lookup/index.ts";
import { findPurchases, type StoredPurchase, windowEnd } from "../purchases/index.ts";
import {
  countPrints,
  listLineRows,
  type SaleLineRow,
  type SaleRow,
  staffNames,
} from "./sale-store.ts";

/** A purchase that has not been answered this long after acceptance is called slow. */
const SLOW_AFTER_MS = 30 * SECOND;

interface Parts {
  catalog: CatalogService;
  now: number;
}

/** Sales as the till shows them, in the order of `rows`. */
export async function viewSales(
  db: Db | Tx,
  scope: Scope,
  rows: SaleRow[],
  parts: Parts,
): Promise<Sale[]> {
  const saleIds = rows.map((row) => row.sale_id);
  const lines = await listLineRows(db, scope, saleIds);
  const purchases = await findPurchases(
    db,
    scope,
    lines.map((line) => line.transaction_id),
  );
  const byTransaction = new Map(purchases.map((p) => [p.transaction.transactionId, p]));
  const prints = await countPrints(db, scope, saleIds);
  const staffIds = rows.map((row) => row.staff_id);
  const names = await staffNames(db, scope.accountId, staffIds);
  const { brands } = await parts.catalog.getSnapshot(scope);

  function viewLines(row: SaleRow): SaleLine[] {
    return lines.flatMap((line) => {
      const purchase = line.sale_id === row.sale_id && byTransaction.get(line.transaction_id);
      if (!purchase) return [];
      const brandColor = brands.get(purchase.offer.brand)?.brandColor ?? "";
      return viewLine(line, purchase, brandColor, parts.now);
    });
  }

  return rows.map((row) => {
    const viewed = viewLines(row);
    return {
      saleId: row.sale_id,
      saleNumber: row.sale_number,
      environment: row.environment,
      createdAt: toTimestamp(row.created_at),
      staff: { staffId: row.staff_id, name: names.get(row.staff_id) ?? "" },
      currency: row.currency,
      currencyDivisor: row.currency_divisor,
      total: row.total,
      tender: { kind: row.tender_kind, tendered: row.tendered, change: row.change_given },
      giveBack: viewed
        .filter((line) => line.outcome === "NOT_DELIVERED")
        .reduce((sum, line) => sum + line.price, 0),
      receiptsPrinted: prints.get(row.sale_id) ?? 0,
      lines: viewed,
    };
  });
}

function viewLine(
  line: SaleLineRow,
  purchase: StoredPurchase,
  brandColor: string,
  now: number,
): SaleLine {
  const { transaction, offer, quote, value, fulfilment } = purchase;
  const sendUnit = sendUnitOf(offer);
  const slowAfter = slowAfterOf(purchase);
  const { nextAttemptAt } = purchase;
  return {
    position: line.position,
    transactionId: line.transaction_id,
    offerId: offer.offerId,
    brand: offer.brand,
    brandName: offer.brandName,
    brandColor,
    country: offer.country,
    title: offer.shortNotes,
    recipientPhoneNumber: line.recipient,
    recipientFormatted: formatPhoneNumber(line.recipient),
    ...(value && { value }),
    price: quote.priceBase + quote.priceFee,
    send: quote.send,
    sendCurrency: sendUnit.currency,
    sendCurrencyDivisor: sendUnit.currencyDivisor,
    status: transaction.status,
    outcome: outcomeOf(purchase, now),
    slowAfter: toTimestamp(slowAfter),
    keepTryingUntil: toTimestamp(windowEnd(purchase)),
    ...(nextAttemptAt !== undefined && { nextAttemptAt: toTimestamp(nextAttemptAt) }),
    ...(transaction.finishedAt !== undefined && {
      finishedAt: toTimestamp(transaction.finishedAt),
    }),
    ...(fulfilment && { confirmationNumber: fulfilment.confirmation.confirmationNumber }),
    ...(transaction.error && {
      failure: {
        code: transaction.error.code,
        message: transaction.error.message,
        ...transaction.errorFigures,
        currency: transaction.currency,
        currencyDivisor: transaction.currencyDivisor,
      },
    }),
  };
}

function slowAfterOf({ transaction }: StoredPurchase): number {
  return transaction.createdAt + SLOW_AFTER_MS;
}

/** The three outcomes of product lesson 5, and SENDING while nothing unusual has happened. */
export function outcomeOf(purchase: StoredPurchase, now: number): Outcome {
  switch (purchase.transaction.status) {
    case "DONE":
      return "DELIVERED";
    case "FAILED":
      return "NOT_DELIVERED";
    case "PENDING":
      return "STILL_SENDING";
    default: {
      const retried = purchase.attempts > 1 || purchase.attemptState === "FAILED";
      return retried || now >= slowAfterOf(purchase) ? "STILL_SENDING" : "SENDING";
    }
  }
}

import { sql } from "kysely";
import { Fulfilment } from "../../contract/v1/fulfilment.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import { inSameScope, inScope } from "../../db/scope-filters.ts";
import { readColumn } from "../../db/stored-json.ts";
import type { Period } from "./report-period.ts";

/** Rows that are in memory at a time, and that one query may block others for. */
export const PAGE_ROWS = 500;

/** A transaction that is DONE or FAILED, and its purchase where it is one. */
export type FinishedTransaction = Awaited<ReturnType<typeof listPage>>[number];

/**
 * The transactions of a scope that finished within a period, by finish time, then by id, without
 * training. Read in
 * pages by key, so that neither memory nor the time of one query grows with the period. A finished
 * transaction never changes, so the pages fit together whatever finishes meanwhile.
 */
export async function* listFinished(
  db: Db,
  scope: Scope,
  period: Period,
): AsyncGenerator<FinishedTransaction> {
  // Every id comes after the empty one.
  let after = { finishedAt: period.startGte, transactionId: "" };
  for (;;) {
    const page = await listPage(db, scope, period, after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_ROWS) return;
    after = last;
  }
}

async function listPage(
  db: Db,
  scope: Scope,
  period: Period,
  after: { finishedAt: number; transactionId: string },
) {
  const rows = await db
    .selectFrom("transactions as t")
    .leftJoin("purchases as p", inSameScope("p", "t", "transaction_id"))
    .select([
      "t.transaction_id as transactionId",
      "t.product_type as productType",
      "t.type",
      "t.status",
      "t.amount",
      "t.currency",
      "t.currency_divisor as currencyDivisor",
      "t.created_at as createdAt",
      "t.error_code as errorCode",
      "t.error_message as errorMessage",
      "p.offer_id as offerId",
      "p.brand",
      "p.country",
      "p.recipient",
      "p.price_base as priceBase",
      "p.price_fee as priceFee",
      "p.price_currency as priceCurrency",
      "p.price_currency_divisor as priceCurrencyDivisor",
      "p.send",
      "p.send_currency as sendCurrency",
      "p.send_currency_divisor as sendCurrencyDivisor",
      "p.fulfilment_json as fulfilmentJson",
    ])
    .select((eb) => eb.ref("t.finished_at").$notNull().as("finishedAt"))
    .where(inScope(scope, "t"))
    .where("t.training", "=", 0)
    .where(
      sql<boolean>`(t.finished_at, t.transaction_id) > (${after.finishedAt}, ${after.transactionId})`,
    )
    .where("t.finished_at", "<", period.endLt)
    .orderBy("t.finished_at")
    .orderBy("t.transaction_id")
    .limit(PAGE_ROWS)
    .execute();
  return rows.map(({ fulfilmentJson, ...row }) => ({
    ...row,
    externalReferenceId:
      fulfilmentJson === null ? "" : referenceIn(row.transactionId, fulfilmentJson),
  }));
}

function referenceIn(transactionId: string, fulfilmentJson: string): string {
  const { esim, confirmation } = readColumn(Fulfilment, fulfilmentJson, {
    table: "purchases",
    column: "fulfilment_json",
    row: transactionId,
  });
  return (esim ?? confirmation).externalReferenceId;
}

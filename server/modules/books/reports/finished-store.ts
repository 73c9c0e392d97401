import type { InferResult } from "kysely";
import { Fulfilment } from "../../../contract/v1/fulfilment.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { Period } from "./report-period.ts";

/** Maximum number of rows in memory at a time. */
export const ROWS_AT_ONCE = 256;

export interface FinishedTransaction extends Omit<FinishedRow, "fulfilmentJson"> {
  externalReferenceId: string;
}
type FinishedRow = InferResult<ReturnType<typeof selectFinished>>[number];

/**
 * Yields groups of the transactions that finished within a period, by finish time, then by id.
 * Omits training sales. A single statement reads all rows in index order, so memory and delays do
 * not grow with the period. The statement occupies its connection until the last row.
 */
export async function* listFinished(
  db: Db,
  scope: Scope,
  period: Period,
): AsyncGenerator<FinishedTransaction[]> {
  const query = selectFinished(db, scope, period).compile();
  for await (const { rows } of db.getExecutor().stream(query, ROWS_AT_ONCE)) {
    yield rows.map(withReference);
  }
}

function selectFinished(db: Db, scope: Scope, period: Period) {
  return db
    .selectFrom("transactions as t")
    .leftJoin("purchases as p", inSameScope("p", "t", "transaction_id"))
    .leftJoin("refunds as r", inSameScope("r", "t", "transaction_id"))
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
      "r.refunded_transaction_id as refundedTransactionId",
    ])
    .select((eb) => eb.ref("t.finished_at").$notNull().as("finishedAt"))
    .where(inScope(scope, "t"))
    .where("t.training", "=", 0)
    .where("t.finished_at", ">=", period.startGte)
    .where("t.finished_at", "<", period.endLt)
    .orderBy("t.finished_at")
    .orderBy("t.transaction_id");
}

function withReference({ fulfilmentJson, ...row }: FinishedRow): FinishedTransaction {
  const externalReferenceId =
    fulfilmentJson === null ? "" : referenceIn(row.transactionId, fulfilmentJson);
  return { ...row, externalReferenceId };
}

function referenceIn(transactionId: string, fulfilmentJson: string): string {
  const { esim, confirmation } = readColumn(Fulfilment, fulfilmentJson, {
    table: "purchases",
    column: "fulfilment_json",
    row: transactionId,
  });
  return (esim ?? confirmation).externalReferenceId;
}

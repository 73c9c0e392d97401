import type { InferResult } from "kysely";
import { FAMILIES, FAMILY_FACTS } from "../../../contract/pos/families.ts";
import { Fulfilment } from "../../../contract/v1/fulfilment.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { readColumn } from "../../../db/stored-json.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { ReportFiles } from "./report-files.ts";
import type { Period } from "./report-store.ts";

type Cell = string | number | null;

/**
 * The columns, in order (rules#report-file). A cell is blank if the column does not apply: a
 * recharge has no offer. `cost` is the amount moved in the wallet, whose direction depends on
 * `type`.
 */
const CELLS: Record<string, (row: FinishedTransaction) => Cell> = {
  transactionId: (row) => row.transactionId,
  productType: (row) => row.productType,
  type: (row) => row.type,
  status: (row) => row.status,
  offerId: (row) => row.offerId,
  brand: (row) => row.brand,
  country: (row) => row.country,
  recipient: (row) => row.recipient,
  cost: (row) => row.amount,
  costCurrency: (row) => row.currency,
  costCurrencyDivisor: (row) => row.currencyDivisor,
  price: (row) => (row.priceBase === null ? null : row.priceBase + (row.priceFee ?? 0)),
  priceCurrency: (row) => row.priceCurrency,
  priceCurrencyDivisor: (row) => row.priceCurrencyDivisor,
  send: (row) => ofSend(row, row.send),
  sendCurrency: (row) => ofSend(row, row.sendCurrency),
  sendCurrencyDivisor: (row) => ofSend(row, row.sendCurrencyDivisor),
  createdAt: (row) => toTimestamp(row.createdAt),
  finishedAt: (row) => toTimestamp(row.finishedAt),
  errorCode: (row) => row.errorCode,
  errorMessage: (row) => row.errorMessage,
  externalReferenceId: (row) => row.externalReferenceId,
  refundedTransactionId: (row) => row.refundedTransactionId,
};

/** Families that deliver no money have no `send` (rules#offer-records). */
const WITHOUT_SEND: readonly string[] = FAMILIES.filter(
  (family) => !FAMILY_FACTS[family].deliversMoney,
);

function ofSend(row: FinishedTransaction, cell: Cell): Cell {
  return WITHOUT_SEND.includes(row.productType) ? null : cell;
}

const CELLS_IN_ORDER = Object.values(CELLS);

const LINE_END = "\r\n";

export const CSV_HEADER = toCsvLine(Object.keys(CELLS));

function toReportLine(row: FinishedTransaction): string {
  return toCsvLine(CELLS_IN_ORDER.map((cellOf) => toSafeCell(cellOf(row))));
}

export function toCsvLine(cells: readonly string[]): string {
  return cells.map((cell) => (/[",\r\n]/.test(cell) ? quote(cell) : cell)).join(",") + LINE_END;
}

function quote(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

function toSafeCell(cell: Cell): string {
  return cell === null ? "" : toHarmlessCell(String(cell));
}

/** Matches the few cells that need a closer check. */
const MAY_BE_FORMULA = /^[\s=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|;/;
/**
 * Matches a sign that starts a formula, also full-width, after whitespace that spreadsheets ignore.
 */
const FORMULA = /^(?:[\t\r]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/;
const NUMBER = /^[+-]\d+$/;
/**
 * Matches a semicolon before a formula. Where semicolons separate fields (much of Europe and South
 * America), the text after a semicolon is a cell.
 */
const INNER_FORMULA = /;(?=[\s"']*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/**
 * Adds an apostrophe before text that a spreadsheet could interpret as a formula, also after a
 * semicolon (rules#report-no-formulas). A sign followed only by digits is a number or a phone
 * number, and stays unchanged.
 */
export function toHarmlessCell(text: string): string {
  if (!MAY_BE_FORMULA.test(text)) return text;
  const inner = text.replaceAll(INNER_FORMULA, ";'");
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${inner}` : inner;
}

/** Maximum number of rows in memory at a time. */
export const ROWS_AT_ONCE = 256;

interface FinishedTransaction extends Omit<FinishedRow, "fulfilmentJson"> {
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

export interface ReportOrder {
  dataDir: string;
  fileName: string;
  scope: Scope;
  period: Period;
}

/**
 * Writes a report in groups of rows, on a separate connection.
 * @param isOver called between groups; cancels the file if it returns true
 * @returns the number of transactions
 * @throws if the file was cancelled or could not be written; no file remains
 */
export async function writeReport(
  db: Db,
  { dataDir, fileName, scope, period }: ReportOrder,
  isOver = () => false,
): Promise<number> {
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    yield CSV_HEADER;
    for await (const rows of listFinished(db, scope, period)) {
      if (isOver()) throw new Error("the report was stopped");
      count += rows.length;
      yield rows.map(toReportLine).join("");
    }
  }
  await new ReportFiles(dataDir).write(fileName, lines());
  return count;
}

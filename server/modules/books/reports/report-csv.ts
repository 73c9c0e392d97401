import { FAMILIES, FAMILY_FACTS } from "../../../contract/pos/families.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import type { FinishedTransaction } from "./finished-store.ts";

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

export function toReportLine(row: FinishedTransaction): string {
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

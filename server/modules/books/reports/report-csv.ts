import { FAMILIES, FAMILY_FACTS } from "../../../contract/pos/families.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import type { FinishedTransaction } from "./finished-store.ts";

type Cell = string | number | null;

/**
 * The columns, in order (rules#report-file). A cell is blank where the column does not apply to the
 * transaction: a recharge has no offer, an eSIM delivers no amount. `cost` is the amount that the
 * transaction moved in the wallet, for every kind; `type` says in which direction.
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
};

/** Records of a family that delivers no money have no `send` (rules#offer-records). */
const WITHOUT_SEND: readonly string[] = FAMILIES.filter(
  (family) => !FAMILY_FACTS[family].deliversMoney,
);

function ofSend(row: FinishedTransaction, cell: Cell): Cell {
  return WITHOUT_SEND.includes(row.productType) ? null : cell;
}

const CELLS_IN_ORDER = Object.values(CELLS);

/** Ends a line of RFC 4180. */
const LINE_END = "\r\n";

/** The names of the columns: the first line. */
export const CSV_HEADER = toCsvLine(Object.keys(CELLS));

/** Returns a transaction as a line of the file. */
export function toReportLine(row: FinishedTransaction): string {
  return toCsvLine(CELLS_IN_ORDER.map((cellOf) => toSafeCell(cellOf(row))));
}

/** Joins cells to a line of RFC 4180. */
export function toCsvLine(cells: readonly string[]): string {
  return cells.map((cell) => (/[",\r\n]/.test(cell) ? quote(cell) : cell)).join(",") + LINE_END;
}

function quote(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

function toSafeCell(cell: Cell): string {
  return cell === null ? "" : toHarmlessCell(String(cell));
}

/** Matches cells that need a closer check; most cells do not match. */
const MAY_BE_FORMULA = /^[\s=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|;/;
/** A sign that starts a formula, also in full width, after blanks that spreadsheets ignore. */
const FORMULA = /^(?:[\t\r]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/;
const NUMBER = /^[+-]\d+$/;
/**
 * In regions where a semicolon separates fields, as in much of Europe and South America, the text
 * after it is a cell.
 */
const INNER_FORMULA = /;(?=[\s"']*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/**
 * Returns text that no spreadsheet takes for a formula (rules#report-no-formulas). Text that could be one
 * gets an apostrophe in front, and so does a cell of its own after a semicolon. A sign before digits alone is
 * a number or a phone number and stays unchanged.
 */
export function toHarmlessCell(text: string): string {
  if (!MAY_BE_FORMULA.test(text)) return text;
  const inner = text.replaceAll(INNER_FORMULA, ";'");
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${inner}` : inner;
}

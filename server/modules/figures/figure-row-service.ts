import type {
  FigureLine,
  FigureLines,
  FigureLinesFile,
  FigureMovement,
  FigureMovements,
  FigureOwed,
} from "../../contract/pos/figure-rows.ts";
import { Problem } from "../../contract/problem.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import { toTimestamp } from "../../lib/clock.ts";
import { toMajor, type Unit } from "../../lib/money.ts";
import { type Column, formatCsv } from "./figure-csv.ts";
import { readPeriod } from "./figure-period.ts";
import type { FigureReader } from "./figure-reader.ts";
import {
  type LineRow,
  listLineRows,
  listMovementRows,
  listOwedRows,
  type MovementRow,
  type Page,
  type Part,
  type Place,
} from "./figure-rows-store.ts";
import type { Days } from "./figure-service.ts";

interface Deps {
  db: Db;
  reader: FigureReader;
}

/** A page as it is asked for. */
interface Paging {
  before?: string | undefined;
  limit: number;
}

/** So many rows of a file are read at once. */
const ROWS_AT_ONCE = 500;

/** The rows that figures are added up from. */
export class FigureRowService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws Problem NOT_SET_UP, INVALID_REQUEST naming the field */
  async listLines(reader: Scope, query: FigureLinesFile & Paging): Promise<FigureLines> {
    const { scope, shop } = await this.#deps.reader.ask(reader);
    const page = { span: readPeriod(query, shop.timeZone), ...readPaging(query) };
    const rows = await listLineRows(this.#deps.db, scope, page, partOf(query));
    return { list: rows.map(viewLine), ...nextOf(rows, page.limit) };
  }

  /** @throws Problem NOT_SET_UP, INVALID_REQUEST naming the field */
  async listMovements(reader: Scope, query: Days & Paging): Promise<FigureMovements> {
    const { scope, shop } = await this.#deps.reader.ask(reader);
    const page = { span: readPeriod(query, shop.timeZone), ...readPaging(query) };
    const rows = await listMovementRows(this.#deps.db, scope, page);
    return { list: rows.map(viewMovement), ...nextOf(rows, page.limit) };
  }

  /** @throws Problem NOT_SET_UP, INVALID_REQUEST naming the field */
  async listOwed(reader: Scope, query: Paging): Promise<FigureOwed> {
    const { scope } = await this.#deps.reader.ask(reader);
    const page = readPaging(query);
    const rows = await listOwedRows(this.#deps.db, scope, page);
    const list = rows.map((row) => ({
      failedAt: toTimestamp(row.at),
      saleId: row.sale_id,
      saleNumber: row.sale_number,
      transactionId: row.id,
      clerk: row.clerk,
      amount: row.amount,
    }));
    return { list, ...nextOf(rows, page.limit) };
  }

  /**
   * Every line as CSV, a page of rows at a time (rules#figure-csv).
   * @throws Problem NOT_SET_UP, INVALID_REQUEST naming the field, before anything is read
   */
  async exportLines(reader: Scope, query: FigureLinesFile): Promise<AsyncGenerator<string>> {
    const { scope, shop } = await this.#deps.reader.ask(reader);
    const span = readPeriod(query, shop.timeZone);
    const part = partOf(query);
    return formatCsv(
      readAll((page) => listLineRows(this.#deps.db, scope, page, part), span, viewLine),
      lineColumns(shop),
    );
  }

  /** Every tender as CSV, in the same way. */
  async exportMovements(reader: Scope, query: Days): Promise<AsyncGenerator<string>> {
    const { scope, shop } = await this.#deps.reader.ask(reader);
    const span = readPeriod(query, shop.timeZone);
    return formatCsv(
      readAll((page) => listMovementRows(this.#deps.db, scope, page), span, viewMovement),
      movementColumns(shop),
    );
  }
}

async function* readAll<Row extends Place, Viewed>(
  read: (page: Page) => Promise<Row[]>,
  span: Page["span"],
  view: (row: Row) => Viewed,
): AsyncGenerator<Viewed[]> {
  let after: Place | undefined;
  for (;;) {
    const rows = await read({ span, after, limit: ROWS_AT_ONCE });
    yield rows.map(view);
    after = rows.at(-1);
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

/** @throws Problem INVALID_REQUEST */
function partOf({ by, value }: FigureLinesFile): Part | undefined {
  if (by === undefined && value === undefined) return undefined;
  if (by !== undefined && value !== undefined) return { by, value };
  const field = by === undefined ? "by" : "value";
  throw new Problem("INVALID_REQUEST", `${field} is required.`, { [field]: "is required" });
}

/** @throws Problem INVALID_REQUEST */
function readPaging({ before, limit }: Paging): Omit<Page, "span"> {
  if (before === undefined) return { after: undefined, limit };
  const { at, kind, id } =
    /^(?<at>\d{1,15})-(?<kind>[A-Z_]+)-(?<id>.+)$/.exec(before)?.groups ?? {};
  if (at === undefined || kind === undefined || id === undefined) {
    throw new Problem("INVALID_REQUEST", "before is not the next of a page.", {
      before: "must be `next` of the page before",
    });
  }
  return { after: { at: Number(at), kind, id }, limit };
}

function nextOf(rows: readonly Place[], limit: number): { next?: string } {
  const last = rows.at(-1);
  return last && rows.length === limit ? { next: `${last.at}-${last.kind}-${last.id}` } : {};
}

function viewLine(row: LineRow): FigureLine {
  const isBack = row.kind === "HANDED_BACK";
  const signed = (amount: number) => (isBack && amount !== 0 ? -amount : amount);
  const sold = row.price - row.discount;
  return {
    at: toTimestamp(row.at),
    kind: isBack ? "HANDED_BACK" : "SOLD",
    saleId: row.sale_id,
    saleNumber: row.sale_number,
    transactionId: row.id,
    family: row.family,
    offerId: row.offer_id,
    brand: row.brand,
    brandName: row.brand_name,
    country: row.country,
    clerk: row.clerk,
    price: signed(row.price),
    discount: signed(row.discount),
    sold: signed(sold),
    tax: signed(row.tax),
    cost: signed(row.cost),
    earned: signed(sold - row.tax - row.cost),
    rate: row.rate,
  };
}

function viewMovement(row: MovementRow): FigureMovement {
  return {
    at: toTimestamp(row.at),
    kind: row.kind === "HANDED_BACK" ? "HANDED_BACK" : "TAKEN",
    saleId: row.sale_id,
    saleNumber: row.sale_number,
    tender: row.tender,
    clerk: row.clerk,
    amount: row.amount,
    reference: row.reference,
  };
}

function lineColumns(unit: Unit): Column<FigureLine>[] {
  const amount = amountIn(unit);
  return [
    ["at", (line) => line.at],
    ["kind", (line) => line.kind],
    ["saleNumber", (line) => String(line.saleNumber)],
    ["saleId", (line) => line.saleId],
    ["transactionId", (line) => line.transactionId],
    ["family", (line) => line.family],
    ["offerId", (line) => line.offerId],
    ["brand", (line) => line.brandName],
    ["country", (line) => line.country],
    ["clerk", (line) => line.clerk],
    ["price", (line) => amount(line.price)],
    ["discount", (line) => amount(line.discount)],
    ["sold", (line) => amount(line.sold)],
    ["tax", (line) => amount(line.tax)],
    ["cost", (line) => amount(line.cost)],
    ["earned", (line) => amount(line.earned)],
    ["currency", () => unit.currency],
    ["rate", (line) => line.rate],
  ];
}

function movementColumns(unit: Unit): Column<FigureMovement>[] {
  const amount = amountIn(unit);
  return [
    ["at", (row) => row.at],
    ["kind", (row) => row.kind],
    ["saleNumber", (row) => String(row.saleNumber)],
    ["saleId", (row) => row.saleId],
    ["tender", (row) => row.tender],
    ["clerk", (row) => row.clerk],
    ["amount", (row) => amount(row.amount)],
    ["currency", () => unit.currency],
    ["reference", (row) => row.reference],
  ];
}

/** With a dot and as many decimals as the currency has. */
function amountIn({ currencyDivisor }: Unit): (minor: number) => string {
  return (minor) => toMajor(minor, currencyDivisor).toFixed(Math.log10(currencyDivisor));
}

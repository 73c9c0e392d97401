import type { Actor } from "../../../contract/pos/actor.ts";
import type { FigureLine, FigureLinesFile, FigureMovement } from "../../../contract/pos/figures.ts";
import type { Language } from "../../../contract/pos/setup.ts";
import { type DayClock, dateOf } from "../../../contract/pos/shop-day.ts";
import { tenderName } from "../../../contract/pos/tender-words.ts";
import type { Scope } from "../../../db/changes.ts";
import { pause } from "../../../lib/clock.ts";
import { majorText, type Unit } from "../../../lib/money.ts";
import { type AuditDetail, recordAudit } from "../../books/audit-trail/index.ts";
import { toHarmlessCell } from "../../books/reports/index.ts";
import type { Base } from "../../module.ts";
import type { Part } from "./figure-parts.ts";
import { toDateText } from "./figure-period.ts";
import type { FigureReader } from "./figure-reader.ts";
import { readPart, viewLine, viewMovement } from "./figure-row-service.ts";
import {
  listLineRows,
  listMovementRows,
  type RowPage,
  type RowPosition,
} from "./figure-rows-store.ts";
import { type Days, isNamed, readPartNames } from "./figure-service.ts";

export type Column<Row> = readonly [name: string, cellOf: (row: Row) => string];

interface CsvDialect {
  separator: "," | ";";
  decimalMark: "." | ",";
}

const PROGRAM_CSV: CsvDialect = { separator: ",", decimalMark: "." };
const SPREADSHEET_CSV: CsvDialect = { separator: ";", decimalMark: "," };

/** CSV for spreadsheets with a decimal point, as in Guatemala, Mexico and Peru. */
const SPREADSHEET_DOT_CSV: CsvDialect = { separator: ";", decimalMark: "." };
export const DIALECTS = {
  CSV: PROGRAM_CSV,
  SPREADSHEET: SPREADSHEET_CSV,
  SPREADSHEET_DOT: SPREADSHEET_DOT_CSV,
} as const;

/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";
/** Amounts and rates. Other cells are quoted, so that spreadsheets keep all digits of ids. */
const AMOUNT = /^-?\d+\.\d+$/;

/**
 * Writes CSV by RFC 4180. Texts and ids are quoted, amounts are not, and no cell is a formula
 * (rules#figure-csv).
 * @param pages batches of rows
 */
export async function* formatCsv<Row>(
  pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  columns: readonly Column<Row>[],
  dialect: CsvDialect = PROGRAM_CSV,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + toText([columns.map(([name]) => name)], dialect);
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield toText(
      rows.map((row) => columns.map(([, cellOf]) => cellOf(row))),
      dialect,
    );
    // Reading the next page occupies the main thread, so other work runs first.
    await pause();
  }
}

function toText(rows: readonly string[][], dialect: CsvDialect): string {
  const { separator } = dialect;
  return rows
    .map((cells) => `${cells.map((cell) => toCell(cell, dialect)).join(separator)}\r\n`)
    .join("");
}

function toCell(cell: string, { decimalMark }: CsvDialect): string {
  return AMOUNT.test(cell)
    ? cell.replace(".", decimalMark)
    : `"${toHarmlessCell(cell).replaceAll('"', '""')}"`;
}

interface FigureExportServiceDeps extends Pick<Base, "db" | "transactor"> {
  reader: FigureReader;
}

const ROWS_AT_ONCE = 500;

/** Exports the rows behind figures, and records each export (rules#figure-export-recorded). */
export class FigureExportService {
  readonly #deps: FigureExportServiceDeps;

  constructor(deps: FigureExportServiceDeps) {
    this.#deps = deps;
  }

  /**
   * @throws Problem NOT_SET_UP, INVALID_REQUEST naming the field, before anything is read or
   * recorded
   */
  async exportLines(reader: Actor, query: FigureLinesFile): Promise<AsyncGenerator<string>> {
    const request = await this.#deps.reader.readRequest(reader, query);
    const part = readPart(query);
    const of = part && (await this.#describe(reader, part));
    await this.#record(reader, { rows: "LINES", ...pickDays(query), ...of }, request.now);
    return this.#formatLines(request, part);
  }

  /**
   * Writes lines for a report. Records nothing, because the report's request has its own record.
   */
  async writeLines(
    reader: Scope,
    days: Days,
    dialect: CsvDialect,
  ): Promise<AsyncGenerator<string>> {
    const request = await this.#deps.reader.readRequest(reader, days);
    return this.#formatLines(request, undefined, dialect);
  }

  async writeMovements(
    reader: Scope,
    days: Days,
    dialect?: CsvDialect,
  ): Promise<AsyncGenerator<string>> {
    const { scope, shop, period } = await this.#deps.reader.readRequest(reader, days);
    return formatCsv(
      readAll((page) => listMovementRows(this.#deps.db, scope, page), period, viewMovement),
      movementColumns(shop),
      dialect,
    );
  }

  async exportMovements(reader: Actor, query: Days): Promise<AsyncGenerator<string>> {
    const { now } = await this.#deps.reader.readRequest(reader, query);
    await this.#record(reader, { rows: "MOVEMENTS", ...pickDays(query) }, now);
    return this.writeMovements(reader, query);
  }

  #formatLines(
    { scope, shop, period }: Awaited<ReturnType<FigureReader["readRequest"]>>,
    part: Part | undefined,
    dialect?: CsvDialect,
  ): AsyncGenerator<string> {
    return formatCsv(
      readAll((page) => listLineRows(this.#deps.db, scope, page, part), period, viewLine),
      lineColumns(shop),
      dialect,
    );
  }

  async #describe(reader: Actor, { by, value }: Part): Promise<AuditDetail> {
    if (!isNamed(by)) return { by, value };
    const names = await readPartNames(this.#deps.db, reader, { by, values: [value] });
    return { by, value, valueName: names.get(value) ?? "" };
  }

  /** Records an export before the first row is sent, so that every export is recorded. */
  async #record(reader: Actor, rows: AuditDetail, at: number): Promise<void> {
    const { accountId, staffId, environment } = reader;
    await this.#deps.transactor.transact(accountId, (tx) =>
      recordAudit(tx, {
        accountId,
        staffId,
        action: "figures.export",
        subject: environment,
        detail: { ...rows, environment },
        at,
      }),
    );
  }
}

function pickDays({ firstDay, lastDay }: Days): Days {
  return { firstDay, lastDay };
}

async function* readAll<Row extends RowPosition, Viewed>(
  read: (page: RowPage) => Promise<Row[]>,
  span: RowPage["span"],
  view: (row: Row) => Viewed,
): AsyncGenerator<Viewed[]> {
  let after: RowPosition | undefined;
  for (;;) {
    const rows = await read({ span, after, limit: ROWS_AT_ONCE });
    yield rows.map(view);
    after = rows.at(-1);
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

function lineColumns(unit: Unit & DayClock): Column<FigureLine>[] {
  const amount = (minor: number) => majorText(minor, unit.currencyDivisor);
  return [
    ["at", (line) => line.at],
    ["kind", (line) => line.kind],
    ["saleNumber", ({ saleNumber = "" }) => String(saleNumber)],
    ["saleId", ({ saleId = "" }) => saleId],
    ["transactionId", (line) => line.transactionId],
    ["family", (line) => line.family],
    ["offerId", (line) => line.offerId],
    ["brand", (line) => line.brandName],
    ["country", (line) => line.country],
    ["clerk", (line) => line.clerk],
    ["till", (line) => line.till],
    ["price", (line) => amount(line.price)],
    ["discount", (line) => amount(line.discount)],
    ["sold", (line) => amount(line.sold)],
    ["tax", (line) => amount(line.tax)],
    ["cost", (line) => amount(line.cost)],
    ["earned", (line) => amount(line.earned)],
    ["currency", () => unit.currency],
    ["rate", (line) => line.rate],
    ["day", (line) => toDateText(dateOf(Date.parse(line.at), unit))],
    ["taxKind", (line) => line.taxKind],
    ["taxPercent", (line) => line.taxPercent],
    ["net", (line) => amount(line.sold - line.tax)],
    ["channel", (line) => line.channel],
    ["key", ({ apiKey }) => apiKey?.name ?? ""],
    ["provider", ({ provider = "" }) => provider],
  ];
}

function movementColumns(shop: Unit & { language: Language }): Column<FigureMovement>[] {
  const amount = (minor: number) => majorText(minor, shop.currencyDivisor);
  return [
    ["at", (row) => row.at],
    ["kind", (row) => row.kind],
    ["saleNumber", (row) => String(row.saleNumber)],
    ["saleId", (row) => row.saleId],
    ["tender", (row) => row.tender],
    ["clerk", (row) => row.clerk],
    ["amount", (row) => amount(row.amount)],
    ["currency", () => shop.currency],
    ["reference", (row) => row.reference],
    ["tenderName", ({ tender, name }) => tenderName({ kind: tender, name }, shop.language)],
  ];
}

import { FAMILIES } from "../../contract/pos/families.ts";
import type { FigureSeries } from "../../contract/pos/figures.ts";
import type { ReportFormat, ReportKind } from "../../contract/pos/shop-reports.ts";
import { tenderName } from "../../contract/pos/tender-words.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import { type Clock, DAY, pause, toTimestamp } from "../../lib/clock.ts";
import { majorText, type Unit } from "../../lib/money.ts";
import {
  type Column,
  type Days,
  DIALECTS,
  type FigureExportService,
  type FigureService,
  formatCsv,
  type MoneyService,
} from "../figures/index.ts";
import type { ShopService } from "../shop/index.ts";
import { readAccounting } from "./accounting-store.ts";
import { type Books, formatPostings, formatQuickBooks, formatXero } from "./books-formats.ts";
import { formatDatev } from "./datev-format.ts";
import type { DayOfBooks } from "./journal.ts";

export interface ContentDeps {
  db: Db;
  clock: Clock;
  figures: FigureService;
  figureExports: FigureExportService;
  figureMoney: MoneyService;
  shop: Pick<ShopService, "get">;
}

type TextFormat = Exclude<ReportFormat, "PDF">;

/** What a report is to hold. */
export interface ReportOrder extends Scope, Days {
  /** What is no document. */
  kind: Exclude<ReportKind, "DAY">;
  format: TextFormat;
}

/**
 * The text of a report, made as it is read: from the same functions as every page of figures.
 * @throws ReportRefused where it cannot be made as it was asked for
 */
export async function* writeContent(deps: ContentDeps, order: ReportOrder): AsyncGenerator<string> {
  const { kind, format } = order;
  const dialect = DIALECTS[isSpreadsheet(format) ? format : "CSV"];
  if (kind === "SOLD") yield* await deps.figureExports.writeLines(order, daysOf(order), dialect);
  else if (kind === "TAKEN") {
    yield* await deps.figureExports.writeMovements(order, daysOf(order), dialect);
  } else if (kind === "DAYS") {
    const series = await deps.figures.listPeriods(order, { ...daysOf(order), by: "DAY" });
    yield* formatCsv([series.list], dayColumns(series), dialect);
  } else {
    yield* formatBooks(await readBooks(deps, order), format, toTimestamp(deps.clock.now()));
  }
}

function isSpreadsheet(format: TextFormat): format is "SPREADSHEET" | "SPREADSHEET_DOT" {
  return format === "SPREADSHEET" || format === "SPREADSHEET_DOT";
}

function formatBooks(books: Books, format: TextFormat, madeAt: string): AsyncGenerator<string> {
  switch (format) {
    case "QUICKBOOKS":
      return formatQuickBooks(books);
    case "XERO":
      return formatXero(books);
    case "DATEV":
      return formatDatev(books, madeAt);
    default:
      return formatPostings(books, format);
  }
}

/** Day by day, and everybody else has a turn in between. */
async function readBooks(deps: ContentDeps, order: ReportOrder): Promise<Books> {
  const settings = await readAccounting(deps.db, order.accountId);
  const { language } = await deps.shop.get(order.accountId);
  const days: DayOfBooks[] = [];
  let unit: Unit = { currency: "", currencyDivisor: 1 };
  for (const day of listDays(order)) {
    const one = { firstDay: day, lastDay: day };
    const money = await deps.figureMoney.view(order, one);
    const taxes = await deps.figureMoney.listTaxes(order, one);
    const cash = await deps.figureMoney.readCashFlow(order, one);
    const parts = await deps.figures.listParts(order, { ...one, by: "FAMILY" });
    await pause();
    const { byTender, figures } = money;
    unit = money;
    days.push({
      day,
      families: FAMILIES.flatMap((family) => {
        const part = parts.list.find(({ value }) => value === family)?.figures;
        return part ? [{ family, sold: part.sold, tax: part.tax, cost: part.cost }] : [];
      }),
      taken: byTender.map(({ kind, tenderId, name, taken, refunded }) => ({
        kind,
        tenderId,
        name: tenderName({ kind, name }, language),
        isNamed: name !== undefined,
        amount: taken - refunded,
      })),
      cashRounding: figures.cashRounding,
      owed: figures.owed,
      refundsDue: figures.refundsDue,
      taxes,
      cash,
    });
  }
  return { settings, unit, days };
}

/** Every day from the first to the last. */
export function listDays({ firstDay, lastDay }: Days): string[] {
  const first = Date.parse(`${firstDay}T00:00:00Z`);
  const count = (Date.parse(`${lastDay}T00:00:00Z`) - first) / DAY + 1;
  return Array.from({ length: count }, (_, index) =>
    new Date(first + index * DAY).toISOString().slice(0, 10),
  );
}

function daysOf({ firstDay, lastDay }: Days): Days {
  return { firstDay, lastDay };
}

type DayRow = FigureSeries["list"][number];

function dayColumns({ currency, currencyDivisor }: FigureSeries): Column<DayRow>[] {
  const amount = (minor: number) => majorText(minor, currencyDivisor);
  const names = ["sold", "tax", "cost", "earned", "discount"] as const;
  const moneyNames = ["refundsDue", "refunded", "cashRounding", "taken", "owed"] as const;
  return [
    ["day", ({ period }) => period.firstDay],
    ["sales", ({ figures }) => String(figures.sales)],
    ["lines", ({ figures }) => String(figures.lines)],
    ...[...names, ...moneyNames].map(
      (name): Column<DayRow> => [name, ({ figures }) => amount(figures[name])],
    ),
    ["currency", () => currency],
  ];
}

import { FAMILIES, perFamily } from "../../../contract/pos/families.ts";
import type { FigureSeries } from "../../../contract/pos/figures.ts";
import {
  AccountingSettings,
  type ReportFormat,
  type ReportKind,
} from "../../../contract/pos/shop-reports.ts";
import { tenderName } from "../../../contract/pos/tender-words.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { accountSetting, readSetting, writeSetting } from "../../../db/settings.ts";
import { DAY, pause, toTimestamp } from "../../../lib/clock.ts";
import { majorText, type Unit } from "../../../lib/money.ts";
import type { Base } from "../../module.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import {
  type Column,
  type Days,
  DIALECTS,
  type FigureExportService,
  type FigureService,
  formatCsv,
  type MoneyService,
} from "../figures/index.ts";
import {
  type Books,
  type DayOfBooks,
  formatPostings,
  formatQuickBooks,
  formatXero,
  getPostingName,
  listEntries,
  ReportRefused,
  requireAccounts,
} from "./books-formats.ts";

/**
 * DATEV posting batch, format version 13. Sources of header, columns and cell formats:
 * https://developer.datev.de/datev/platform/en/dtvf and
 * https://developer.datev.de/datev/platform/de/dtvf/formate/buchungsstapel. The contra account of
 * every posting is the clearing account, whose balance is zero at the end of each day.
 */
const LINE_END = "\r\n";
const BYTE_ORDER_MARK = "\uFEFF";

const COLUMNS: readonly string[] = [
  "Umsatz (ohne Soll/Haben-Kz)",
  "Soll/Haben-Kennzeichen",
  "WKZ Umsatz",
  "Kurs",
  "Basis-Umsatz",
  "WKZ Basis-Umsatz",
  "Konto",
  "Gegenkonto (ohne BU-Schlüssel)",
  "BU-Schlüssel",
  "Belegdatum",
  "Belegfeld 1",
  "Belegfeld 2",
  "Skonto",
  "Buchungstext",
  "Postensperre",
  "Diverse Adressnummer",
  "Geschäftspartnerbank",
  "Sachverhalt",
  "Zinssperre",
  "Beleglink",
  ...pairs((n) => [`Beleginfo - Art ${n}`, `Beleginfo - Inhalt ${n}`], 8),
  "KOST1 - Kostenstelle",
  "KOST2 - Kostenstelle",
  "Kost-Menge",
  "EU-Land u. UStID (Bestimmung)",
  "EU-Steuersatz (Bestimmung)",
  "Abw. Versteuerungsart",
  "Sachverhalt L+L",
  "Funktionsergänzung L+L",
  "BU 49 Hauptfunktionstyp",
  "BU 49 Hauptfunktionsnummer",
  "BU 49 Funktionsergänzung",
  ...pairs((n) => [`Zusatzinformation - Art ${n}`, `Zusatzinformation- Inhalt ${n}`], 20),
  "Stück",
  "Gewicht",
  "Zahlweise",
  "Forderungsart",
  "Veranlagungsjahr",
  "Zugeordnete Fälligkeit",
  "Skontotyp",
  "Auftragsnummer",
  "Buchungstyp",
  "USt-Schlüssel (Anzahlungen)",
  "EU-Land (Anzahlungen)",
  "Sachverhalt L+L (Anzahlungen)",
  "EU-Steuersatz (Anzahlungen)",
  "Erlöskonto (Anzahlungen)",
  "Herkunft-Kz",
  "Buchungs GUID",
  "KOST-Datum",
  "SEPA-Mandatsreferenz",
  "Skontosperre",
  "Gesellschaftername",
  "Beteiligtennummer",
  "Identifikationsnummer",
  "Zeichnernummer",
  "Postensperre bis",
  "Bezeichnung SoBil-Sachverhalt",
  "Kennzeichen SoBil-Buchung",
  "Festschreibung",
  "Leistungsdatum",
  "Datum Zuord. Steuerperiode",
  "Fälligkeit",
  "Generalumkehr (GU)",
  "Steuersatz",
  "Land",
  "Abrechnungsreferenz",
  "BVV-Position",
  "EU-Land u. UStID (Ursprung)",
  "EU-Steuersatz (Ursprung)",
  "Abw. Skontokonto",
];

export interface ContentDeps extends Pick<Base, "db" | "clock"> {
  figures: FigureService;
  figureExports: FigureExportService;
  figureMoney: MoneyService;
  shop: Pick<ShopService, "get">;
}

type TextFormat = Exclude<ReportFormat, "PDF">;

export interface ReportOrder extends Scope, Days {
  /** The kind DAY is excluded, because it is a PDF with its own writer. */
  kind: Exclude<ReportKind, "DAY">;
  format: TextFormat;
}

/**
 * Yields the content of a report. The figures are from the functions of the figures pages.
 * @throws ReportRefused if the request cannot be fulfilled
 */
export async function* writeContent(deps: ContentDeps, order: ReportOrder): AsyncGenerator<string> {
  const { kind, format } = order;
  const dialect = DIALECTS[isSpreadsheet(format) ? format : "CSV"];
  if (kind === "SOLD") yield* await deps.figureExports.writeLines(order, pickDays(order), dialect);
  else if (kind === "TAKEN") {
    yield* await deps.figureExports.writeMovements(order, pickDays(order), dialect);
  } else if (kind === "DAYS") {
    const series = await deps.figures.listPeriods(order, { ...pickDays(order), by: "DAY" });
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

/** Reads day by day, so that other work can run between the days. */
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

export function listDays({ firstDay, lastDay }: Days): string[] {
  const first = Date.parse(`${firstDay}T00:00:00Z`);
  const count = (Date.parse(`${lastDay}T00:00:00Z`) - first) / DAY + 1;
  return Array.from({ length: count }, (_, index) =>
    new Date(first + index * DAY).toISOString().slice(0, 10),
  );
}

function pickDays({ firstDay, lastDay }: Days): Days {
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

function pairs(name: (n: number) => readonly [string, string], count: number): string[] {
  return Array.from({ length: count }, (_, index) => name(index + 1)).flat();
}

/**
 * @param madeAt such as 2026-01-31T22:30:00.000Z
 * @throws ReportRefused if an account is missing or invalid, or the days are in two business years
 */
async function* formatDatev(books: Books, madeAt: string): AsyncGenerator<string> {
  const { settings, unit, days } = books;
  const entries = listEntries(books);
  requireAccounts(entries);
  const clearing = settings.accounts.CLEARING;
  const { accountLength } = settings.datev;
  if (unit.currencyDivisor > 100) {
    throw new ReportRefused(`DATEV has no amounts with the decimals of ${unit.currency}.`);
  }
  for (const account of [clearing, ...entries.map((entry) => entry.account)]) {
    if (new RegExp(`^[0-9]{1,${accountLength + 1}}$`).test(account)) continue;
    throw new ReportRefused(
      `DATEV knows accounts by numbers of ${accountLength} digits: "${account}" is none.`,
    );
  }
  yield BYTE_ORDER_MARK + formatHeader(books, madeAt) + LINE_END;
  yield COLUMNS.join(";") + LINE_END;
  for (const { day } of days) {
    const postings = entries.filter((entry) => entry.day === day);
    const lines = postings.map((entry) => {
      const cells = new Map([
        ["Umsatz (ohne Soll/Haben-Kz)", formatAmount(Math.abs(entry.amount), unit.currencyDivisor)],
        ["Soll/Haben-Kennzeichen", entry.amount > 0 ? '"S"' : '"H"'],
        ["WKZ Umsatz", `"${unit.currency}"`],
        ["Konto", entry.account],
        ["Gegenkonto (ohne BU-Schlüssel)", clearing],
        ["Belegdatum", `${day.slice(8)}${day.slice(5, 7)}`],
        ["Belegfeld 1", `"TG${day.replaceAll("-", "")}"`],
        ["Buchungstext", `"${getPostingName(entry).replaceAll('"', '""')}"`],
        ["Festschreibung", "0"],
      ]);
      return COLUMNS.map((column) => cells.get(column) ?? "").join(";") + LINE_END;
    });
    if (lines.length > 0) yield lines.join("");
  }
}

/** @throws ReportRefused if the days are in two business years */
function formatHeader({ settings, unit, days }: Books, madeAt: string): string {
  const { yearBegins, accountLength } = settings.datev;
  const first = days[0]?.day ?? "";
  const last = days.at(-1)?.day ?? "";
  const year = businessYear(first, yearBegins);
  if (year !== businessYear(last, yearBegins)) {
    throw new ReportRefused("DATEV takes days of one business year at a time: ask for fewer days.");
  }
  const compact = (day: string) => day.replaceAll("-", "");
  const made = madeAt.replaceAll(/\D/g, "").slice(0, 17);
  const of = ['"EXTF"', "700", "21", '"Buchungsstapel"', "13", made, "", '"TG"', '""', '""'];
  const client = [String(settings.datev.consultant), String(settings.datev.client)];
  const years = [compact(year), String(accountLength), compact(first), compact(last)];
  const batch = ['"Tillgate"', '""', "1", "0", "0", `"${unit.currency}"`];
  const rest = ["", '""', "", "", '""', "", "", '""', '""'];
  return [...of, ...client, ...years, ...batch, ...rest].join(";");
}

function businessYear(day: string, begins: string): string {
  const year = Number(day.slice(0, 4));
  return day.slice(5) >= begins ? `${year}-${begins}` : `${year - 1}-${begins}`;
}

/** DATEV requires two decimals for every currency. */
function formatAmount(minor: number, divisor: number): string {
  const hundredths = Math.round((minor * 100) / divisor);
  return `${Math.floor(hundredths / 100)},${String(hundredths % 100).padStart(2, "0")}`;
}

const ACCOUNTING = accountSetting("accounting", AccountingSettings);

const NOT_SET: AccountingSettings = {
  sales: perFamily(""),
  accounts: {
    TAX: "",
    CASH: "",
    CARD: "",
    OTHER: "",
    OWED: "",
    REFUNDS_DUE: "",
    SAFE: "",
    BANK: "",
    PAY_IN: "",
    PAY_OUT: "",
    DRAWER_DIFFERENCE: "",
    CASH_ROUNDING: "",
    COST: "",
    WALLET: "",
    CLEARING: "",
  },
  xeroTaxRate: "",
  datev: { consultant: 0, client: 0, yearBegins: "01-01", accountLength: 4 },
};

export async function readAccounting(db: Db | Tx, accountId: string): Promise<AccountingSettings> {
  return (await readSetting(db, accountId, ACCOUNTING)) ?? NOT_SET;
}

export async function writeAccounting(
  tx: Tx,
  accountId: string,
  settings: AccountingSettings,
): Promise<void> {
  await writeSetting(tx, accountId, ACCOUNTING, settings);
}

import type { AccountingSettings } from "../../../contract/pos/shop-reports.ts";
import { majorText, type Unit } from "../../../lib/money.ts";
import { type Column, DIALECTS, formatCsv } from "../figures/index.ts";
import { type DayOfBooks, journalOf, type Posting } from "./journal.ts";

/** What every format of postings is made from. */
export interface Books {
  settings: AccountingSettings;
  unit: Unit;
  days: readonly DayOfBooks[];
}

/** A posting with its day and its account. */
interface Entry extends Posting {
  day: string;
  account: string;
}

/** Xero takes no more lines in one file: https://help.xero.com/nz/ManualJournalsImport */
const MOST_XERO_LINES = 300;

/** A report that cannot be made as it was asked for, in words for people. */
export class ReportRefused extends Error {}

/** A tender has an account of its own, or that of its kind; so has a tax by its kind and rate. */
function accountOf(
  { sales, accounts, tenders = [], taxes = [] }: AccountingSettings,
  posting: Posting,
): string {
  const { tax } = posting;
  const ofTax = taxes.find(({ kind, percent }) => kind === tax?.kind && percent === tax.percent);
  if (ofTax?.account) return ofTax.account;
  if (posting.role === "SAFE") return accounts.SAFE || accounts.CASH;
  const own = tenders.find(({ tenderId }) => tenderId === posting.tender?.tenderId)?.account;
  if (own) return own;
  if (posting.role !== "SALES") return accounts[posting.role] ?? "";
  return posting.family === undefined ? "" : sales[posting.family];
}

/** Every posting of the days with its account. */
export function entriesOf({ settings, days }: Books): Entry[] {
  return days.flatMap((day) =>
    journalOf(day).map((posting) => ({
      ...posting,
      day: day.day,
      account: accountOf(settings, posting),
    })),
  );
}

/** @throws ReportRefused naming what has no account */
export function requireAccounts(entries: readonly Entry[]): void {
  const missing = new Set(entries.filter(({ account }) => account === "").map(nameOf));
  if (missing.size === 0) return;
  throw new ReportRefused(`These have no account yet: ${[...missing].join(", ")}.`);
}

/** What a posting is of, for people and programs. */
export function nameOf({ role, family, tender, tax }: Posting): string {
  if (tax) return `${role} ${tax.kind} ${tax.percent}`;
  if (tender?.isNamed) return `${role} ${tender.name}`;
  return family === undefined ? role : `${role} ${family}`;
}

/** Postings for any program: accounts may be missing. */
export function formatPostings(
  books: Books,
  format: "CSV" | "SPREADSHEET" | "SPREADSHEET_DOT",
): AsyncGenerator<string> {
  const amount = (minor: number) => majorText(minor, books.unit.currencyDivisor);
  const columns: Column<Entry>[] = [
    ["day", ({ day }) => day],
    ["role", ({ role }) => role],
    ["family", ({ family = "" }) => family],
    ["account", ({ account }) => account],
    ["debit", (entry) => (entry.amount > 0 ? amount(entry.amount) : "")],
    ["credit", (entry) => (entry.amount < 0 ? amount(-entry.amount) : "")],
    ["currency", () => books.unit.currency],
    ["tender", ({ tender }) => tender?.name ?? ""],
    ["taxKind", ({ tax }) => tax?.kind ?? ""],
    ["taxPercent", ({ tax }) => tax?.percent ?? ""],
  ];
  const dialect = DIALECTS[format];
  return formatCsv([entriesOf(books)], columns, dialect);
}

/**
 * Journal entries as QuickBooks Online imports them: the columns and the form of the date of
 * https://quickbooks.intuit.com/learn-support/en-au/help-article/import-export-files/import-journal-entries-quickbooks-online/L4tQBwbs7_AU_en_AU
 * Accounts go by their names. One entry a day.
 * @throws ReportRefused where an account is missing
 */
export function formatQuickBooks(books: Books): AsyncGenerator<string> {
  const amount = (minor: number) => majorText(minor, books.unit.currencyDivisor);
  const entries = entriesOf(books);
  requireAccounts(entries);
  const columns: Column<Entry>[] = [
    ["Journal No.", ({ day }) => `TG${day.replaceAll("-", "")}`],
    ["Journal Date", ({ day }) => monthFirst(day)],
    ["Account Name", ({ account }) => account],
    ["Description", nameOf],
    ["Debits", (entry) => (entry.amount > 0 ? amount(entry.amount) : "")],
    ["Credits", (entry) => (entry.amount < 0 ? amount(-entry.amount) : "")],
  ];
  return formatCsv([entries], columns);
}

/**
 * Manual journals as Xero imports them: the columns, the date and the sign of
 * https://help.xero.com/nz/ManualJournalsImport
 * Accounts go by their codes. One journal a day.
 * @throws ReportRefused where an account or the tax rate is missing, or the lines are too many
 */
export function formatXero(books: Books): AsyncGenerator<string> {
  const amount = (minor: number) => majorText(minor, books.unit.currencyDivisor);
  const entries = entriesOf(books);
  requireAccounts(entries);
  const { xeroTaxRate } = books.settings;
  if (xeroTaxRate === "") throw new ReportRefused("The name of Xero's tax rate is not set yet.");
  if (entries.length > MOST_XERO_LINES) {
    throw new ReportRefused(
      `Xero takes ${MOST_XERO_LINES} lines at a time, and these days have ${entries.length}: ask for fewer days.`,
    );
  }
  const columns: Column<Entry>[] = [
    ["*Narration", ({ day }) => `Tillgate ${day}`],
    ["*Date", ({ day }) => dayFirst(day)],
    ["Description", nameOf],
    ["*AccountCode", ({ account }) => account],
    ["*TaxRate", () => xeroTaxRate],
    ["*Amount", (entry) => amount(entry.amount)],
    ["TrackingName1", () => ""],
    ["TrackingOption1", () => ""],
    ["TrackingName2", () => ""],
    ["TrackingOption2", () => ""],
  ];
  return formatCsv([entries], columns);
}

function monthFirst(day: string): string {
  const [year = "", month = "", date = ""] = day.split("-");
  return `${month}/${date}/${year}`;
}

function dayFirst(day: string): string {
  return day.split("-").toReversed().join("/");
}

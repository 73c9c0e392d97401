import type { Family } from "../../../contract/pos/families.ts";
import type { AccountingSettings, AccountRole } from "../../../contract/pos/shop-reports.ts";
import type { ShiftTax } from "../../../contract/pos/taxes.ts";
import type { TenderKind } from "../../../contract/pos/tenders.ts";
import { majorText, type Unit } from "../../../lib/money.ts";
import { addedToSafe, type CashFlow } from "../../selling/shifts/index.ts";
import { type Column, DIALECTS, formatCsv } from "../figures/index.ts";

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

/** What was taken by one tender, net of what was handed back by it. */
export interface TenderOfDay {
  kind: TenderKind;
  tenderId: string;
  /** As people call it: the word for its kind where nobody named it. */
  name: string;
  isNamed: boolean;
  amount: number;
}

/** A day's figures as the books need them; minor units of the shop's currency. */
export interface DayOfBooks {
  /** Such as 2026-01-31. */
  day: string;
  families: readonly { family: Family; sold: number; tax: number; cost: number }[];
  taken: readonly TenderOfDay[];
  cashRounding: number;
  owed: number;
  /** Above zero where more money of failed lines became due than was handed back. */
  refundsDue: number;
  /** By kind and rate; together the tax of the families. */
  taxes: readonly ShiftTax[];
  cash: CashFlow;
}

/** One posting: debit above zero, credit below. */
interface Posting {
  role: AccountRole | "SALES";
  /** Of sales and their cost. */
  family?: Family;
  /** Of what was taken. */
  tender?: TenderOfDay;
  tax?: Pick<ShiftTax, "kind" | "percent">;
  amount: number;
}

/**
 * Returns the postings of a day, which add up to zero: takings and debts of customers against sales without tax,
 * tax, cash rounding and refunds due; the cost of the goods against the wallet; and cash from the drawers to the
 * bank (rules#figure-journal). Postings of zero are left out.
 * @throws Error if they do not add up: the figures of the day contradict each other
 */
function journalOf(day: DayOfBooks): Posting[] {
  const { taken, families, cashRounding, owed, refundsDue, taxes, cash } = day;
  const cost = families.reduce((sum, part) => sum + part.cost, 0);
  const postings: Posting[] = [
    ...taken.map((tender): Posting => ({ role: tender.kind, tender, amount: tender.amount })),
    { role: "OWED", amount: owed },
    ...families.map(
      (part): Posting => ({
        role: "SALES",
        family: part.family,
        amount: part.tax - part.sold,
      }),
    ),
    ...taxes.map(
      ({ kind, percent, sold, refunded }): Posting => ({
        role: "TAX",
        tax: { kind, percent },
        amount: refunded - sold,
      }),
    ),
    { role: "CASH_ROUNDING", amount: -cashRounding },
    { role: "REFUNDS_DUE", amount: -refundsDue },
    { role: "COST", amount: cost },
    { role: "WALLET", amount: -cost },
    ...cashPostings(cash),
  ];
  const sum = postings.reduce((total, { amount }) => total + amount, 0);
  if (sum !== 0) throw new Error(`the figures of ${day.day} do not add up: ${sum} is left`);
  return postings.filter(({ amount }) => amount !== 0);
}

/** Cash beside sales: into and out of drawers, to the safe and the bank, and counted differences. */
function cashPostings(cash: CashFlow): Posting[] {
  const { payIns, payOuts, drops, floats, closings, differences, deposits } = cash;
  return [
    { role: "CASH", amount: payIns - payOuts - drops + floats - closings + differences },
    { role: "SAFE", amount: addedToSafe(cash) },
    { role: "BANK", amount: deposits },
    { role: "PAY_IN", amount: -payIns },
    { role: "PAY_OUT", amount: payOuts },
    { role: "DRAWER_DIFFERENCE", amount: -differences },
  ];
}

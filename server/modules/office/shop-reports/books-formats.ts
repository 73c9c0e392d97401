import type { Family } from "../../../contract/pos/families.ts";
import type { AccountingSettings, AccountRole } from "../../../contract/pos/shop-reports.ts";
import type { ShiftTax } from "../../../contract/pos/taxes.ts";
import type { TenderKind } from "../../../contract/pos/tenders.ts";
import { majorText, type Unit } from "../../../lib/money.ts";
import { addedToSafe, type CashFlow } from "../../selling/shifts/index.ts";
import { type Column, DIALECTS, formatCsv } from "../figures/index.ts";

export interface Books {
  settings: AccountingSettings;
  unit: Unit;
  days: readonly DayOfBooks[];
}

interface BooksEntry extends Posting {
  day: string;
  account: string;
}

/**
 * Xero's maximum number of lines per file. Source: https://help.xero.com/nz/ManualJournalsImport
 */
const MAX_XERO_LINES = 300;

/** The report cannot be created. The error message is shown to people. */
export class ReportRefused extends Error {}

/** Returns the account of the posting's tender or tax rate, or else the account of its role. */
function findAccount(
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

export function listEntries({ settings, days }: Books): BooksEntry[] {
  return days.flatMap((day) =>
    toJournal(day).map((posting) => ({
      ...posting,
      day: day.day,
      account: findAccount(settings, posting),
    })),
  );
}

/** @throws ReportRefused naming postings without an account */
export function requireAccounts(entries: readonly BooksEntry[]): void {
  const missing = new Set(entries.filter(({ account }) => account === "").map(getPostingName));
  if (missing.size === 0) return;
  throw new ReportRefused(`These have no account yet: ${[...missing].join(", ")}.`);
}

export function getPostingName({ role, family, tender, tax }: Posting): string {
  if (tax) return `${role} ${tax.kind} ${tax.percent}`;
  if (tender?.isNamed) return `${role} ${tender.name}`;
  return family === undefined ? role : `${role} ${family}`;
}

/** Formats postings for any program. Accounts may be missing. */
export function formatPostings(
  books: Books,
  format: "CSV" | "SPREADSHEET" | "SPREADSHEET_DOT",
): AsyncGenerator<string> {
  const amount = (minor: number) => majorText(minor, books.unit.currencyDivisor);
  const columns: Column<BooksEntry>[] = [
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
  return formatCsv([listEntries(books)], columns, dialect);
}

/**
 * Formats a journal entry for QuickBooks Online for each day. Accounts are identified by name.
 * Source of columns and date format:
 * https://quickbooks.intuit.com/learn-support/en-au/help-article/import-export-files/import-journal-entries-quickbooks-online/L4tQBwbs7_AU_en_AU
 * @throws ReportRefused if an account is missing
 */
export function formatQuickBooks(books: Books): AsyncGenerator<string> {
  const amount = (minor: number) => majorText(minor, books.unit.currencyDivisor);
  const entries = listEntries(books);
  requireAccounts(entries);
  const columns: Column<BooksEntry>[] = [
    ["Journal No.", ({ day }) => `TG${day.replaceAll("-", "")}`],
    ["Journal Date", ({ day }) => monthFirst(day)],
    ["Account Name", ({ account }) => account],
    ["Description", getPostingName],
    ["Debits", (entry) => (entry.amount > 0 ? amount(entry.amount) : "")],
    ["Credits", (entry) => (entry.amount < 0 ? amount(-entry.amount) : "")],
  ];
  return formatCsv([entries], columns);
}

/**
 * Formats a manual journal for Xero for each day. Accounts are identified by code. Source of
 * columns, date and sign: https://help.xero.com/nz/ManualJournalsImport
 * @throws ReportRefused if an account or the tax rate is missing, or there are too many lines
 */
export function formatXero(books: Books): AsyncGenerator<string> {
  const amount = (minor: number) => majorText(minor, books.unit.currencyDivisor);
  const entries = listEntries(books);
  requireAccounts(entries);
  const { xeroTaxRate } = books.settings;
  if (xeroTaxRate === "") throw new ReportRefused("The name of Xero's tax rate is not set yet.");
  if (entries.length > MAX_XERO_LINES) {
    throw new ReportRefused(
      `Xero takes ${MAX_XERO_LINES} lines at a time, and these days have ${entries.length}: ask for fewer days.`,
    );
  }
  const columns: Column<BooksEntry>[] = [
    ["*Narration", ({ day }) => `Tillgate ${day}`],
    ["*Date", ({ day }) => dayFirst(day)],
    ["Description", getPostingName],
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

/** Payments by a tender, minus refunds. */
export interface TenderOfDay {
  kind: TenderKind;
  tenderId: string;
  /** The translated kind if the shop gave no name. */
  name: string;
  isNamed: boolean;
  amount: number;
}

/** Figures in minor units of the shop's currency. */
export interface DayOfBooks {
  day: string;
  families: readonly { family: Family; sold: number; tax: number; cost: number }[];
  taken: readonly TenderOfDay[];
  cashRounding: number;
  owed: number;
  /** Change of the refunds due; positive if more refunds became due than were paid. */
  refundsDue: number;
  /** Tax by rate. The sum equals the tax of the families. */
  taxes: readonly ShiftTax[];
  cash: CashFlow;
}

/** A posting; `amount` is positive for a debit, negative for a credit. */
interface Posting {
  role: AccountRole | "SALES";
  /** Only for postings of sales and their cost. */
  family?: Family;
  /** Only for postings of payments. */
  tender?: TenderOfDay;
  tax?: Pick<ShiftTax, "kind" | "percent">;
  amount: number;
}

/**
 * Returns the postings of a day (rules#figure-journal). They add up to zero, and each amount
 * differs from zero. They post:
 * - payments and debts of customers against sales (without tax), tax, cash rounding and refunds due
 * - the cost of sales against the wallet
 * - cash from the drawers to the bank
 * @throws Error if the postings do not add up, because the figures contradict each other
 */
function toJournal(day: DayOfBooks): Posting[] {
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

/**
 * Returns the postings of cash movements other than sales: drawers, safe, bank and counted
 * differences.
 */
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

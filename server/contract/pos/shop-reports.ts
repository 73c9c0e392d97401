import { type Static, type TOptional, Type } from "typebox";
import { Environment, Input, PLAIN_TEXT, Timestamp } from "../common.ts";
import { Paged, paging } from "../paging.ts";
import { perFamily } from "./families.ts";
import { days } from "./figures.ts";
import { defineOperation, NOTHING } from "./operation.ts";
import { LANGUAGES } from "./setup.ts";
import { MOST_TENDERS } from "./shop-tenders.ts";
import { TaxKind, TaxRate } from "./taxes.ts";
import { TenderId } from "./tenders.ts";

/** Bookkeeping accounts for the figures of a day, besides the sales account of each family. */
export const ACCOUNT_ROLES = [
  "TAX",
  "CASH",
  "CARD",
  "OTHER",
  "OWED",
  "REFUNDS_DUE",
  "SAFE",
  "BANK",
  "PAY_IN",
  "PAY_OUT",
  "DRAWER_DIFFERENCE",
  "CASH_ROUNDING",
  "COST",
  "WALLET",
  "CLEARING",
] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

/**
 * Number or name of an account in the accountant's program; empty if not set.
 */
const Account = Type.String({
  maxLength: 100,
  ...PLAIN_TEXT,
  description: "an account's number or name, of at most 100 characters",
});

function datevNumber(most: number, description: string) {
  return Type.Integer({ minimum: 0, maximum: most, description });
}

/**
 * Settings for posting days to the accountant's books (rules#figure-journal). `CLEARING` is the
 * contra account of every DATEV posting. If `SAFE` has no account, the account of `CASH` is used.
 */
export const AccountingSettings = Input({
  sales: Input(perFamily(Account)),
  accounts: Input({
    TAX: Account,
    CASH: Account,
    CARD: Account,
    OTHER: Account,
    OWED: Account,
    REFUNDS_DUE: Type.Optional(Account),
    SAFE: Type.Optional(Account),
    BANK: Type.Optional(Account),
    PAY_IN: Type.Optional(Account),
    PAY_OUT: Type.Optional(Account),
    DRAWER_DIFFERENCE: Type.Optional(Account),
    CASH_ROUNDING: Account,
    COST: Account,
    WALLET: Account,
    CLEARING: Account,
  } satisfies Record<AccountRole, typeof Account | TOptional<typeof Account>>),
  tenders: Type.Optional(
    Type.Array(Input({ tenderId: TenderId, account: Account }), {
      maxItems: MOST_TENDERS,
      description: "Accounts of tenders; others use their kind's",
    }),
  ),
  taxes: Type.Optional(
    Type.Array(Input({ kind: TaxKind, percent: TaxRate, account: Account }), {
      maxItems: 50,
      description: "Accounts of taxes by kind and rate; others use that of TAX",
    }),
  ),
  xeroTaxRate: Type.String({
    maxLength: 100,
    ...PLAIN_TEXT,
    description: "the name of a tax rate as Xero has it",
  }),
  datev: Input({
    consultant: datevNumber(9_999_999, "the consultant's number, up to 9999999"),
    client: datevNumber(99_999, "the client's number, up to 99999"),
    yearBegins: Type.String({
      pattern: "^(0[1-9]|1[0-2])-01$",
      description: "the first day of the business year, such as 01-01",
    }),
    accountLength: Type.Integer({
      minimum: 4,
      maximum: 8,
      description: "how many digits accounts have, 4 to 8",
    }),
  }),
});
export type AccountingSettings = Static<typeof AccountingSettings>;

/**
 * Contents of a report. TAKEN: takings by day. DAYS: sums of each day. BOOKS: postings for the
 * accountant. DAY: all figures of one day as a document.
 */
export const REPORT_KINDS = ["SOLD", "TAKEN", "DAYS", "BOOKS", "DAY"] as const;
export const ReportKind = Type.Enum(REPORT_KINDS);
export type ReportKind = Static<typeof ReportKind>;

/**
 * Formats of a report. CSV: for programs. SPREADSHEET: CSV for most of Europe and Latin America,
 * with semicolons and decimal commas. SPREADSHEET_DOT: the same with decimal points. QUICKBOOKS,
 * XERO and DATEV: only for BOOKS. PDF: only for DAY.
 */
const BOOKS_FORMATS = [
  "CSV",
  "SPREADSHEET",
  "SPREADSHEET_DOT",
  "QUICKBOOKS",
  "XERO",
  "DATEV",
] as const;
const REPORT_FORMATS = [...BOOKS_FORMATS, "PDF"] as const;
export const ReportFormat = Type.Enum(REPORT_FORMATS);
export type ReportFormat = Static<typeof ReportFormat>;

const SHEETS = ["CSV", "SPREADSHEET", "SPREADSHEET_DOT"] as const;

export const FORMATS_OF: Readonly<Record<ReportKind, readonly ReportFormat[]>> = {
  SOLD: SHEETS,
  TAKEN: SHEETS,
  DAYS: SHEETS,
  BOOKS: BOOKS_FORMATS,
  DAY: ["PDF"],
};

export const MOST_REPORT_DAYS = 366;

const content = { kind: ReportKind, format: ReportFormat };

/**
 * `POST /pos/shop-reports`: requests a report of business days. A DAY report has exactly one day.
 */
export const ShopReportInput = Input({
  ...content,
  ...days,
  language: Type.Optional(
    Type.Enum(LANGUAGES, {
      description: "Language of a day's document; default is the shop's",
    }),
  ),
});
export type ShopReportInput = Static<typeof ShopReportInput>;

export const ShopReport = Type.Object({
  reportId: Type.String(),
  environment: Environment,
  ...content,
  ...days,
  state: Type.Enum(["REQUESTED", "READY", "FAILED"]),
  fileName: Type.Optional(Type.String({ description: "Present when READY" })),
  fault: Type.Optional(Type.String({ description: "Reason of FAILED, in English, for people" })),
  requestedBy: Type.Optional(Type.Object({ staffId: Type.String(), name: Type.String() })),
  scheduleName: Type.Optional(Type.String()),
  createdAt: Timestamp,
  finishedAt: Type.Optional(Timestamp),
});
export type ShopReport = Static<typeof ShopReport>;
export const ShopReports = Paged(ShopReport);
export type ShopReports = Static<typeof ShopReports>;
const ShopReportsQuery = Input(paging);

const ReportId = Type.String({ minLength: 1, maxLength: 64 });
const ShopReportParams = Input({ reportId: ReportId });

/** Days of a scheduled report: the previous day, week or month, or the day that just ended. */
export const SCHEDULE_TIMES = ["DAILY", "AFTER_LAST_Z", "WEEKLY", "MONTHLY"] as const;
const ScheduleTime = Type.Enum(SCHEDULE_TIMES);
type ScheduleTime = Static<typeof ScheduleTime>;

/** Returns the possible schedules of a kind: DAY has no weekly or monthly schedule. */
export function timesOf(kind: ReportKind): readonly ScheduleTime[] {
  return kind === "DAY" ? ["DAILY", "AFTER_LAST_Z"] : SCHEDULE_TIMES;
}

const Recipient = Type.String({
  pattern: '^[^@\\s\\u0000-\\u001f,;<>"]{1,64}@[A-Za-z0-9.-]{1,189}$',
  maxLength: 254,
  description: "an e-mail address",
});

const scheduleFields = {
  name: Type.String({ minLength: 1, maxLength: 80, ...PLAIN_TEXT }),
  ...content,
  when: ScheduleTime,
  /**
   * Local time of the report. An AFTER_LAST_Z report is sent at this time even if a shift is open.
   */
  at: Type.String({
    pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$",
    description: "a time of day such as 22:30",
  }),
  recipients: Type.Array(Recipient, { maxItems: 10 }),
  folder: Type.String({
    maxLength: 500,
    ...PLAIN_TEXT,
    description: "a folder of the gateway's machine; empty for none",
  }),
  language: Type.Enum(LANGUAGES),
  enabled: Type.Boolean(),
};

const ScheduleParams = Input({
  scheduleId: Type.String({
    pattern: "^[A-Za-z0-9_-]{1,64}$",
    description: "1 to 64 letters, digits, - or _",
  }),
});

/** `PUT /pos/report-schedules/{scheduleId}` (owner): creates or replaces the schedule. */
export const ScheduleInput = Input(scheduleFields);
export type ScheduleInput = Static<typeof ScheduleInput>;

export const Schedule = Type.Object({
  scheduleId: Type.String(),
  environment: Environment,
  ...scheduleFields,
  nextAt: Type.Optional(Timestamp),
  last: Type.Optional(
    Type.Object({ reportId: Type.String(), state: ShopReport.properties.state, at: Timestamp }),
  ),
  fault: Type.Optional(
    Type.String({ description: "Reason why the last file is not in the folder" }),
  ),
});
export type Schedule = Static<typeof Schedule>;
const Schedules = Type.Object({ list: Type.Array(Schedule) });
export type Schedules = Static<typeof Schedules>;

const OF_READERS = { access: "staff", right: "seeFigures" } as const;

export const shopReportOperations = {
  list: defineOperation({
    ...OF_READERS,
    method: "GET",
    path: "/shop-reports",
    query: ShopReportsQuery,
    answer: ShopReports,
  }),
  request: defineOperation({
    ...OF_READERS,
    method: "POST",
    path: "/shop-reports",
    body: ShopReportInput,
    answer: ShopReport,
  }),
  /** Returns the file; the download is audited. */
  download: defineOperation({
    ...OF_READERS,
    method: "GET",
    path: "/shop-reports/:reportId/file",
    params: ShopReportParams,
    answer: Type.String(),
    refusals: ["NOT_FOUND"],
  }),
  getAccounting: defineOperation({
    ...OF_READERS,
    method: "GET",
    path: "/accounting",
    answer: AccountingSettings,
  }),
  setAccounting: defineOperation({
    method: "PUT",
    path: "/accounting",
    body: AccountingSettings,
    answer: AccountingSettings,
    access: "bookkeeper",
  }),
  listSchedules: defineOperation({
    method: "GET",
    path: "/report-schedules",
    answer: Schedules,
    access: "owner",
  }),
  saveSchedule: defineOperation({
    method: "PUT",
    path: "/report-schedules/:scheduleId",
    params: ScheduleParams,
    body: ScheduleInput,
    answer: Schedule,
    access: "owner",
  }),
  removeSchedule: defineOperation({
    method: "DELETE",
    path: "/report-schedules/:scheduleId",
    params: ScheduleParams,
    answer: NOTHING,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  /** Runs the schedule now, exactly as at its scheduled time. */
  runSchedule: defineOperation({
    method: "POST",
    path: "/report-schedules/:scheduleId/runs",
    params: ScheduleParams,
    answer: ShopReport,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
};

import { readFileSync, writeFileSync } from "node:fs";
import { sql } from "kysely";
import { MAILED_KINDS } from "../contract/pos/alerts.ts";
import { perFamily } from "../contract/pos/families.ts";
import type { Scope } from "../db/changes.ts";
import type { Db } from "../db/database.ts";
import { DAY, toTimestamp } from "../lib/clock.ts";
import { findReport } from "../modules/books/reports/report-store.ts";
import { readPins } from "../modules/catalog/catalog/catalog-choices.ts";
import { findServer } from "../modules/messages/mail/index.ts";
import { readAccounting } from "../modules/office/shop-reports/report-content.ts";
import { listScheduleRows } from "../modules/office/shop-reports/shop-report-store.ts";
import { findAlert } from "../modules/office/wallet-office/index.ts";
import { findAlertMail } from "../modules/operations/alerts/alert-store.ts";
import { findNote } from "../modules/operations/going-live/going-live-store.ts";
import {
  findFile,
  readBytes,
  readPacked,
} from "../modules/providers/catalog-imports/catalog-file-store.ts";
import { findReview } from "../modules/safety/backups/restore-review.ts";
import { SecondBackupPlace } from "../modules/safety/backups/second-place.ts";
import { readPageSettings } from "../modules/selling/receipt-pages/page-settings.ts";
import { findLogoPicture, readLogoFile } from "../modules/shop/shop/index.ts";
import { sumAgain } from "./earlier-shop.ts";

type Value = string | number | null | Buffer;
type Rows = Readonly<Record<string, readonly Readonly<Record<string, Value>>[]>>;

const ACCOUNT = { account_id: "default" } as const;
const TEST = { ...ACCOUNT, environment: "test" } as const;
const LIVE = { ...ACCOUNT, environment: "live" } as const;
const NOW = 1_768_469_400_000;
const LOGO = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);
const SCHEDULE = {
  name: "Every day",
  kind: "DAY",
  format: "PDF",
  when: "DAILY",
  at: "22:30",
  recipients: ["olga@example.com"],
  folder: "",
  language: "es",
  enabled: true,
};
const SWITCHED_OFF = { ...SCHEDULE, name: "Off", enabled: false };
const ACCOUNT_NAMES = ["TAX", "CASH", "CARD", "OTHER", "OWED", "REFUNDS_DUE", "SAFE", "BANK"];
const MORE_NAMES = ["PAY_IN", "PAY_OUT", "DRAWER_DIFFERENCE", "CASH_ROUNDING", "COST", "WALLET"];
const ACCOUNTING = {
  sales: perFamily("4000"),
  accounts: Object.fromEntries(
    [...ACCOUNT_NAMES, ...MORE_NAMES, "CLEARING"].map((name, index) => [name, `10${index}`]),
  ),
  xeroTaxRate: "Tax on Sales",
  datev: { consultant: 1001, client: 7, yearBegins: "01-01", accountLength: 4 },
};
const RECIPIENTS = { list: [{ address: "olga@example.com", language: "es", kinds: ["DISK"] }] };
const NO_CHANGE = { added: 0, changed: 0, removed: 0 };
const DIFFERENCE = {
  isFirst: true,
  offers: { total: 1, added: 1, removed: 0, cheaper: 0, dearer: 0, changed: 0 },
  added: [],
  removed: [],
  costChanges: [],
  brands: NO_CHANGE,
  promos: NO_CHANGE,
  leftOut: [],
  leftOutCount: 0,
};
const RETURNED = { people: ["ana"], devices: [], keys: ["key"] };
const PICTURE = { width: 30, height: 20, content: LOGO };
const REPORT = { ...TEST, start_gte: 1, end_lt: 2, created_at: NOW, updated_at: NOW + 5 };
const LOG = { recorded_at: NOW, position: 0, status: "REQUESTED", message: "Report requested" };
const LOG_END = { recorded_at: NOW + 5, position: 1 };
const UPLOAD = { name: "offers.json", outcome_json: "{}", staff_id: "olga", touched_at: NOW };

/** Rows of the tables that the migrations 003 and 004 replaced, and of the reports. */
const ROWS: Rows = {
  accounting_settings: [{ ...ACCOUNT, settings_json: JSON.stringify(ACCOUNTING) }],
  alert_mail: [
    {
      ...ACCOUNT,
      settings_json: JSON.stringify(RECIPIENTS),
      sent_at: NOW,
      known_kinds_json: JSON.stringify(MAILED_KINDS),
    },
  ],
  mail_servers: [
    {
      ...ACCOUNT,
      host: "mail.example.com",
      port: 465,
      security: "TLS",
      user_name: "shop",
      password_sealed: "1.0123456789abcdef.sealed",
      from_address: "shop@example.com",
    },
  ],
  pilots: [
    {
      ...ACCOUNT,
      device_hash: null,
      chosen_by: "olga",
      most_per_sale: 500,
      most_per_day: 900,
      covers_api: 0,
      started_at: NOW,
      ended_at: null,
    },
  ],
  receipt_page_settings: [
    {
      ...ACCOUNT,
      enabled: 0,
      public_url: "https://receipts.shop.example",
      keep_days: 45,
      details_in_mail: 1,
    },
  ],
  restore_reviews: [
    { ...ACCOUNT, restored_at: NOW, taken_at: NOW - 1, returned_json: JSON.stringify(RETURNED) },
  ],
  second_backup_places: [
    {
      ...ACCOUNT,
      dir: "/mnt/stick",
      missing: 2,
      copied_at: NOW,
      problem_kind: "AWAY",
      problem_text: "it is away",
      problem_at: NOW + 1,
    },
  ],
  wallet_alerts: [
    { ...TEST, low_amount: 5_000, low_hours: null },
    { ...LIVE, low_amount: null, low_hours: 12 },
  ],
  going_live_notes: [
    {
      ...ACCOUNT,
      note: "PRICES_SEEN",
      staff_id: "olga",
      noted_at: NOW,
      detail_json: '{"version":3}',
    },
    { ...ACCOUNT, note: "DRAWER_OPENED", staff_id: "ana", noted_at: NOW, detail_json: "{}" },
  ],
  pinned_offers: [
    { ...TEST, product_type: "TOPUP", position: 0, offer_id: "TIGO_GT_TOPUP_25" },
    { ...TEST, product_type: "TOPUP", position: 1, offer_id: "A_TOPUP" },
    { ...TEST, product_type: "VOUCHER", position: 0, offer_id: "AMAZON_US_GIFT_25" },
  ],
  report_schedules: [
    {
      ...TEST,
      schedule_id: "b",
      schedule_json: JSON.stringify(SCHEDULE),
      next_at: NOW,
      last_day: "2026-01-14",
      fault: "the folder is full",
    },
    {
      ...TEST,
      schedule_id: "a",
      schedule_json: JSON.stringify(SWITCHED_OFF),
      next_at: null,
      last_day: null,
      fault: null,
    },
  ],
  shop_logos: [{ ...ACCOUNT, ...PICTURE, digest: "of the shop", media_type: "image/png" }],
  brand_logos: [
    { ...ACCOUNT, ...PICTURE, brand: "TIGO", digest: "of Tigo", media_type: "image/webp" },
  ],
  catalog_imports: [
    {
      ...TEST,
      import_id: "checked",
      name: "offers.json",
      bytes: 9,
      checked_at: NOW,
      base_version: 4,
      difference_json: JSON.stringify(DIFFERENCE),
      content: Buffer.from("packed"),
    },
  ],
  catalog_uploads: [
    { ...LIVE, ...UPLOAD, import_id: "sent", bytes: 9, received_bytes: 4, state: "RECEIVING" },
  ],
  catalog_upload_parts: [
    { ...LIVE, import_id: "sent", first_byte: 0, content: Buffer.from("[{") },
    { ...LIVE, import_id: "sent", first_byte: 2, content: Buffer.from("}]") },
  ],
  reports: [
    { ...REPORT, report_id: "failed", status: "FAILED", error_code: "TIMEOUT" },
    { ...REPORT, report_id: "ready", status: "Ready", file_name: "ready.csv" },
  ],
  report_log: [
    ...["failed", "ready"].map((report_id) => ({ ...TEST, report_id, ...LOG })),
    { ...TEST, ...LOG_END, report_id: "ready", status: "Ready", message: "5 transactions" },
    { ...TEST, ...LOG_END, report_id: "failed", status: "FAILED", message: "The disk is full" },
  ],
};

const UNIT = { currency: "USD", currency_divisor: 100 };
const PRICE = { price_base: 5, price_fee: 0, price_currency: "USD", price_currency_divisor: 100 };
const SEND = { send: 5, send_currency: "USD", send_currency_divisor: 100 };
const COST = { cost_base: 4, cost_fee: 0 };
const TEXTS = { brand: "TIGO", brand_name: "Tigo", country: "GT", recipient: "+50251234567" };
const SOLD = { ...TEST, transaction_id: "sold", created_at: NOW };

/** A sale with a checked number. */
const SALE: Rows = {
  staff: [{ ...ACCOUNT, staff_id: "olga", name: "Olga", pin_hash: "x", active: 1, created_at: 0 }],
  transactions: [
    {
      ...SOLD,
      ...UNIT,
      type: "DEBIT",
      product_type: "TOPUP",
      status: "ACCEPTED",
      amount: 4,
      updated_at: NOW,
    },
  ],
  offer_versions: [{ ...TEST, digest: "offer", offer_json: "{}" }],
  purchases: [
    {
      ...TEST,
      ...TEXTS,
      ...COST,
      ...PRICE,
      ...SEND,
      transaction_id: "sold",
      offer_id: "offer",
      offer_version: "offer",
      input_json: "{}",
    },
  ],
  sales: [
    {
      ...TEST,
      ...UNIT,
      sale_id: "sale",
      sale_number: 1,
      staff_id: "olga",
      total: 5,
      discount: 0,
      request_hash: "x",
      created_at: NOW,
    },
  ],
  sale_lines: [
    {
      ...SOLD,
      sale_id: "sale",
      position: 0,
      product_type: "TOPUP",
      recipient: "+50251234567",
      price: 5,
      discount: 0,
    },
  ],
  number_checks: [{ ...TEST, sale_id: "sale", transaction_id: "sold", checked_by: "CLERK" }],
};

/** Fills the tables of a database that has only the migrations before 003, and an account. */
export async function fillSeparateTables(db: Db): Promise<void> {
  for (const [table, rows] of Object.entries({ ...ROWS, ...SALE })) {
    for (const row of rows) await insert(db, table, row);
  }
}

async function insert(db: Db, table: string, row: Rows[string][number]): Promise<void> {
  const names = Object.keys(row).map((name) => sql.ref(name));
  const values = Object.values(row).map((value) => sql`${value}`);
  await sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(values)})`.execute(
    db,
  );
}

/** Adds the rows, and a number check of the first line, to an export with the earlier tables. */
export function addSeparateTables(file: string): void {
  let table = "";
  let columns: string[] = [];
  let added = 0;
  const lines = readFileSync(file, "utf8").split("\n");
  const all: Rows = { ...ROWS, number_checks: [checkFirstLine(lines)] };
  const filled = lines.flatMap((line) => {
    if (line === "" || line.startsWith("[")) return [line];
    const part = JSON.parse(line);
    if (part.table !== undefined) ({ table, columns } = part);
    if (part.tables !== undefined) return [JSON.stringify({ ...part, rows: part.rows + added })];
    if (part.end === undefined) return [line];
    const rows = all[table] ?? [];
    added += rows.length;
    return [
      ...rows.map((row) => JSON.stringify(columns.map((name) => toExported(row[name] ?? null)))),
      JSON.stringify({ ...part, rows: part.rows + rows.length }),
    ];
  });
  writeFileSync(file, sumAgain(filled));
}

function checkFirstLine(lines: readonly string[]): Rows[string][number] {
  const begin = lines.findIndex((line) => line.startsWith('{"table":"sale_lines"'));
  const { columns } = JSON.parse(lines[begin] ?? "") as { columns: string[] };
  const values = JSON.parse(lines[begin + 1] ?? "") as Value[];
  const of = (name: string) => values[columns.indexOf(name)] ?? null;
  const keys = ["account_id", "environment", "sale_id", "transaction_id"];
  return { ...Object.fromEntries(keys.map((name) => [name, of(name)])), checked_by: "CLERK" };
}

function toExported(value: Value): unknown {
  return Buffer.isBuffer(value) ? { base64: value.toString("base64") } : value;
}

/** Reads everything that the rows contain by the stores of this version. */
export async function readMergedTables(db: Db) {
  const { account_id: accountId } = ACCOUNT;
  const [test, live] = [TEST, LIVE].map(({ environment }) => ({ accountId, environment })) as [
    Scope,
    Scope,
  ];
  const reports = ["ready", "failed"].map((reportId) => findReport(db, { ...test, reportId }));
  const pilot = await db
    .selectFrom("settings")
    .select("value_json")
    .where("name", "=", "pilot")
    .executeTakeFirst();
  const checked = await db
    .selectFrom("sale_lines")
    .select("checked_by")
    .where("checked_by", "is not", null)
    .execute();
  return {
    accounting: await readAccounting(db, accountId),
    alertMail: await findAlertMail(db, accountId),
    mailServer: await findServer(db, accountId),
    pilot: JSON.parse(pilot?.value_json ?? "{}"),
    receiptPages: await readPageSettings(db, accountId),
    review: await findReview(db, accountId),
    secondPlace: await new SecondBackupPlace({ accountId, db } as never).view(),
    walletAlerts: [await findAlert(db, test), await findAlert(db, live)],
    notes: [
      await findNote(db, accountId, "PRICES_SEEN"),
      await findNote(db, accountId, "DRAWER_OPENED"),
    ],
    pins: [...(await readPins(db, test))],
    schedules: await listScheduleRows(db, test),
    shopLogo: await findLogoPicture(db, accountId),
    brandLogo: await readLogoFile(db, accountId, "of Tigo"),
    checkedFile: await findFile(db, test, NOW + 100 * DAY),
    packed: text(await readPacked(db, test, "checked")),
    sentFile: await findFile(db, live, NOW),
    sent: text(await readBytes(db, live, { importId: "sent", bytes: 4 })),
    checkedBy: checked.map(({ checked_by }) => checked_by),
    logs: (await Promise.all(reports)).map((report) => report?.log),
  };
}

function text(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString();
}

const REQUESTED = { recordedAt: NOW, status: "REQUESTED", message: "Report requested" };
const FILE = { name: "offers.json", bytes: 9, outcome: {}, touchedAt: NOW };

/** Result of `readMergedTables`. */
export const MERGED_CONTENT = {
  accounting: ACCOUNTING,
  alertMail: { settings: RECIPIENTS, sentAt: NOW },
  mailServer: {
    host: "mail.example.com",
    port: 465,
    security: "TLS",
    user: "shop",
    passwordSealed: "1.0123456789abcdef.sealed",
    from: "shop@example.com",
  },
  pilot: {
    chosenBy: "olga",
    mostPerSale: 500,
    mostPerDay: 900,
    coversApi: false,
    startedAt: NOW,
  },
  receiptPages: {
    enabled: false,
    publicUrl: "https://receipts.shop.example",
    keepDays: 45,
    detailsInMail: true,
  },
  review: { restoredAt: NOW, takenAt: NOW - 1, returned: RETURNED },
  secondPlace: {
    dir: "/mnt/stick",
    missing: 2,
    copiedAt: toTimestamp(NOW),
    problem: { kind: "AWAY", message: "it is away", at: toTimestamp(NOW + 1) },
  },
  walletAlerts: [{ lowAmount: 5_000 }, { lowHours: 12 }],
  notes: [
    { at: NOW, staffId: "olga", detail: { version: 3 } },
    { at: NOW, staffId: "ana", detail: {} },
  ],
  pins: [
    ["TOPUP", ["TIGO_GT_TOPUP_25", "A_TOPUP"]],
    ["VOUCHER", ["AMAZON_US_GIFT_25"]],
  ],
  schedules: [
    { accountId: "default", environment: "test", scheduleId: "a", input: SWITCHED_OFF },
    {
      accountId: "default",
      environment: "test",
      scheduleId: "b",
      input: SCHEDULE,
      nextAt: NOW,
      lastDay: "2026-01-14",
      fault: "the folder is full",
    },
  ],
  shopLogo: { type: "image/png", ...PICTURE },
  brandLogo: { type: "image/webp", content: LOGO },
  checkedFile: {
    ...FILE,
    importId: "checked",
    receivedBytes: 9,
    state: "READY",
    staffId: undefined,
    checked: { checkedAt: NOW, baseVersion: 4, difference: DIFFERENCE },
  },
  packed: "packed",
  sentFile: { ...FILE, importId: "sent", receivedBytes: 4, state: "RECEIVING", staffId: "olga" },
  sent: "[{}]",
  checkedBy: ["CLERK"],
  logs: [
    [REQUESTED, { recordedAt: NOW + 5, status: "Ready", message: "5 transactions" }],
    [REQUESTED, { recordedAt: NOW + 5, status: "FAILED", message: "The disk is full" }],
  ],
};

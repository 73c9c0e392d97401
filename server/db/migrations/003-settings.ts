import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { keyedTableEnd } from "../migration-words.ts";

/**
 * Moves tables with at most one row or one small list per account or environment to the table
 * `settings`, with a JSON value per name.
 */
export const migration003: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table settings (
      account_id text not null references accounts,
      environment text not null check (environment in ('test', 'live', 'both')),
      name text not null,
      value_json text not null,
      secret_sealed text,
      primary key (account_id, environment, name)
    ) ${keyedTableEnd}`.execute(db);
    for (const [table, toSettings] of Object.entries(SETTINGS_BEFORE)) {
      const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(db);
      for (const row of toSettings(rows)) {
        await sql`insert into settings (account_id, environment, name, value_json, secret_sealed)
          values (${row.account_id}, ${row.environment}, ${row.name}, ${row.value_json},
            ${row.secret_sealed})`.execute(db);
      }
      await sql`drop table ${sql.table(table)}`.execute(db);
    }
  },
};

type Row = Readonly<Record<string, unknown>>;

interface SettingRow extends Row {
  account_id: unknown;
  environment: unknown;
  name: string;
  value_json: string;
  secret_sealed: unknown;
}

/** The replaced tables, with functions that convert all rows of a table. */
export const SETTINGS_BEFORE: Readonly<Record<string, (rows: readonly Row[]) => SettingRow[]>> = {
  accounting_settings: (rows) =>
    rows.map((row) => toSetting(row, "accounting", parse(row.settings_json))),
  alert_mail: (rows) =>
    rows.map((row) =>
      toSetting(row, "alert_mail", {
        settings: parse(row.settings_json),
        knownKinds: parse(row.known_kinds_json),
        sentAt: row.sent_at,
      }),
    ),
  mail_servers: (rows) =>
    rows.map((row) => ({
      ...toSetting(row, "mail_server", {
        host: row.host,
        port: row.port,
        security: row.security,
        user: row.user_name,
        from: row.from_address,
      }),
      secret_sealed: row.password_sealed,
    })),
  // An ended pilot has no effect; the audit trail contains its end.
  pilots: (rows) =>
    rows
      .filter(({ ended_at }) => ended_at === null)
      .map((row) =>
        toSetting(row, "pilot", {
          device: row.device_hash,
          chosenBy: row.chosen_by,
          mostPerSale: row.most_per_sale,
          mostPerDay: row.most_per_day,
          coversApi: row.covers_api === 1,
          startedAt: row.started_at,
        }),
      ),
  receipt_page_settings: (rows) =>
    rows.map((row) =>
      toSetting(row, "receipt_pages", {
        enabled: row.enabled === 1,
        publicUrl: row.public_url,
        keepDays: row.keep_days,
        detailsInMail: row.details_in_mail === 1,
      }),
    ),
  restore_reviews: (rows) =>
    rows.map((row) =>
      toSetting(row, "restore_review", {
        restoredAt: row.restored_at,
        takenAt: row.taken_at,
        returned: parse(row.returned_json),
      }),
    ),
  second_backup_places: (rows) =>
    rows.map((row) =>
      toSetting(row, "second_backup_place", {
        dir: row.dir,
        missing: row.missing,
        copiedAt: row.copied_at,
        problem: row.problem_at && {
          kind: row.problem_kind,
          message: row.problem_text ?? "",
          at: row.problem_at,
        },
      }),
    ),
  wallet_alerts: (rows) =>
    rows.map((row) =>
      toSetting(row, "wallet_alert", { lowAmount: row.low_amount, lowHours: row.low_hours }),
    ),
  going_live_notes: (rows) =>
    rows.map((row) =>
      toSetting(row, `going_live.${row.note}`, {
        at: row.noted_at,
        staffId: row.staff_id,
        detail: parse(row.detail_json),
      }),
    ),
  pinned_offers: (rows) =>
    [...Map.groupBy(rows, scopeOf).values()].map((own) => {
      const sorted = own.toSorted((one, other) => Number(one.position) - Number(other.position));
      const families = Map.groupBy(sorted, ({ product_type }) => String(product_type));
      const pins: Record<string, unknown> = {};
      for (const [family, pinned] of families) {
        pins[family] = pinned.map(({ offer_id }) => offer_id);
      }
      return toSetting(own[0] ?? {}, "pinned_offers", pins);
    }),
  report_schedules: (rows) =>
    [...Map.groupBy(rows, scopeOf).values()].map((own) =>
      toSetting(
        own[0] ?? {},
        "report_schedules",
        own.toSorted(byScheduleId).map((row) =>
          withoutNulls({
            scheduleId: row.schedule_id,
            input: parse(row.schedule_json),
            nextAt: row.next_at,
            lastDay: row.last_day,
            fault: row.fault,
          }),
        ),
      ),
    ),
};

function toSetting(row: Row, name: string, value: unknown): SettingRow {
  return {
    account_id: row.account_id,
    environment: row.environment ?? "both",
    name,
    value_json: JSON.stringify(Array.isArray(value) ? value : withoutNulls(value as Row)),
    secret_sealed: null,
  };
}

/** @returns null for a column without a value */
function parse(text: unknown): unknown {
  return typeof text === "string" ? JSON.parse(text) : null;
}

function withoutNulls(value: Row): Row {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

function byScheduleId(one: Row, other: Row): number {
  return String(one.schedule_id) < String(other.schedule_id) ? -1 : 1;
}

function scopeOf({ account_id, environment }: Row): string {
  return JSON.stringify([account_id, environment]);
}

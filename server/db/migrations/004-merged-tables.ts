import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { bytes, keyedTableEnd, whole } from "../migration-words.ts";

/** Merges tables with the same key, and drops indexes that no query needs. */
export const migration004: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await mergeLogos(db);
    await mergeCatalogFiles(db);
    await moveReportMessages(db);
    await moveNumberChecks(db);
    await dropIndexes(db);
    await keepFavouritesByKey(db);
  },
};

/** The logo of the shop has an empty brand. */
async function mergeLogos(db: Kysely<unknown>): Promise<void> {
  await sql`create table logos (
    account_id text not null references accounts,
    brand text not null,
    digest text not null,
    media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
    width ${whole} not null,
    height ${whole} not null,
    content ${bytes} not null,
    primary key (account_id, brand),
    check (brand <> '' or media_type <> 'image/webp')
  ) ${keyedTableEnd}`.execute(db);
  await sql`insert into logos (account_id, brand, digest, media_type, width, height, content)
    select account_id, '', digest, media_type, width, height, content from shop_logos
    union all select account_id, brand, digest, media_type, width, height, content
    from brand_logos`.execute(db);
  await sql`drop table shop_logos`.execute(db);
  await sql`drop table brand_logos`.execute(db);
}

/**
 * An uploaded file and its checked content had separate rows with the same key. The content is now
 * the only part of the file.
 */
async function mergeCatalogFiles(db: Kysely<unknown>): Promise<void> {
  await sql`create table catalog_files (
    account_id text not null references accounts,
    environment text not null check (environment in ('test', 'live')),
    import_id text not null,
    name text not null,
    bytes ${whole} not null,
    received_bytes ${whole} not null check (received_bytes between 0 and bytes),
    state text not null check (state in ('RECEIVING', 'CHECKING', 'FAULTY', 'SAME', 'READY',
      'WRITING', 'DONE', 'FAILED')),
    outcome_json text not null,
    staff_id text,
    touched_at ${whole} not null,
    checked_at ${whole},
    base_version ${whole},
    difference_json text,
    primary key (account_id, environment),
    check ((state in ('READY', 'WRITING')) = (difference_json is not null)),
    check ((difference_json is null) = (checked_at is null)),
    check ((difference_json is null) = (base_version is null))
  ) ${keyedTableEnd}`.execute(db);
  await sql`insert into catalog_files (account_id, environment, import_id, name, bytes,
      received_bytes, state, outcome_json, staff_id, touched_at, checked_at, base_version,
      difference_json)
    select i.account_id, i.environment, i.import_id, i.name, i.bytes, i.bytes,
      coalesce(u.state, 'READY'), coalesce(u.outcome_json, '{}'), u.staff_id,
      coalesce(u.touched_at, i.checked_at), i.checked_at, i.base_version, i.difference_json
    from catalog_imports i left join catalog_uploads u on u.account_id = i.account_id
      and u.environment = i.environment and u.import_id = i.import_id and u.state = 'WRITING'
    where ${isWaiting}`.execute(db);
  await sql`insert into catalog_files (account_id, environment, import_id, name, bytes,
      received_bytes, state, outcome_json, staff_id, touched_at)
    select u.account_id, u.environment, u.import_id, u.name, u.bytes, u.received_bytes, u.state,
      u.outcome_json, u.staff_id, u.touched_at
    from catalog_uploads u where u.state <> 'WRITING' and not exists (select 1 from catalog_files f
      where f.account_id = u.account_id and f.environment = u.environment)`.execute(db);
  await sql`create table catalog_file_parts (
    account_id text not null references accounts,
    environment text not null check (environment in ('test', 'live')),
    import_id text not null,
    first_byte ${whole} not null,
    content ${bytes} not null,
    primary key (account_id, environment, import_id, first_byte)
  ) ${keyedTableEnd}`.execute(db);
  await sql`insert into catalog_file_parts (account_id, environment, import_id, first_byte, content)
    select i.account_id, i.environment, i.import_id, 0, i.content from catalog_imports i
    where ${isWaiting}
    union all select p.account_id, p.environment, p.import_id, p.first_byte, p.content
    from catalog_upload_parts p
    join catalog_files f on f.account_id = p.account_id and f.environment = p.environment
      and f.import_id = p.import_id and f.difference_json is null`.execute(db);
  for (const table of ["catalog_upload_parts", "catalog_uploads", "catalog_imports"]) {
    await sql`drop table ${sql.table(table)}`.execute(db);
  }
}

/** A newer upload replaces a checked file. */
const isWaiting = sql`not exists (select 1 from catalog_uploads o
  where o.account_id = i.account_id and o.environment = i.environment
    and (o.import_id <> i.import_id or o.state <> 'WRITING'))`;

/** The log of a report had an entry of its request and an entry of its end. */
async function moveReportMessages(db: Kysely<unknown>): Promise<void> {
  await sql`alter table reports add column end_message text`.execute(db);
  await sql`update reports set end_message = (select l.message from report_log l
    where l.account_id = reports.account_id and l.environment = reports.environment
      and l.report_id = reports.report_id and l.status = reports.status)
    where status <> 'REQUESTED'`.execute(db);
  await sql`drop table report_log`.execute(db);
}

async function moveNumberChecks(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sale_lines add column checked_by text
    check (checked_by in ('CUSTOMER', 'CLERK'))`.execute(db);
  await sql`update sale_lines set checked_by = c.checked_by from number_checks c
    where c.account_id = sale_lines.account_id and c.environment = sale_lines.environment
      and c.transaction_id = sale_lines.transaction_id`.execute(db);
  await sql`drop table number_checks`.execute(db);
}

/**
 * - `bulk_runs_confirmed`: a shop has few bulk runs, and each check reads them once.
 * - `pin_guesses_by_age`: guesses are numbered in the order of their times.
 * - `shop_reports_ready`: nearly all reports are READY.
 * - `staff_sessions_by_staff`: expired sessions are deleted, so few remain.
 * - `z_reports_of_staff`: the last report of a person is that of the person's last closed shift.
 */
async function dropIndexes(db: Kysely<unknown>): Promise<void> {
  for (const index of [
    "bulk_runs_confirmed",
    "pin_guesses_by_age",
    "shop_reports_ready",
    "staff_sessions_by_staff",
    "z_reports_of_staff",
  ]) {
    await sql`drop index ${sql.ref(index)}`.execute(db);
  }
}

/** SQLite stored the rows of `favourites` apart from their key. */
async function keepFavouritesByKey(db: Kysely<unknown>): Promise<void> {
  await sql`create table keyed_favourites (
    account_id text not null,
    environment text not null check (environment in ('test', 'live')),
    number text not null,
    name text not null,
    created_at ${whole} not null,
    primary key (account_id, environment, number)
  ) ${keyedTableEnd}`.execute(db);
  await sql`insert into keyed_favourites (account_id, environment, number, name, created_at)
    select account_id, environment, number, name, created_at from favourites`.execute(db);
  await sql`drop table favourites`.execute(db);
  await sql`alter table keyed_favourites rename to favourites`.execute(db);
}

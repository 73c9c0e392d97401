import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Tables and columns by their names before, with their names since. */
export const RENAMED_TABLES: ReadonlyMap<string, string> = new Map([
  ["give_backs", "customer_refunds"],
  ["give_back_lines", "customer_refund_lines"],
  ["give_back_tenders", "customer_refund_tenders"],
]);
export const RENAMED_COLUMNS: ReadonlyMap<string, string> = new Map([
  ["give_back_id", "customer_refund_id"],
  ["slip_sealed", "details_sealed"],
  ["slip_state", "details_state"],
  ["slip_at", "details_at"],
  ["keep_slips_days", "keep_details_days"],
  ["deed", "request_digest"],
]);

const INDEXES = [
  "drop index give_back_lines_of_sale",
  "create index customer_refund_lines_of_sale on customer_refund_lines (account_id, environment, sale_id)",
  "drop index give_backs_by_shift",
  "create index customer_refunds_by_shift on customer_refunds (account_id, environment, shift_id)",
  "drop index give_backs_newest",
  `create index customer_refunds_newest
    on customer_refunds (account_id, environment, created_at desc)`,
  "drop index give_backs_of_sale",
  "create index customer_refunds_of_sale on customer_refunds (account_id, environment, sale_id)",
  "drop index purchases_slips",
  `create index purchases_details on purchases (details_state, account_id, details_at)
    where details_state is not null`,
];

function appendOnly(table: string): string[] {
  return ["delete", "update"].map(
    (change) => `create trigger ${table}_no_${change} before ${change} on ${table}
  begin select raise(abort, '${table} is append-only'); end`,
  );
}

const TABLES = [...RENAMED_TABLES].flatMap(([from, to]) => [
  `drop trigger ${from}_no_delete`,
  `drop trigger ${from}_no_update`,
  `alter table ${from} rename to ${to}`,
  `alter table ${to} rename column give_back_id to customer_refund_id`,
  ...appendOnly(to),
]);

const COLUMNS = [
  "alter table purchases rename column slip_sealed to details_sealed",
  "alter table purchases rename column slip_state to details_state",
  "alter table purchases rename column slip_at to details_at",
  "alter table accounts rename column keep_slips_days to keep_details_days",
  "alter table approvals rename column deed to request_digest",
];

/** Gives a text of a row its new words, and renews the row's checksum where it was right before. */
function reword(table: string, column: string, columns: string, words: string): string {
  const renewed = columns.replace(column, words);
  return `update ${table} set ${column} = ${words},
    checksum = case when checksum is row_checksum(${columns}) then row_checksum(${renewed})
      else checksum end
    where ${column} like '%giveBack%'`;
}

const STAFF =
  "account_id, staff_id, name, role, pin_hash, active, rights_json, limits_json, created_at";
const APPROVALS = `account_id, environment, approval_id, requested_by, approved_by, subject,
  request_digest, needs, facts_json, created_at, expires_at, used_at`;

/** Rights, reports and audit entries that say the old names say the new ones; nothing else of them changes. */
const TEXTS = [
  reword("staff", "rights_json", STAFF, `replace(rights_json, '"giveBack"', '"customerRefund"')`),
  reword("approvals", "needs", APPROVALS, "replace(needs, 'giveBack', 'customerRefund')"),
  "drop trigger z_reports_no_update",
  `update z_reports set report_json = replace(report_json, '"giveBacks":', '"customerRefunds":')`,
  "drop trigger audit_trail_no_update",
  "update audit_trail set action = 'sale.customer-refund' where action = 'sale.give-back'",
  `update audit_trail set detail_json = replace(replace(detail_json, '"giveBack":',
    '"customerRefund":'), '"keepSlipsDays":', '"keepDetailsDays":')
    where detail_json like '%"giveBack":%' or detail_json like '%"keepSlipsDays":%'`,
  ...["z_reports", "audit_trail"].flatMap((table) => appendOnly(table).slice(1)),
];

/**
 * Plain names: give-backs are customer refunds, slips are delivered details, and what an approval is
 * for is the digest of a request.
 */
export const migration040: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, ...COLUMNS, ...INDEXES, ...TEXTS]) {
      await sql.raw(statement).execute(db);
    }
  },
};

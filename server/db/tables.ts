import type { ColumnType, Generated, RawBuilder } from "kysely";
import type { AlertTables } from "./tables/alerts.ts";
import type { CatalogTables } from "./tables/catalog.ts";
import type { Scoped } from "./tables/columns.ts";
import type { ProviderTables } from "./tables/providers.ts";
import type { ReportTables } from "./tables/reports.ts";
import type { SaleTables } from "./tables/sales.ts";
import type { ShiftTables } from "./tables/shifts.ts";
import type { ShopTables } from "./tables/shop.ts";
import type { StaffTables } from "./tables/staff.ts";
import type { StorageTables } from "./tables/storage.ts";
import type { TransactionTables } from "./tables/transactions.ts";
import type { WebhookTables } from "./tables/webhooks.ts";

/**
 * An interface for each table, in `tables/` by topic; the SQL is in `migrations/baseline/` by
 * module. `_at` columns are integer milliseconds since 1970 (UTC). Amounts are integer minor units
 * of the currency in the same row. Booleans are 0 or 1. `*_json` columns are texts. Every key
 * starts with account and environment, so that a forgotten filter cannot mix their rows.
 */
export interface Tables
  extends ShopTables,
    StaffTables,
    CatalogTables,
    TransactionTables,
    SaleTables,
    ShiftTables,
    ReportTables,
    WebhookTables,
    StorageTables,
    AlertTables,
    ProviderTables {
  jobs: JobsTable;
  changes: ChangesTable;
}

/** A job: an action, its subject, and its earliest time (rules#job-deadlines-are-rows). */
interface JobsTable {
  kind: string;
  subject: string;
  run_at: number;
  attempts: number;
  last_error: string | null;
  /**
   * Gets a new value each time the job is enqueued: a run completes only the
   * revision with which it started.
   */
  revision: ColumnType<number, number | RawBuilder<number> | undefined, number>;
  /** Process that runs the job; null if only one process uses the database. */
  lease_owner: Generated<string | null>;
  /** End of the lease by the database server's clock; a running process extends it. */
  lease_until: Generated<number | null>;
}

/** Changes, in order. The till's event stream reads them from this table, never from memory. */
interface ChangesTable extends Scoped {
  change_id: Generated<number>;
  topic: "purchase" | "wallet" | "shop" | "catalog" | "webhook" | "provider" | "alerts";
  subject: string;
  changed_at: number;
}

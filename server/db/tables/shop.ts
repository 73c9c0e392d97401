import type { Generated } from "kysely";
import type { Environment } from "../../contract/common.ts";
import type { ConfirmNumber } from "../../contract/pos/number-check.ts";
import type { DrawerPin, RollWidth } from "../../contract/pos/printers.ts";
import type { GoingLiveCheck } from "../../contract/pos/till-environment.ts";
import type { Checked, Flag, Scoped } from "./columns.ts";

export interface ShopTables {
  accounts: AccountsTable;
  shops: ShopsTable;
  settings: SettingsTable;
  logos: LogosTable;
  environment_settings: EnvironmentSettingsTable;
  api_keys: ApiKeysTable;
  api_requests: ApiRequestsTable;
  printers: PrintersTable;
  audit_trail: AuditTrailTable;
  live_check_results: LiveCheckResultsTable;
}

/**
 * Settings and small states with at most one value per account or environment (`settings.ts`).
 */
interface SettingsTable {
  account_id: string;
  /** `both` for a setting of the account. */
  environment: Environment | "both";
  name: string;
  value_json: string;
  /** Encrypted secret that belongs to the setting, such as a password. */
  secret_sealed: string | null;
}

/**
 * Logo on receipts and the customer's display, and logos that replace the drawn cards of brands.
 */
interface LogosTable {
  account_id: string;
  /** Empty for the logo of the shop. */
  brand: string;
  /** SHA-256 (hex) of the file. */
  digest: string;
  media_type: "image/png" | "image/jpeg" | "image/webp";
  width: number;
  height: number;
  content: Uint8Array;
}

interface AccountsTable extends Checked {
  account_id: string;
  wallet_currency: string;
  wallet_currency_divisor: number;
  created_at: number;
  /** 1 if the account is in the beta group of the phone lookup (rules#lookup-switch). */
  lookup_enabled: Generated<number>;
  /** Idle time after which a till locks; 0 disables the lock. */
  idle_lock_minutes: Generated<number>;
  /** Retention of PINs and codes in days; 0 is unlimited. */
  keep_details_days: Generated<number>;
  /** Retention of customers' numbers in ended sales, in days; 0 is unlimited. */
  keep_numbers_days: Generated<number>;
  /** Time zone of the shop; null uses this machine's time zone. */
  time_zone: string | null;
  /** The shop's own lines on every receipt: address and customer support. */
  receipt_text_json: Generated<string>;
  /** Rounding step of cash in minor units of the shop's currency; 0 disables rounding. */
  cash_step: Generated<number>;
  /** Start of the business day, in minutes after midnight. */
  day_starts_at: Generated<number>;
  tenders_json: Generated<string>;
  /** Condition under which customers confirm the number of a top-up on their display. */
  confirm_number: Generated<ConfirmNumber>;
  /** Additional ports to which receipts may be sent. */
  printer_ports_json: Generated<string>;
  /**
   * Times of the newest record and of the machine's clock when an owner confirmed the clock; null
   * if never confirmed.
   */
  clock_newest: Generated<number | null>;
  clock_accepted_at: Generated<number | null>;
}

/** Settings of the shop; no row before set-up. */
interface ShopsTable extends Checked {
  account_id: string;
  name: string;
  currency: string;
  currency_divisor: number;
  /** Units of the shop's currency for one unit of the wallet's, as an exact decimal text. */
  rate: string;
  language: string;
  till_environment: Environment;
  /** ISO 3166-1 alpha-2; null if no owner has chosen a country. */
  country: Generated<string | null>;
  /** Time at which the rate was set or last confirmed. */
  rate_set_at: number | null;
  created_at: number;
  updated_at: number;
}

interface EnvironmentSettingsTable extends Scoped, Checked {
  /** 1 if recoverable provider errors are retried for 24 hours (rules#purchase-retry). */
  queue_enabled: Flag;
  /** Customers' numbers in purchases that ended before this time are already erased. */
  numbers_erased_until: Generated<number>;
  /**
   * First UTC day (counted from 1970) without figures in `day_figures`; 0 if no day has figures.
   */
  figures_until: Generated<number>;
}

interface ApiKeysTable extends Scoped, Checked {
  key_id: string;
  name: string;
  /** SHA-256 (hex) of the whole key. */
  hash: string;
  /** First characters of the key, which identify it in a list. */
  hint: string;
  /** JSON array of permitted addresses or ranges; null permits every address. */
  allowed_addresses_json: string | null;
  /** Permitted operations of `/v1`: names of `KEY_SCOPES`, separated by spaces. */
  scopes: Generated<string>;
  /** Null if the key never expires. */
  expires_at: number | null;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
}

/** Requests of API keys, with masked secrets. On SQLite they are in a separate file. */
interface ApiRequestsTable extends Scoped {
  request_no: Generated<number>;
  key_id: string;
  request_id: string;
  received_at: number;
  method: string;
  /** Path with its query. */
  path: string;
  status: number;
  duration_ms: number;
  transaction_id: string | null;
  request_bytes: number | null;
  /** JSON; null for a body that is empty, too large or not JSON. */
  request_body: string | null;
  response_bytes: number | null;
  response_body: string | null;
}

interface PrintersTable extends Checked {
  account_id: string;
  printer_id: string;
  name: string;
  host: string;
  port: number;
  paper: RollWidth;
  drawer: Flag;
  drawer_pin: Generated<DrawerPin>;
  line_letters: Generated<number>;
  head_dots: Generated<number>;
  created_at: number;
}

interface AuditTrailTable {
  entry_id: Generated<number>;
  account_id: string;
  staff_id: string | null;
  action: string;
  subject: string;
  detail_json: string;
  recorded_at: number;
}

interface LiveCheckResultsTable {
  account_id: string;
  check_name: GoingLiveCheck;
  passed: Flag;
  /** 1 if a failure of the check prevents going live. */
  stops: Flag;
  figures_json: string;
  /**
   * Time at which the nightly check failed after a success; null while the check passes, or if it
   * never passed.
   */
  turned_red_at: number | null;
  checked_at: number;
}

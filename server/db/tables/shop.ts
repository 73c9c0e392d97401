import type { Generated } from "kysely";
import type { Environment } from "../../contract/common.ts";
import type { ConfirmNumber } from "../../contract/pos/number-check.ts";
import type { DrawerPin, RollWidth } from "../../contract/pos/printers.ts";
import type { Checked, Flag, Scoped } from "./columns.ts";

/** The account and its shop, with their settings, and the audit trail. */
export interface ShopTables {
  accounts: AccountsTable;
  shops: ShopsTable;
  shop_logos: ShopLogosTable;
  brand_logos: BrandLogosTable;
  environment_settings: EnvironmentSettingsTable;
  api_keys: ApiKeysTable;
  printers: PrintersTable;
  audit_trail: AuditTrailTable;
}

/** The logo on receipts and on the customer's display, at most one for each account. */
interface ShopLogosTable {
  account_id: string;
  /** SHA-256 of its bytes, hexadecimal. */
  digest: string;
  media_type: "image/png" | "image/jpeg";
  width: number;
  height: number;
  content: Uint8Array;
}

/** Logo of a brand that the shop may use, in place of the till's brand card. */
interface BrandLogosTable {
  account_id: string;
  brand: string;
  /** SHA-256 of its bytes, hexadecimal. */
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
  /** Whether the account is in the phone lookup's beta group (rules#lookup-switch). */
  lookup_enabled: Generated<number>;
  /** Idle time after which a till locks itself; 0 for never. */
  idle_lock_minutes: Generated<number>;
  /** Retention of PINs and codes in days; 0 for unlimited. */
  keep_details_days: Generated<number>;
  /** Retention of customers' numbers of ended sales in days; 0 for unlimited. */
  keep_numbers_days: Generated<number>;
  /** The time zone of the shop's day; null for this machine's. */
  time_zone: string | null;
  /** The shop's own lines on every receipt: its address, and support. */
  receipt_text_json: Generated<string>;
  /** Rounding step of cash, minor units of the shop's currency; 0 for none. */
  cash_step: Generated<number>;
  /** Start of the day: minutes after midnight. */
  day_starts_at: Generated<number>;
  /** The shop's tenders, and the number of their changes. */
  tenders_json: Generated<string>;
  /** When customers confirm the number of a top-up on their display. */
  confirm_number: Generated<ConfirmNumber>;
  /** Additional ports that receipts may be sent to. */
  printer_ports_json: Generated<string>;
  /** The newest record when an owner confirmed the clock, and the clock's time then; null without a confirmation. */
  clock_newest: Generated<number | null>;
  clock_accepted_at: Generated<number | null>;
}

/** The shop's own settings; absent until set-up has run. */
interface ShopsTable extends Checked {
  account_id: string;
  name: string;
  currency: string;
  currency_divisor: number;
  /** Units of the shop's currency for one of the wallet's, an exact decimal as text. */
  rate: string;
  language: string;
  /** The environment its tills sell in. */
  till_environment: Environment;
  /** ISO 3166-1 alpha-2, if an owner chose it. */
  country: Generated<string | null>;
  /** When the rate was set, or last confirmed. */
  rate_set_at: number | null;
  created_at: number;
  updated_at: number;
}

interface EnvironmentSettingsTable extends Scoped, Checked {
  /** Whether recoverable provider errors are retried for 24 h (rules#purchase-retry). */
  queue_enabled: Flag;
  /** Numbers of purchases that ended before this are erased, if the shop erases them. */
  numbers_erased_until: Generated<number>;
  /** The first UTC day since 1970 whose figures are not in `day_figures` yet; 0 if none are. */
  figures_until: Generated<number>;
}

interface ApiKeysTable extends Scoped, Checked {
  key_id: string;
  name: string;
  /** SHA-256 of the whole key, hex. */
  hash: string;
  /** The first characters, to tell keys apart in a list. */
  hint: string;
  /** JSON array of addresses or ranges; null allows every address. */
  allowed_addresses_json: string | null;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
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

/** The audit trail, for owners. */
interface AuditTrailTable {
  entry_id: Generated<number>;
  account_id: string;
  staff_id: string | null;
  action: string;
  subject: string;
  detail_json: string;
  recorded_at: number;
}

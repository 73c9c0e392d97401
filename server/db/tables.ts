import type { ColumnType, Generated } from "kysely";
import type { Environment, TransactionStatus } from "../contract/common.ts";
import type { Role } from "../contract/pos/staff.ts";
import type { ProductType, TransactionType } from "../contract/v1/transactions.ts";

/**
 * One interface a table; the SQL is in `migrations/`, the result in `schema.sql`.
 * `_at` columns are integer milliseconds since 1970 (UTC); amounts are integer minor units of the
 * currency beside them; booleans are 0 or 1; `*_json` is text. Account and environment lead every
 * key of what belongs to them, so that nothing can be read across by forgetting a filter.
 */
export interface Tables {
  accounts: AccountsTable;
  shops: ShopsTable;
  api_keys: ApiKeysTable;
  staff: StaffTable;
  staff_sessions: StaffSessionsTable;
  catalogs: CatalogsTable;
  brands: BrandsTable;
  offers: OffersTable;
  environment_settings: EnvironmentSettingsTable;
  promos: PromosTable;
  transactions: TransactionsTable;
  transaction_log: TransactionLogTable;
  purchases: PurchasesTable;
  ledger_accounts: LedgerAccountsTable;
  ledger_postings: LedgerPostingsTable;
  ledger_entries: LedgerEntriesTable;
  jobs: JobsTable;
  changes: ChangesTable;
  sales: SalesTable;
  sale_lines: SaleLinesTable;
  receipt_prints: ReceiptPrintsTable;
  audit_trail: AuditTrailTable;
  simulator_orders: SimulatorOrdersTable;
}

type Flag = ColumnType<number, number, number>;

interface Scoped {
  account_id: string;
  environment: Environment;
}

interface AccountsTable {
  account_id: string;
  wallet_currency: string;
  wallet_currency_divisor: number;
  created_at: number;
}

/** The shop's own settings; absent until set-up has run. */
interface ShopsTable {
  account_id: string;
  name: string;
  currency: string;
  currency_divisor: number;
  /** Units of the shop's currency for one of the wallet's, an exact decimal as text. */
  rate: string;
  language: string;
  /** The environment the till sells in. */
  till_environment: Environment;
  created_at: number;
  updated_at: number;
}

interface ApiKeysTable extends Scoped {
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

interface StaffTable {
  account_id: string;
  staff_id: string;
  name: string;
  role: Role;
  pin_hash: string;
  active: Flag;
  failed_attempts: number;
  locked_until: number | null;
  created_at: number;
}

interface StaffSessionsTable {
  /** SHA-256 of the cookie's token, hex. */
  token_hash: string;
  account_id: string;
  staff_id: string;
  created_at: number;
  expires_at: number;
}

interface CatalogsTable extends Scoped {
  /** Grows by one with every change, so that a prepared copy knows when it is stale. */
  version: number;
  source: string;
  updated_at: number;
}

interface EnvironmentSettingsTable extends Scoped {
  /** Whether recoverable provider errors are retried for 24 h (spec §1, queue and retry). */
  queue_enabled: Flag;
}

interface BrandsTable extends Scoped {
  brand: string;
  brand_name: string;
  detail_json: string;
}

interface OffersTable extends Scoped {
  offer_id: string;
  product_type: ProductType;
  brand: string;
  country: string;
  /** The offer as the catalog states it: prices in the catalog's currency. */
  offer_json: string;
  created_at: number;
  updated_at: number;
}

interface PromosTable extends Scoped {
  promo_id: string;
  /** The promotion as the catalog states it, in all its languages. */
  promo_json: string;
  created_at: number;
}

/** Every movement of the wallet that has an id of its own: purchases, recharges, refunds. */
interface TransactionsTable extends Scoped {
  transaction_id: string;
  type: TransactionType;
  product_type: ProductType;
  status: TransactionStatus;
  amount: number;
  currency: string;
  currency_divisor: number;
  created_at: number;
  updated_at: number;
  finished_at: number | null;
  error_code: string | null;
  error_description: string | null;
  error_message: string | null;
  error_figures_json: string | null;
  /** Set when 24 h passed with the outcome unknown: the owner must ask the provider. */
  needs_reconciliation: Flag;
}

interface TransactionLogTable extends Scoped {
  transaction_id: string;
  position: number;
  logged_at: number;
  status: TransactionStatus;
  message: string;
}

/**
 * NONE: never sent. SENT: sent, nothing heard. WORKING: the provider has it and is not done.
 * FAILED: the last attempt met a recoverable error. SENT and WORKING are unknown outcomes.
 */
export type AttemptState = "NONE" | "SENT" | "WORKING" | "FAILED";

/** What a purchase transaction buys; one row for each transaction of a product family. */
interface PurchasesTable extends Scoped {
  transaction_id: string;
  offer_id: string;
  brand: string;
  brand_name: string;
  country: string;
  recipient: string;
  cost_base: number;
  cost_fee: number;
  price_base: number;
  price_fee: number;
  price_currency: string;
  price_currency_divisor: number;
  send: number;
  send_currency: string;
  send_currency_divisor: number;
  value_type: string | null;
  value: number | null;
  /** The offer as it was sold. */
  offer_json: string;
  /** What the buyer gave beside offer, recipient and value. */
  input_json: string;
  /** What the provider handed over; null until DONE. */
  fulfilment_json: string | null;
  /** Attempts begun. */
  attempts: number;
  attempt_state: AttemptState;
  /** When the attempt under way counts as unanswered, or the next one begins. */
  next_attempt_at: number | null;
}

/** The accounts of the double-entry ledger with their running balance. */
interface LedgerAccountsTable extends Scoped {
  name: string;
  currency: string;
  balance: number;
}

interface LedgerPostingsTable extends Scoped {
  posting_id: Generated<number>;
  transaction_id: string;
  kind: "RECHARGE" | "HOLD" | "CAPTURE" | "RELEASE";
  posted_at: number;
}

interface LedgerEntriesTable {
  posting_id: number;
  account_id: string;
  environment: Environment;
  name: string;
  /** Signed: the two entries of a posting add up to zero. */
  amount: number;
  balance_after: number;
}

/** A deadline is a row: what is to be done, on what, and not before when. */
interface JobsTable {
  kind: string;
  subject: string;
  run_at: number;
  attempts: number;
  last_error: string | null;
  /** The run that holds the job; null when nobody does. */
  lease: string | null;
}

/** What changed, in order: read by the till's event stream, never an event from memory. */
interface ChangesTable extends Scoped {
  change_id: Generated<number>;
  topic: "purchase" | "wallet" | "shop" | "catalog";
  subject: string;
  changed_at: number;
}

interface SalesTable extends Scoped {
  sale_id: string;
  sale_number: number;
  staff_id: string;
  currency: string;
  currency_divisor: number;
  total: number;
  tender_kind: "CASH";
  tendered: number;
  change_given: number;
  /** SHA-256 of the request, so that the same id with another body is refused. */
  request_hash: string;
  created_at: number;
}

interface SaleLinesTable extends Scoped {
  sale_id: string;
  position: number;
  transaction_id: string;
  recipient: string;
  created_at: number;
}

interface ReceiptPrintsTable extends Scoped {
  sale_id: string;
  copy_number: number;
  staff_id: string;
  printed_at: number;
}

/** Who did what that an owner may want to know later. */
interface AuditTrailTable {
  entry_id: Generated<number>;
  account_id: string;
  staff_id: string | null;
  action: string;
  subject: string;
  detail_json: string;
  recorded_at: number;
}

/** The sandbox provider's own books: what it received and when it is fulfilled. */
interface SimulatorOrdersTable {
  account_id: string;
  transaction_id: string;
  submissions: number;
  received_at: number;
  /** Null when the provider will never fulfil it. */
  fulfilled_at: number | null;
}

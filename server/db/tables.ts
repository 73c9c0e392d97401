import type { ColumnType, Generated } from "kysely";
import type { Environment, TransactionStatus } from "../contract/common.ts";
import type { RollWidth } from "../contract/pos/printers.ts";
import type { Role } from "../contract/pos/rights.ts";
import type { SoldProduct } from "../contract/pos/sale-lines.ts";
import type { MovementKind } from "../contract/pos/shifts.ts";
import type { TenderKind } from "../contract/pos/tenders.ts";
import type { DeliveryState, WebhookKind } from "../contract/pos/webhooks.ts";
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
  approvals: ApprovalsTable;
  printers: PrintersTable;
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
  sale_tenders: SaleTendersTable;
  give_backs: GiveBacksTable;
  give_back_lines: GiveBackLinesTable;
  give_back_tenders: GiveBackTendersTable;
  held_sales: HeldSalesTable;
  favourites: FavouritesTable;
  remembered_carriers: RememberedCarriersTable;
  receipt_prints: ReceiptPrintsTable;
  shifts: ShiftsTable;
  shift_movements: ShiftMovementsTable;
  z_reports: ZReportsTable;
  z_report_prints: ZReportPrintsTable;
  audit_trail: AuditTrailTable;
  esims: EsimsTable;
  refunds: RefundsTable;
  retrieved_bills: RetrievedBillsTable;
  upstreams: UpstreamsTable;
  brand_states: BrandStatesTable;
  reports: ReportsTable;
  report_log: ReportLogTable;
  webhook_endpoints: WebhookEndpointsTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_attempts: WebhookAttemptsTable;
  simulator_orders: SimulatorOrdersTable;
  simulator_plans: SimulatorPlansTable;
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
  /** Whether the account is in the phone lookup's beta group (spec §1). */
  lookup_enabled: Generated<number>;
  /** A till that nobody touches for so long locks itself; 0 never does. */
  idle_lock_minutes: Generated<number>;
  /** Where the shop's day begins at midnight; null is wherever this machine is. */
  time_zone: string | null;
  /** What the shop says of itself on every receipt: lines of its address, and for support. */
  receipt_text_json: Generated<string>;
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

interface PrintersTable {
  account_id: string;
  printer_id: string;
  name: string;
  host: string;
  port: number;
  paper: RollWidth;
  drawer: Flag;
  created_at: number;
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
  /** The rights in which the person differs from their role. */
  rights_json: Generated<string>;
  limits_json: Generated<string>;
}

interface StaffSessionsTable {
  /** SHA-256 of the cookie's token, hex. */
  token_hash: string;
  account_id: string;
  staff_id: string;
  created_at: number;
  expires_at: number;
  /** Whether it sells in the test environment, whatever the shop does. */
  training: Generated<number>;
  /** When the till was last touched, as far as it has told. */
  active_at: Generated<number>;
}

/** What somebody with the right approved in place: good once, and not for long. */
interface ApprovalsTable extends Scoped {
  approval_id: string;
  /** Who was signed in. */
  requested_by: string;
  approved_by: string;
  subject: string;
  /** Digest of the request that it is for; none, and good for nothing, where it is older than that. */
  deed: string;
  /** The needs as one text, see `writeNeeds`. */
  needs: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
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
  kind: "RECHARGE" | "HOLD" | "CAPTURE" | "RELEASE" | "REFUND";
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
  topic: "purchase" | "wallet" | "shop" | "catalog" | "webhook" | "provider";
  subject: string;
  changed_at: number;
}

interface SalesTable extends Scoped {
  sale_id: string;
  sale_number: number;
  staff_id: string;
  /** Who approved what the seller may not do alone. */
  approved_by: string | null;
  currency: string;
  currency_divisor: number;
  /** What the customer paid: the prices of the lines less their discounts. */
  total: number;
  discount: number;
  /** SHA-256 of the request, so that the same id with another body is refused. */
  request_hash: string;
  created_at: number;
  /** Whose drawer the money went into; null for sales of before there were shifts. */
  shift_id: string | null;
}

interface SaleLinesTable extends Scoped {
  sale_id: string;
  position: number;
  transaction_id: string;
  product_type: SoldProduct;
  /** The number, account or eSIM it is for; empty where there is none. */
  recipient: string;
  /** Before the discount. */
  price: number;
  discount: number;
  created_at: number;
}

/** How a sale was paid: the amounts add up to its total. */
interface SaleTendersTable extends Scoped {
  sale_id: string;
  position: number;
  kind: TenderKind;
  amount: number;
  /** Cash handed over; what is more than the amount was given as change. */
  tendered: number | null;
  reference: string | null;
}

/** Money of lines that were not delivered, handed back to the customer. */
interface GiveBacksTable extends Scoped {
  give_back_id: string;
  sale_id: string;
  staff_id: string;
  approved_by: string | null;
  amount: number;
  request_hash: string;
  created_at: number;
  /** Whose drawer the money came out of; null for those of before there were shifts. */
  shift_id: string | null;
}

/** How the money of a give-back went: amounts that add up to its own. */
interface GiveBackTendersTable extends Scoped {
  give_back_id: string;
  kind: TenderKind;
  amount: number;
}

/** A line's money is handed back once. */
interface GiveBackLinesTable extends Scoped {
  transaction_id: string;
  give_back_id: string;
  sale_id: string;
  amount: number;
}

/** Baskets put aside. A row stays when it is taken up again, so that its id stays used. */
interface HeldSalesTable extends Scoped {
  held_sale_id: string;
  label: string;
  staff_id: string;
  currency: string;
  currency_divisor: number;
  total: number;
  lines_json: string;
  request_hash: string;
  held_at: number;
  ended_at: number | null;
  ended_by: string | null;
  /** The request that resumed it; null when it was discarded. */
  resume_id: string | null;
}

/** Customers' numbers that are kept under a name. */
interface FavouritesTable extends Scoped {
  number: string;
  name: string;
  created_at: number;
}

/** The carrier of a number, as the shop knows better than its prefix. */
interface RememberedCarriersTable extends Scoped {
  number: string;
  brand: string;
  updated_at: number;
}

interface ReceiptPrintsTable extends Scoped {
  sale_id: string;
  copy_number: number;
  staff_id: string;
  printed_at: number;
}

/** One person's turn at the drawer; at most one is open for a person in an environment. */
interface ShiftsTable extends Scoped {
  shift_id: string;
  staff_id: string;
  currency: string;
  currency_divisor: number;
  opened_at: number;
  opening_float: number;
  /** How the float was counted; null when its total was typed. */
  count_json: string | null;
  closed_at: number | null;
}

/** Cash that was put into or taken out of a drawer beside sales, and every opening without one. */
interface ShiftMovementsTable extends Scoped {
  movement_id: string;
  shift_id: string;
  kind: MovementKind;
  /** 0 for NO_SALE, above it for the others; the kind says in which direction. */
  amount: number;
  reason: string;
  staff_id: string;
  approved_by: string | null;
  recorded_at: number;
}

/** The report of a closed shift, as it was when the shift closed. */
interface ZReportsTable extends Scoped {
  z_number: number;
  shift_id: string;
  /** Whose shift it was. */
  staff_id: string;
  closed_at: number;
  /** SHA-256 of the request that closed it, so that one that arrives twice finds its report. */
  request_hash: string;
  report_json: string;
}

interface ZReportPrintsTable extends Scoped {
  z_number: number;
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

/** Whose an eSIM is: written when the purchase that issued it is DONE. */
interface EsimsTable extends Scoped {
  iccid: string;
  transaction_id: string;
  created_at: number;
}

/** Refunds of eSIM purchases; each is a transaction of its own. */
interface RefundsTable extends Scoped {
  transaction_id: string;
  refunded_transaction_id: string;
  /** 1 when the provider refused it: then it may be asked for again. */
  failed: ColumnType<number, number | undefined, number>;
}

/** The amount that was due when a bill was last retrieved. */
interface RetrievedBillsTable extends Scoped {
  offer_id: string;
  /** What the bill was retrieved with, as JSON. */
  bill_key: string;
  /** Minor units of the offer's send currency. */
  amount_due: number;
  retrieved_at: number;
}

/** The gateway that the live environment buys from. The row stays when it is disconnected. */
interface UpstreamsTable extends Scoped {
  /** Without `/v1`. */
  base_url: string;
  /** Null when disconnected. */
  key_sealed: string | null;
  allow_private: Flag;
  connected_at: number;
  /** SHA-256 of the token in the address that its webhooks go to, hex. */
  hook_token_hash: string | null;
  hook_secret_sealed: string | null;
  /** What could be spent there when it was last asked; minor units of the wallet's currency. */
  balance: number | null;
  balance_at: number | null;
  synced_at: number | null;
  sync_report_json: string | null;
  /** Set while the last sync is one that failed. */
  sync_failed_at: number | null;
  sync_failure: string | null;
  /** The last thing an owner had to see to. */
  fault_kind: string | null;
  fault_message: string | null;
  fault_at: number | null;
}

/** How a brand's provider does: no row while all is well. */
interface BrandStatesTable extends Scoped {
  brand: string;
  /** Recoverable failures and silences that no answer came between. */
  failures: ColumnType<number, number | undefined, number>;
  paused_since: number | null;
  /** `auto` ends by itself, `manual` by hand. */
  pause_reason: "auto" | "manual" | null;
  /** From then on one purchase is let through to test the water. */
  next_probe_at: number | null;
}

/** Transaction reports (spec §2.9); their files are in the data directory. */
interface ReportsTable extends Scoped {
  report_id: string;
  status: "REQUESTED" | "Ready" | "FAILED";
  start_gte: number;
  end_lt: number;
  file_name: string | null;
  error_code: string | null;
  error_description: string | null;
  error_message: string | null;
  created_at: number;
  updated_at: number;
}

interface ReportLogTable extends Scoped {
  report_id: string;
  position: number;
  recorded_at: number;
  status: ReportsTable["status"];
  message: string;
}

/** Where webhooks are sent (decisions §10); a removed one stays for its deliveries, without secrets. */
interface WebhookEndpointsTable extends Scoped {
  endpoint_id: string;
  kind: WebhookKind;
  url: string;
  header_name: string | null;
  header_value_sealed: string | null;
  secret_sealed: string | null;
  allow_private: Flag;
  created_at: number;
  /** The first of the failures that no success came between, and the last. */
  failing_since: number | null;
  last_failed_at: number | null;
  last_failure: string | null;
  paused_at: number | null;
  removed_at: number | null;
}

/** What is sent to an endpoint of a transaction: the same bytes each time. */
interface WebhookDeliveriesTable extends Scoped {
  sequence: Generated<number>;
  delivery_id: string;
  endpoint_id: string;
  transaction_id: string;
  body: string;
  state: DeliveryState;
  /** Failed attempts since it was made or sent again by hand. */
  failures: ColumnType<number, number | undefined, number>;
  /** Null when it is over, and while a verification is asked. */
  next_attempt_at: number | null;
  created_at: number;
}

interface WebhookAttemptsTable extends Scoped {
  delivery_id: string;
  position: number;
  began_at: number;
  ended_at: number;
  /** Null when nothing answered; then `error` says why. */
  status: number | null;
  /** The first kilobyte. */
  answer: string | null;
  error: string | null;
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

/** The sandbox provider's eSIM plans, in the order they are used. */
interface SimulatorPlansTable {
  account_id: string;
  transaction_id: string;
  iccid: string;
  position: number;
  offer_id: string;
  description: string;
  data_gb: number;
  unlimited: number;
  duration_days: number;
  added_at: number;
  refunded_at: number | null;
}

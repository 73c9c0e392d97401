export interface ContractTest {
  readonly file: string;
  readonly exercises: string;
}

/**
 * Test files that run on SQLite in the project `server`, and on PostgreSQL in the project
 * `postgres`. All other PostgreSQL tests of CI are named `*.postgres.test.ts`.
 *
 * A new module with SQL needs a row here, with the file that runs most of its SQL in the least
 * time.
 */
export const CONTRACT_TESTS: readonly ContractTest[] = [
  { file: "server/admin/webhook-commands.test.ts", exercises: "commands beside a running gateway" },
  { file: "server/http/lists.test.ts", exercises: "pages of lists and their cursors" },
  { file: "server/http/record-shapes.test.ts", exercises: "every record that /v1 returns" },
  {
    file: "server/modules/operations/alerts/alert-readers.test.ts",
    exercises: "alerts and their readers",
  },
  { file: "server/modules/operations/alerts/alert-rounds.test.ts", exercises: "alert rounds" },
  { file: "server/modules/books/audit-trail/audit-trail.test.ts", exercises: "audit trail" },
  {
    file: "server/modules/operations/request-log/request-log.test.ts",
    exercises: "requests of API keys",
  },
  { file: "server/modules/purchases/billpay/billpay.test.ts", exercises: "bills" },
  { file: "server/modules/catalog/brand-faces/brand-faces.test.ts", exercises: "brand cards" },
  { file: "server/modules/selling/bulk-checkout/bulk-files.test.ts", exercises: "bulk sales" },
  {
    file: "server/modules/catalog/catalog/brands-and-promos.test.ts",
    exercises: "brands and promotions",
  },
  {
    file: "server/modules/catalog/catalog/catalog-generations.test.ts",
    exercises: "catalog generations",
  },
  { file: "server/modules/selling/counter/counter.test.ts", exercises: "offers at the counter" },
  {
    file: "server/modules/selling/customer-refunds/customer-refunds.test.ts",
    exercises: "refunds to customers",
  },
  { file: "server/modules/shop/devices/device-office.test.ts", exercises: "devices" },
  { file: "server/modules/purchases/esims/esims.test.ts", exercises: "eSIMs" },
  {
    file: "server/modules/office/figures/figure-channels.test.ts",
    exercises: "figures by channel and key",
  },
  {
    file: "server/modules/office/figures/figure-export.test.ts",
    exercises: "figures and their export",
  },
  {
    file: "server/modules/operations/going-live/nightly-checks.test.ts",
    exercises: "checks before going live",
  },
  { file: "server/modules/selling/held-sales/held-sales.test.ts", exercises: "held sales" },
  { file: "server/modules/shop/keys/keys.test.ts", exercises: "keys" },
  {
    file: "server/modules/operations/monitoring/monitoring.test.ts",
    exercises: "metrics and health",
  },
  { file: "server/modules/shop/pilots/pilot.test.ts", exercises: "pilots" },
  { file: "server/modules/catalog/prices/prices.test.ts", exercises: "price rules" },
  { file: "server/modules/selling/printing/drawer.test.ts", exercises: "printers and drawers" },
  {
    file: "server/modules/selling/printing/print-outcomes.test.ts",
    exercises: "records of prints",
  },
  {
    file: "server/modules/purchases/purchases/late-arrival.test.ts",
    exercises: "purchases with late answers",
  },
  {
    file: "server/modules/selling/receipt-pages/receipt-messages.test.ts",
    exercises: "receipt links and mails",
  },
  { file: "server/modules/purchases/refunds/refunds.test.ts", exercises: "refunds of purchases" },
  {
    file: "server/modules/office/sales-office/transactions.test.ts",
    exercises: "sales in the office",
  },
  { file: "server/modules/selling/sales/families.test.ts", exercises: "sales of every family" },
  { file: "server/modules/selling/search/search-index.test.ts", exercises: "search" },
  { file: "server/modules/selling/shifts/under-way.test.ts", exercises: "shifts" },
  { file: "server/modules/office/shop-reports/shop-reports.test.ts", exercises: "day reports" },
  { file: "server/modules/shop/shop-tenders/shop-tenders.test.ts", exercises: "tenders" },
  { file: "server/modules/shop/shop/shop-logo.test.ts", exercises: "shop and logo" },
  { file: "server/modules/shop/staff/approved-facts.test.ts", exercises: "staff and approvals" },
  { file: "server/modules/shop/staff/sessions.test.ts", exercises: "sign-ins" },
  { file: "server/modules/safety/storage/storage.test.ts", exercises: "deletion of old details" },
  { file: "server/modules/operations/support/support.test.ts", exercises: "support files" },
  { file: "server/modules/shop/tills/tills.test.ts", exercises: "tills" },
  {
    file: "server/modules/books/transactions/transaction-list.test.ts",
    exercises: "transaction lists",
  },
  {
    file: "server/modules/providers/upstream/several-providers.test.ts",
    exercises: "several providers",
  },
  {
    file: "server/modules/providers/upstream/upstream-sync.test.ts",
    exercises: "catalog of an upstream",
  },
  {
    file: "server/modules/office/wallet-office/wallet-office.test.ts",
    exercises: "wallet in the office",
  },
  { file: "server/modules/books/wallet/ledger.test.ts", exercises: "ledger" },
  {
    file: "server/modules/messages/webhooks/delivery-counts.test.ts",
    exercises: "webhook deliveries",
  },
  { file: "server/modules/messages/webhooks/webhooks.test.ts", exercises: "webhook endpoints" },
];

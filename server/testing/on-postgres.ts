/**
 * Tests of the modules that are run a second time, with every gateway on a PostgreSQL. Those that look
 * into SQLite itself (plans of queries, faults of its file, backups) are not among them.
 */
export const ON_POSTGRES = [
  "server/modules/customer-refunds/*.test.ts",
  "server/modules/purchases/brand-breaker.test.ts",
  "server/modules/purchases/late-arrival.test.ts",
  "server/modules/purchases/purchase-races.test.ts",
  "server/modules/purchases/vouchers.test.ts",
  "server/modules/refunds/*.test.ts",
  "server/modules/sales/approved-actions.test.ts",
  "server/modules/sales/below-cost.test.ts",
  "server/modules/sales/cash-rounding.test.ts",
  "server/modules/sales/day-limit.test.ts",
  "server/modules/sales/families.test.ts",
  "server/modules/sales/line-tax.test.ts",
  "server/modules/sales/money.test.ts",
  "server/modules/sales/number-checks.test.ts",
  "server/modules/sales/sale-readers.test.ts",
  "server/modules/sales/sales.test.ts",
  "server/modules/sales/training.test.ts",
  "server/modules/webhooks/verification.test.ts",
];

interface LeftOut {
  readonly reason: string;
  readonly files: readonly string[];
}

/**
 * Tests of the modules, the edge and the command line that are not run a second time on PostgreSQL, with why
 * not: `npm run test:postgres` prints it. Every other one is. Single tests that only SQLite can pass say so
 * themselves (`onlySqlite`), and are among the skipped ones in the closing lines.
 */
export const NOT_ON_POSTGRES: readonly LeftOut[] = [
  {
    reason: "they read SQLite's plans of queries, or count its statements",
    files: [
      "server/http/query-plans.test.ts",
      "server/modules/figures/figure-plans.test.ts",
      "server/modules/purchases/purchase-cost.test.ts",
    ],
  },
  {
    reason: "backups, what is restored and what is gone back to are copies of SQLite's file",
    files: [
      "server/admin/backup-commands.test.ts",
      "server/modules/backups/adoption.test.ts",
      "server/modules/backups/backup-desk.test.ts",
      "server/modules/backups/backups.test.ts",
      "server/modules/backups/restore.test.ts",
      "server/modules/backups/sealed-with.test.ts",
      "server/modules/backups/second-place.test.ts",
      "server/modules/updates/going-back.test.ts",
    ],
  },
  {
    reason: "they ask no database, or one of their own where what it says is not the point",
    files: [
      "server/http/host-guard.test.ts",
      "server/modules/backups/backup-files.test.ts",
      "server/modules/catalog/offer-quote.test.ts",
      "server/modules/certificates/certificates.test.ts",
      "server/modules/counter/promo-prices.test.ts",
      "server/modules/modules-readme.test.ts",
      "server/modules/prices/price-engine.test.ts",
      "server/modules/prices/range-price.test.ts",
      "server/modules/printing/drawer-pulse.test.ts",
      "server/modules/reach/reach.test.ts",
      "server/modules/receipt-pages/receipt-reach.test.ts",
      "server/modules/reports/report-csv.test.ts",
      "server/modules/sales/wallet-short.test.ts",
      "server/modules/shop-reports/schedule-times.test.ts",
      "server/modules/shop/shop-country.test.ts",
      "server/modules/staff/pin-hash.test.ts",
      "server/modules/updates/newer-version.test.ts",
    ],
  },
];

/** Run there by `npm run test:postgres`, and not with every run of the long tests. */
export const NOT_ON_POSTGRES_EACH_DAY: readonly LeftOut[] = [
  {
    reason:
      "they take ten seconds and more there, and no sale depends on them: npm run test:postgres has them",
    files: [
      "server/admin/tillgate.test.ts",
      "server/http/connections.test.ts",
      "server/http/openapi.test.ts",
      "server/modules/alerts/alerts.test.ts",
      "server/modules/audit/ledger-audit.test.ts",
      "server/modules/counter/wallet-reach.test.ts",
      "server/modules/figures/figures.test.ts",
      "server/modules/going-live/till-environment.test.ts",
      "server/modules/going-live/till-state.test.ts",
      "server/modules/going-live/way-to-live.test.ts",
      "server/modules/monitoring/monitoring.test.ts",
      "server/modules/printing/drawer.test.ts",
      "server/modules/printing/printing.test.ts",
      "server/modules/receipt-pages/bill-proof/bill-proof.test.ts",
      "server/modules/receipt-pages/receipt-pages.test.ts",
      "server/modules/reconciliation/reconciliation.test.ts",
      "server/modules/shop-reports/day-document.test.ts",
      "server/modules/shop-reports/report-schedules.test.ts",
      "server/modules/staff/approvals.test.ts",
      "server/modules/staff/sessions.test.ts",
      "server/modules/staff/staff.test.ts",
      "server/modules/storage/storage.test.ts",
      "server/modules/upstream/upstream.test.ts",
    ],
  },
  {
    reason:
      "they let days pass, each half minute of which asks the server, or do a thousand things alike: npm run test:postgres has them",
    files: [
      "server/http/environments.test.ts",
      "server/http/pos-access.test.ts",
      "server/modules/bulk-checkout/bulk-checkout.test.ts",
      "server/modules/purchases/purchase-engine.test.ts",
      "server/modules/purchases/unknown-outcome.test.ts",
      "server/modules/receipt-pages/sent-receipts.test.ts",
      "server/modules/reports/reports.test.ts",
      "server/modules/settings/settings.test.ts",
      "server/modules/staff/pin-tries.test.ts",
      "server/modules/webhooks/deliveries.test.ts",
    ],
  },
];
